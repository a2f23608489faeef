"""Fixtures for identity."""

from collections.abc import Iterator

import pytest

from support.issuer import Issuer, running_issuer


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An OpenID Connect issuer on loopback."""
    with running_issuer() as made:
        yield made
