"""Fixtures for the way out."""

import pytest

from kit.net.peers import recorded


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that connections were tried to; none succeeds."""
    return recorded(monkeypatch)
