"""A connector's configuration in this office: whether it is enabled, and its own form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bailiwick.accounts import credentials
from bailiwick.accounts.models import ConnectorSetting
from bailiwick.connectors import forms
from bailiwick.connectors.connector import Connector, OAuth
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.kit.vault import Vault


@dataclass(frozen=True, slots=True)
class ConnectorUse:
    """A configured connector; `options` includes its secrets."""

    connector: Connector
    enabled: bool
    options: Mapping[str, Any] = field(repr=False)

    @property
    def oauth(self) -> OAuth | None:
        """Its OAuth client; None if it uses none, or has no client id yet."""
        found = self.connector.oauth(self.options) if self.connector.oauth else None
        return found if found and found.client_id else None

    @property
    def is_configured(self) -> bool:
        """Whether accounts can be connected."""
        return self.connector.oauth is None or self.oauth is not None

    def hosts(self, settings: Mapping[str, Any]) -> list[str]:
        """The hosts that it declares for an account's settings."""
        try:
            return list(self.connector.hosts(self.options, settings))
        except Exception as error:
            raise ConnectorFailed(
                "other", f"The connector {self.connector.name} cannot say where it goes."
            ) from error


def of(connector: Connector, row: ConnectorSetting | None, vault: Vault) -> ConnectorUse:
    """A connector with its row; without one it is enabled with its defaults."""
    given = {**row.options, **credentials.opened_options(vault, row)} if row else {}
    options = forms.with_defaults(connector.options, given)
    return ConnectorUse(connector, enabled=row.enabled if row else True, options=options)
