"""Ids: a short prefix for the kind, and random characters."""

import re
import secrets
import string

_ALPHABET = string.ascii_lowercase + string.digits
_LENGTH = 12


def new(prefix: str, *, length: int = _LENGTH) -> str:
    """A new id such as `thr-4fk29dm1x0aa`."""
    number, letters = secrets.randbelow(len(_ALPHABET) ** length), ""
    for _ in range(length):
        number, letter = divmod(number, len(_ALPHABET))
        letters += _ALPHABET[letter]
    return f"{prefix}-{letters}"


def pattern(prefix: str, *, length: int = _LENGTH) -> str:
    """The regular expression that ids of this kind match."""
    return rf"^{re.escape(prefix)}-[a-zA-Z0-9]{{{length}}}$"
