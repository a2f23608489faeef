"""The ledger's own raw connections: no ORM, one statement a group.

Statements are written with `?`; the few words that differ between the databases are here.
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


class LedgerConnection(Protocol):
    """What the writer and the verifier need of a database."""

    moment: str  # the SQL that gives `at` in the form that is hashed
    goes_stale: bool  # whether it may have been cut since it was last used

    def take_slot(self, preferred: int | None) -> int:
        """A chain that nobody else appends to while this connection lives."""
        ...

    def free_slot(self) -> None:
        """Let another have the chain at once; nothing is appended from here any more."""
        ...

    def begin(self) -> None:
        """Start a transaction that writes."""
        ...

    def begin_snapshot(self) -> None:
        """Start a transaction that sees one moment."""
        ...

    def alone(self) -> None:
        """Let no other process make a checkpoint until the transaction ends."""
        ...

    def insert(self, rows: Sequence[RowValues]) -> None:
        """Add rows."""
        ...

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """Run a statement."""
        ...

    def commit(self) -> None:
        """Return when it is durable."""
        ...

    def rollback(self) -> None:
        """Undo the transaction."""
        ...

    def close(self) -> None:
        """End."""
        ...


Connect = Callable[[], LedgerConnection]


def connector(storage: Storage) -> Connect:
    """How to connect to the audit store of these stores."""
    url = storage.url
    return (lambda: OnPostgresql(url)) if url else (lambda: OnSqlite(storage))


class OnSqlite:
    """One file, one process."""

    moment = "at"
    goes_stale = False

    def __init__(self, storage: Storage) -> None:
        path = sqlite_path(storage.folder, "audit")
        self._raw = sqlite.connect(path, storage.key, synchronous="FULL")
        # Text that someone put there and that is none must not stop the check of the rest.
        self._raw.text_factory = _text

    def take_slot(self, preferred: int | None) -> int:
        """There is only this process: always the first."""
        return preferred or 1

    def free_slot(self) -> None:
        """Nobody else wants it."""

    def begin(self) -> None:
        """Take the write lock at once."""
        self._raw.execute("BEGIN IMMEDIATE")

    def begin_snapshot(self) -> None:
        """What was committed by the first read."""
        self._raw.execute("BEGIN")

    def alone(self) -> None:
        """A transaction that writes is alone."""

    def insert(self, rows: Sequence[RowValues]) -> None:
        """One statement for all."""
        self._raw.executemany(_INSERT, rows)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """What it found."""
        return self._raw.execute(statement, tuple(values)).fetchall()

    def commit(self) -> None:
        """Synced to the disk."""
        self._raw.execute("COMMIT")

    def rollback(self) -> None:
        """If there is a transaction."""
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def close(self) -> None:
        """The transaction goes with it."""
        self._raw.close()


class OnPostgresql:
    """One of several processes."""

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
        # An answer must mean that it is on disk, however the server is set.
        self.execute(
            "SELECT set_config('synchronous_commit', 'on', false) "
            "WHERE current_setting('synchronous_commit') = 'off'"
        )
        # A machine that lost its power closes no connection: let its slot be free soon.
        for name, value in (("idle", 5), ("interval", 2), ("count", 3)):
            self.execute(f"SET tcp_keepalives_{name} = {value}")
        self._raw.commit()

    def take_slot(self, preferred: int | None) -> int:
        """The lowest slot whose lock is free."""
        for slot in [preferred] if preferred else range(1, _SLOTS):
            ((taken,),) = self.execute(
                "SELECT pg_try_advisory_lock(?)", (_lock(f"ledger slot {slot}"),)
            )
            self._raw.commit()
            if taken:
                return slot
        raise LedgerUnwritable("Another process appends to this chain of the audit.")

    def free_slot(self) -> None:
        """Before the server has noticed that this connection is closed."""
        self._raw.rollback()
        self.execute("SELECT pg_advisory_unlock_all()")
        self._raw.commit()

    def begin(self) -> None:
        """The first statement begins it."""

    def begin_snapshot(self) -> None:
        """One moment for all reads."""
        self.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def alone(self) -> None:
        """Wait for others' checkpoints to be done."""
        self.execute("SELECT pg_advisory_xact_lock(?)", (_lock("ledger checkpoint"),))

    def insert(self, rows: Sequence[RowValues]) -> None:
        """One round trip for all."""
        with self._raw.cursor() as cursor:
            cursor.executemany(_marked(_INSERT), rows)

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[RowValues]:
        """What it found."""
        cursor = self._raw.execute(_marked(statement), tuple(values))
        return cursor.fetchall() if cursor.description else []

    def commit(self) -> None:
        """Synced by the server."""
        self._raw.commit()

    def rollback(self) -> None:
        """As the driver does."""
        self._raw.rollback()

    def close(self) -> None:
        """The slot is free a moment later, if it was not freed before."""
        self._raw.close()


def batches(
    connection: LedgerConnection, statement: str, start: int, *, size: int = 2_000
) -> Iterator[RowValues]:
    """Rows in the order of their first column, from beyond `start`, a batch at a time."""
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
