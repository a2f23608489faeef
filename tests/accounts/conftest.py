"""Accounts are tested with connectors of a stranger's plugin, and a provider on loopback."""

from collections.abc import Iterator

import pytest

from accounts.postbox import PILLAR, POSTBOX, install, plugin_of
from support.oauth_server import Provider, running_provider


@pytest.fixture(autouse=True)
def _connectors(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, plugin_of(POSTBOX, PILLAR))


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running_provider() as made:
        yield made
