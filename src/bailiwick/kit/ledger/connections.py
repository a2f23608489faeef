"""The ledger's own raw connections: no ORM, one statement for each group.

Statements are written with `?`; the few that differ between the databases are here.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import psycopg

from bailiwick.kit.db import Storage, postgres, sqlite
from bailiwick.kit.db.storage import sqlite_path
from bailiwick.kit.ledger.rows import FIELDS, LedgerUnwritable, RowValues

FAILURES = (sqlite.sqlcipher.Error, psycopg.Error, OSError)
_INSERT = f"INSERT INTO ledger ({', '.join(FIELDS)}) VALUES ({', '.join('?' * len(FIELDS))})"  # noqa: S608
_SLOTS = 10_000
# A machine that lost power closes no connection: its slot is free after so many seconds of silence,
# and then so many unanswered questions, so many seconds apart.
_KEEPALIVES = {"idle": 5, "count": 3, "interval": 2}


class LedgerConnection(Protocol):
    """What the writer and the verifier need of a database."""

    moment: str  # the SQL expression that gives `at` in its hashed form
    goes_stale: bool  # whether the server may have closed it since its last use

    def take_slot(self, preferred: int | None) -> int:
        """Take a chain that nobody else appends to while this connection lives."""
        ...

    def free_slot(self) -> None:
        """Release the chain at once; nothing is appended from here any more."""
        ...

    def begin(self) -> None:
        """Begin a writing transaction."""
        ...

    def begin_snapshot(self) -> None:
        """Begin a transaction on one snapshot."""
        ...

    def alone(self) -> None:
        """Exclude other makers of checkpoints until the transaction ends."""
        ...

    def insert(self, rows: Sequence[RowValues]) -> None:
        """Add rows."""
        ...

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """Run a statement."""
        ...

    def commit(self) -> None:
        """Commit durably."""
        ...

    def rollback(self) -> None:
        """Roll the transaction back."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


Connect = Callable[[], LedgerConnection]


def connector(storage: Storage) -> Connect:
    """How to connect to the audit store of these stores."""
    url = storage.url
    return (lambda: OnPostgresql(url)) if url else (lambda: OnSqlite(storage))


class OnSqlite:
    """A connection to the SQLite file, which one process owns."""

    moment = "at"
    goes_stale = False

    def __init__(self, storage: Storage) -> None:
        path = sqlite_path(storage.folder, "audit")
        self._raw = sqlite.connect(path, storage.key, synchronous="FULL")
        # Invalid UTF-8 that somebody wrote must not stop the verification of the rest.
        self._raw.text_factory = _text

    def take_slot(self, preferred: int | None) -> int:
        """Always the first slot: there is only this process."""
        return preferred or 1

    def free_slot(self) -> None:
        """Do nothing: no other process wants it."""

    def begin(self) -> None:
        """Take the write lock at once."""
        self._raw.execute("BEGIN IMMEDIATE")

    def begin_snapshot(self) -> None:
        """Begin a deferred transaction; its first read fixes the snapshot."""
        self._raw.execute("BEGIN")

    def alone(self) -> None:
        """Do nothing: a writing transaction is alone."""

    def insert(self, rows: Sequence[RowValues]) -> None:
        """Insert all rows in one statement."""
        self._raw.executemany(_INSERT, rows)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """Run a statement and fetch its rows."""
        return self._raw.execute(statement, tuple(values)).fetchall()

    def commit(self) -> None:
        """Commit, synced to the disk."""
        self._raw.execute("COMMIT")

    def rollback(self) -> None:
        """Roll back, if there is a transaction."""
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def close(self) -> None:
        """Close; an open transaction is rolled back."""
        self._raw.close()


class OnPostgresql:
    """A connection to PostgreSQL, which several processes share."""

    moment = "to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
    goes_stale = True

    def __init__(self, url: str) -> None:
        self._raw = postgres.connect_now(url)
        try:
            self._prepare()
        except BaseException:
            self._raw.close()
            raise

    def _prepare(self) -> None:
        self.execute("SET search_path TO audit")
        self.execute("SET TIME ZONE 'UTC'")
        # A commit must be on disk when it returns, whatever the server's settings.
        self.execute(
            "SELECT set_config('synchronous_commit', 'on', false) "
            "WHERE current_setting('synchronous_commit') = 'off'"
        )
        for name, value in _KEEPALIVES.items():
            self.execute(f"SET tcp_keepalives_{name} = {value}")
        self._raw.commit()

    def take_slot(self, preferred: int | None) -> int:
        """Take the lowest slot with a free lock."""
        for slot in [preferred] if preferred else range(1, _SLOTS):
            ((taken,),) = self.execute(
                "SELECT pg_try_advisory_lock(?)", (_lock(f"ledger slot {slot}"),)
            )
            if taken:
                return slot
        raise LedgerUnwritable("Another process appends to this chain of the audit.")

    def free_slot(self) -> None:
        """Release the lock before the server notices that the connection is closed."""
        self.execute("SELECT pg_advisory_unlock_all()")

    def begin(self) -> None:
        """Do nothing: the first statement begins the transaction."""

    def begin_snapshot(self) -> None:
        """Begin a repeatable read, so that all reads see one moment."""
        self.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def alone(self) -> None:
        """Wait until other processes have made their checkpoints."""
        self.execute("SELECT pg_advisory_xact_lock(?)", (_lock("ledger checkpoint"),))

    def insert(self, rows: Sequence[RowValues]) -> None:
        """Insert all rows in one round trip."""
        with self._raw.cursor() as cursor:
            cursor.executemany(_marked(_INSERT), rows)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """Run a statement and fetch its rows."""
        cursor = self._raw.execute(_marked(statement), tuple(values))
        return cursor.fetchall() if cursor.description else []

    def commit(self) -> None:
        """Commit, synced by the server."""
        self._raw.commit()

    def rollback(self) -> None:
        """Roll the transaction back."""
        self._raw.rollback()

    def close(self) -> None:
        """Close; the server frees the slot a moment later, if it is still held."""
        self._raw.close()


def batches(
    connection: LedgerConnection, statement: str, start: int, *, size: int = 2_000
) -> Iterator[RowValues]:
    """Rows in the order of their first column, after `start`, in batches."""
    while rows := connection.execute(f"{statement} LIMIT {size}", (start,)):
        yield from rows
        start = rows[-1][0]


def _text(value: bytes) -> str:
    return value.decode(errors="replace")


def _marked(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()


def _lock(name: str) -> int:
    digest = hashlib.sha256(f"bailiwick {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
