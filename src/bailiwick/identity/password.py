"""Passwords: argon2id, checked off the event loop, in the same time for unknown users."""

import asyncio
from functools import cache

from pwdlib import PasswordHash
from pydantic import SecretStr

from bailiwick.errors import Invalid

MIN_LENGTH = 10
MAX_LENGTH = 200
_COMMON = ("password", "1234567890", "qwertyuiop", "bailiwick")


@cache
def _hasher() -> PasswordHash:
    return PasswordHash.recommended()


@cache
def _dummy() -> str:
    return _hasher().hash("nobody has this password")


async def hash(password: SecretStr) -> str:
    """The stored form of a password."""
    return await asyncio.to_thread(lambda: _hasher().hash(password.get_secret_value()))


async def matches(password: SecretStr, stored: str | None) -> bool:
    """Whether the password is right; takes the same time without a stored one."""

    def verify() -> bool:
        return _hasher().verify(password.get_secret_value(), stored or _dummy())

    return await asyncio.to_thread(verify) and stored is not None


def check_strength(password: SecretStr, *, email: str, field: str = "password") -> None:
    """Refuse passwords that are easily guessed."""
    text = password.get_secret_value()
    if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
        raise Invalid.field(field, f"must have {MIN_LENGTH} to {MAX_LENGTH} characters")
    lowered = text.lower()
    if lowered == email or lowered.startswith(_COMMON) or len(set(text)) < 4:
        raise Invalid.field(field, "is too easy to guess; a few unrelated words are better")
