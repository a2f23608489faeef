"""The header of a message as it lies in a mailbox: its Message-ID."""

from contextlib import suppress
from email.parser import BytesHeaderParser

# Whoever wrote the message decides how long its header is: no more of it is looked at.
_MOST_BYTES = 256_000


def message_id(raw: bytes) -> str:
    """The Message-ID with its brackets; empty if there is none that can be read."""
    with suppress(Exception):
        headers = BytesHeaderParser().parsebytes(raw[:_MOST_BYTES])
        found = str(headers.get("Message-ID", "")).strip()
        return found if found.isprintable() else ""
    return ""
