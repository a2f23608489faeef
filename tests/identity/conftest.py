"""Fixtures for identity."""

from collections.abc import Iterator

import pytest

from bailiwick.config import Settings
from support.issuer import Issuer, reaching_issuers, running_issuer


@pytest.fixture
def sqlite_settings(sqlite_settings: Settings) -> Settings:
    """The operator has allowed the network where the issuer is."""
    return reaching_issuers(sqlite_settings)


@pytest.fixture
def opened_settings(opened_settings: Settings) -> Settings:
    """The same, on each database."""
    return reaching_issuers(opened_settings)


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An OpenID Connect issuer on loopback."""
    with running_issuer() as made:
        yield made
