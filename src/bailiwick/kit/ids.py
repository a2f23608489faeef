"""Ids: a short prefix that tells the kind, and random characters that tell nothing."""

import re
import secrets
import string

_ALPHABET = string.ascii_lowercase + string.digits
_LENGTH = 12


def new(prefix: str, *, length: int = _LENGTH) -> str:
    """A new id such as `thr-4fk29dm1x0aa`."""
    return f"{prefix}-{''.join(secrets.choice(_ALPHABET) for _ in range(length))}"


def pattern(prefix: str, *, length: int = _LENGTH) -> str:
    """The regular expression that ids of this kind match."""
    return rf"^{re.escape(prefix)}-[a-zA-Z0-9]{{{length}}}$"
