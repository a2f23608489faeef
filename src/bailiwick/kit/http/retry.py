"""Retry-After: how long a server wants to be left alone, in seconds or until a date (RFC 9110)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds(text: str) -> float | None:
    """The seconds that it asks for; None if it does not say, or not so that it can be read."""
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None
