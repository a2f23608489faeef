"""Fixtures for identity."""

from collections.abc import Iterator

import pytest
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from bailiwick.identity import password
from support.issuer import Issuer, running_issuer


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """An OpenID Connect issuer on loopback."""
    with running_issuer() as made:
        yield made


@pytest.fixture
def quick_passwords() -> Iterator[None]:
    """Argon2id at its least cost, for tests that are not about how passwords are kept."""
    cheap = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(password, "_hasher", lambda: cheap)
        password._dummy.cache_clear()
        yield
    password._dummy.cache_clear()
