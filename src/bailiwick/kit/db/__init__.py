"""One interface to SQLite (through SQLCipher) and PostgreSQL. SQL that differs lives here alone."""

from bailiwick.kit.db.base import AuditBase, Base, Instant, JsonValue, StoreName, UtcDateTime
from bailiwick.kit.db.storage import Storage, Store

__all__ = [
    "AuditBase",
    "Base",
    "Instant",
    "JsonValue",
    "Storage",
    "Store",
    "StoreName",
    "UtcDateTime",
]
