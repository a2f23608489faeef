"""The Date header, if it is plausible."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from bailiwick.kit import clock

_EARLIEST = datetime(1980, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=2)


def read(value: str) -> datetime | None:
    """The time of sending; None if it is missing, unreadable or implausible."""
    try:
        date = parsedate_to_datetime(value[:100])
        # Without a zone, or with an unknown one, it is taken as UTC.
        date = date.astimezone(UTC) if date.tzinfo else date.replace(tzinfo=UTC)
    except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
        return None
    return date if _EARLIEST <= date <= clock.now() + _AHEAD else None
