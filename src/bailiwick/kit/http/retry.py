"""Retry-After: the wait that a server asks for, in seconds or until a date (RFC 9110)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds(text: str) -> float | None:
    """The seconds to wait; None if the header is missing or unreadable."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
