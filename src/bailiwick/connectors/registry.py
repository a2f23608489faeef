"""All connectors of this installation, by name.

A wrong declaration stops the start. Built-in and third-party connectors are checked alike; the
error names the plugin.
"""

import re
from collections.abc import Iterable, Iterator
from typing import get_args

from bailiwick.connectors import forms
from bailiwick.connectors.connector import Connector, ConnectorCategory
from bailiwick.errors import BadConfiguration, NotFound
from bailiwick.feature import Feature

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_CATEGORIES = get_args(ConnectorCategory)


class BadConnector(ValueError):
    """A declaration that cannot be used."""


class Connectors:
    """The connectors that features gave."""

    def __init__(self, given: Iterable[Connector]) -> None:
        self._known: dict[str, Connector] = {}
        for connector in given:
            self._add(connector)

    @classmethod
    def of_features(cls, features: Iterable[Feature]) -> "Connectors":
        """The connectors of all features; `BadConfiguration` names a faulty feature."""
        made = cls(())
        for feature in features:
            try:
                for connector in feature.connectors:
                    made._add(connector)
            except Exception as error:  # noqa: BLE001
                raise BadConfiguration(
                    f"The plugin {feature.name} gives a connector that cannot be used: "
                    f"{error}. Uninstall it, or install a version that fits."
                ) from None
        made._known = dict(sorted(made._known.items()))
        return made

    def get(self, name: str) -> Connector:
        """The connector of this name, or `NotFound`."""
        connector = self.find(name)
        if connector is None:
            raise NotFound(f"There is no connector {name!r} here.")
        return connector

    def find(self, name: str) -> Connector | None:
        """The connector of this name, if it is installed."""
        return self._known.get(name)

    def __iter__(self) -> Iterator[Connector]:
        return iter(self._known.values())

    def _add(self, connector: Connector) -> None:
        _check(connector)
        if connector.name in self._known:
            raise BadConnector(f"there are two connectors called {connector.name}")
        self._known[connector.name] = connector


def _check(connector: Connector) -> None:
    name = connector.name
    if not _NAME.fullmatch(name):
        raise BadConnector(f"{name!r} is no name for a connector: small letters, digits and _")
    if not connector.title.strip():
        raise BadConnector(f"{name} has no title")
    if not connector.categories or set(connector.categories) - set(_CATEGORIES):
        raise BadConnector(f"{name} must be of the categories {', '.join(_CATEGORIES)}")
    openers = {"mail": connector.open_mail}
    if closed := [each for each in connector.categories if openers.get(each) is None]:
        raise BadConnector(f"{name} is of the category {closed[0]}, but does not open it")
    forms.check(connector.settings, what=f"{name}.settings")
    forms.check(connector.options, what=f"{name}.options")
    names = [permission.name for permission in connector.permissions]
    if len(set(names)) != len(names):
        raise BadConnector(f"{name} has two permissions of one name")
    if connector.oauth and forms.secrets_of(connector.settings):
        raise BadConnector(f"{name} has OAuth, so an account's form cannot have secrets in it")
