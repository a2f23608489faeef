"""Tells a database that is unreachable or busy from a request that can never succeed."""

import psycopg
from sqlalchemy.exc import DBAPIError, TimeoutError  # noqa: A004

from bailiwick.kit.db.sqlite import sqlcipher

_BUSY = ("locked", "busy")


def is_away(error: Exception) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, TimeoutError):
        return True  # the pool has no free connection
    if not isinstance(error, DBAPIError):
        return False
    if isinstance(error.orig, sqlcipher.OperationalError):
        return any(word in str(error.orig) for word in _BUSY)
    return error.connection_invalidated or isinstance(error.orig, psycopg.OperationalError)
