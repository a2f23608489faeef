"""The one thread that appends: all waiting entries go into one transaction.

The chain's head moves only when a transaction is durable. After any failure the connection is
dropped and the head is read again, so that a row with a doubtful commit is neither lost nor written
twice.
"""

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

import structlog

from bailiwick.kit import clock
from bailiwick.kit.ledger import checkpoints
from bailiwick.kit.ledger.connections import FAILURES, Connect, LedgerConnection
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.rows import (
    Head,
    LedgerEntry,
    LedgerUnwritable,
    RowValues,
    chain_name,
    linked,
    moment,
)

log = structlog.stdlib.get_logger("bailiwick.ledger")
_GROUP = 1_000
# Called with None when the entries are durable, or with the reason why they are not.
Done = Callable[[LedgerUnwritable | None], None]


class Writer:
    """Appends to one chain."""

    def __init__(self, connect: Connect, ring: Ring, *, slot: int | None = None) -> None:
        self.ring = ring
        self.slot = 0
        self.head = Head()
        self._connect = connect
        self._preferred = slot
        self._connection: LedgerConnection | None = None
        self._waiting: SimpleQueue[
            tuple[Sequence[LedgerEntry], Done] | Callable[[], None] | None
        ] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Write waiting entries, and end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def put(self, entries: Sequence[LedgerEntry], done: Done) -> None:
        """Append entries, and call back."""
        self._waiting.put((entries, done))

    def do(self, work: Callable[[], None]) -> None:
        """Run a function on the writer's thread, between two groups; it must not raise."""
        self._waiting.put(work)

    @property
    def connection(self) -> LedgerConnection:
        """The open connection, with the slot taken and the head known."""
        if self._connection is None:
            self._connection = self._opened()
        return self._connection

    def drop(self) -> None:
        """Drop the connection; the next use opens another."""
        connection, self._connection = self._connection, None
        if connection:
            try:
                connection.close()
            except FAILURES as error:
                log.debug("a broken connection could not be closed", reason=str(error))

    def _run(self) -> None:
        while (item := self._waiting.get()) is not None:
            if callable(item):
                item()
                continue
            groups, after = self._gathered(item)
            self._write_groups(groups)
            if after is None:
                break
            if callable(after):
                after()
        self._leave()

    def _leave(self) -> None:
        """Release the chain for the next process."""
        if self._connection:
            try:
                self._connection.free_slot()
            except FAILURES as error:
                log.debug("the chain could not be given back", reason=str(error))
        self.drop()

    def _gathered(self, first: tuple[Sequence[LedgerEntry], Done]) -> tuple[list[Any], Any]:
        """All waiting entries, up to the next function."""
        groups, count = [first], len(first[0])
        while count < _GROUP and not self._waiting.empty():
            item = self._waiting.get()
            if not isinstance(item, tuple):
                return groups, item
            groups.append(item)
            count += len(item[0])
        return groups, ()

    def _write_groups(self, groups: Sequence[tuple[Sequence[LedgerEntry], Done]]) -> None:
        failure = None
        try:
            self._append([entry for entries, _ in groups for entry in entries])
        except LedgerUnwritable as error:
            failure = error
        except Exception as error:
            # Callers must be called back after any failure.
            log.exception("the ledger could not be written")
            failure = unwritable(error)
        if failure:
            self.drop()
        for _, done in groups:
            done(failure)

    def _append(self, entries: Sequence[LedgerEntry]) -> None:
        rows = self._inserted(entries)
        try:
            self.connection.commit()
        except FAILURES as error:
            self.drop()
            if not self._landed(rows[-1]):
                raise unwritable(error) from error
        else:
            self.head = Head(rows[-1][2], rows[-1][7])

    def _inserted(self, entries: Sequence[LedgerEntry]) -> list[RowValues]:
        try:
            return self._insert(entries)
        except FAILURES as error:
            stale = self._connection is not None and self._connection.goes_stale
            self.drop()
            if not stale:
                raise unwritable(error) from error
        try:
            # Nothing was committed, so it can be tried on a connection that is alive.
            return self._insert(entries)
        except FAILURES as error:
            raise unwritable(error) from error

    def _insert(self, entries: Sequence[LedgerEntry]) -> list[RowValues]:
        connection = self.connection
        connection.begin()
        head, at, rows = self.head, moment(clock.now()), list[RowValues]()
        for entry in entries:
            row = linked(self.ring, self.slot, head, at, entry)
            head = Head(row[2], row[7])
            rows.append(row)
        connection.insert(rows)
        return rows

    def _landed(self, row: RowValues) -> bool:
        try:
            found = self.connection.execute("SELECT hash FROM ledger WHERE id = ?", (row[0],))
            self.connection.rollback()
        except FAILURES:
            return False
        return bool(found) and bytes(found[0][0]) == row[7]

    def _opened(self) -> LedgerConnection:
        connection = self._connect()
        try:
            slot = connection.take_slot(self._preferred)
            head = checkpoints.later(
                checkpoints.head_of(connection, slot), self._sealed(connection, slot)
            )
            connection.rollback()
        except BaseException:
            connection.close()
            raise
        if slot == self.slot and self.head.number > head.number:
            # Acknowledged rows are missing: the gap must stay visible.
            log.error("rows of the ledger have vanished", chain=chain_name(slot), after=head.number)
            head = self.head
        self.slot, self.head = slot, head
        return connection

    def _sealed(self, connection: LedgerConnection, slot: int) -> Head | None:
        last = checkpoints.last(connection)
        if last is None or not checkpoints.is_authentic(self.ring, last):
            return None
        return last.content.heads.get(chain_name(slot))


def unwritable(error: Exception) -> LedgerUnwritable:
    """The error for a caller, without the database's own message."""
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return LedgerUnwritable(
        f"The audit cannot be written, so nothing was done: {reason}. It goes on as soon as the "
        f"database can be written again."
    )
