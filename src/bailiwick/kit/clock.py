"""The time, always in UTC and always aware."""

from datetime import UTC, datetime


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)
