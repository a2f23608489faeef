"""Makes checkpoints and removes old rows, on the writer's thread."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from itertools import islice

import structlog

from bailiwick.kit import clock
from bailiwick.kit.ledger import checkpoints
from bailiwick.kit.ledger.checkpoints import Checkpoint, CheckpointContent, later
from bailiwick.kit.ledger.connections import FAILURES, LedgerConnection
from bailiwick.kit.ledger.file import CheckpointFile
from bailiwick.kit.ledger.rows import GENESIS, Head, chain_name, moment, row_id, slot_of
from bailiwick.kit.ledger.writer import Writer, unwritable

log = structlog.stdlib.get_logger("bailiwick.ledger")
_BATCH = 5_000
_LINES = 1_000
Make = Callable[[LedgerConnection, Checkpoint | None], CheckpointContent | None]


class Sealer:
    """Signs the heads of all chains, into the file and into the database."""

    def __init__(self, writer: Writer, file: CheckpointFile) -> None:
        self._writer = writer
        self.file = self._file = file

    def seal(self, *, unless_since: datetime | None = None) -> Checkpoint | None:
        """Make a checkpoint, if there is anything new and nobody made one since that moment."""

        def make(connection: LedgerConnection, last: Checkpoint | None) -> CheckpointContent | None:
            if last and unless_since and last.moment > unless_since:
                return None
            content = self._content(connection, last)
            return None if last and self._said(last).heads == content.heads else content

        return self._sealed(make)

    def accept_restored(self, by: str) -> Checkpoint | None:
        """Record that the database went back because a backup was restored."""

        def make(connection: LedgerConnection, last: Checkpoint | None) -> CheckpointContent:
            newest = self._file.last()
            accepts = newest.signature.hex() if newest else ""
            return replace(self._content(connection, last), accepts=accepts, by=by)

        return self._sealed(make)

    def cover_records(self) -> Checkpoint | None:
        """Declare that the digests of all records are in the chains from now on."""

        def make(connection: LedgerConnection, last: Checkpoint | None) -> CheckpointContent:
            return replace(self._content(connection, last), records=True)

        return self._sealed(make)

    def newest(self) -> Checkpoint | None:
        """The newest checkpoint of the database."""
        try:
            connection = self._writer.connection
            connection.begin()
            last = checkpoints.last(connection)
            connection.rollback()
        except FAILURES as error:
            self._writer.drop()
            raise unwritable(error) from error
        return last

    def said(self) -> CheckpointContent:
        """What the newest authentic checkpoint says."""
        return self._said(self.newest())

    def raise_floor(self, moment: str) -> Checkpoint | None:
        """Declare rows sealed before that moment forgotten; None if there are none."""

        def make(connection: LedgerConnection, last: Checkpoint | None) -> CheckpointContent | None:
            until = checkpoints.before(connection, moment)
            if last is None or until is None or until.number <= self._said(last).first:
                return None
            if not checkpoints.is_authentic(self._writer.ring, until):
                log.error("nothing is removed: a checkpoint was altered", number=until.number)
                return None
            content = self._content(connection, last)
            floor = until.content.heads
            return replace(content, floor=floor, first=until.number, since=until.at)

        return self._sealed(make)

    def remove_some(self) -> int:
        """Remove some of the rows declared forgotten; return how many."""
        try:
            connection = self._writer.connection
            connection.begin()
            removed = self._remove(connection, self._said(checkpoints.last(connection)))
            connection.commit()
        except FAILURES as error:
            self._writer.drop()
            raise unwritable(error) from error
        return removed

    def _remove(self, connection: LedgerConnection, content: CheckpointContent) -> int:
        for chain, head in content.floor.items():
            slot = slot_of(chain)
            until = row_id(slot, head.number)
            rows = connection.execute(
                "SELECT id FROM ledger WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
                (row_id(slot, 0), until, _BATCH),
            )
            if rows:
                bounds = (row_id(slot, 0), rows[-1][0])
                connection.execute("DELETE FROM ledger WHERE id > ? AND id <= ?", bounds)
                return len(rows)
        connection.execute("DELETE FROM ledger_checkpoints WHERE number < ?", (content.first,))
        return 0

    def _sealed(self, make: Make) -> Checkpoint | None:
        try:
            connection = self._writer.connection
            connection.begin()
            connection.alone()
            made = self._make(connection, make)
            connection.commit()
        except FAILURES as error:
            self._writer.drop()
            raise unwritable(error) from error
        return made

    def _make(self, connection: LedgerConnection, make: Make) -> Checkpoint | None:
        last = self._caught_up(connection, checkpoints.last(connection))
        content = make(connection, last)
        if content is None:
            return None
        made = checkpoints.signed(
            self._writer.ring,
            number=last.number + 1 if last else 1,
            at=moment(clock.now()),
            content=content,
            previous=last.signature if last else GENESIS,
        )
        self._file.append([made])
        checkpoints.insert(connection, made)
        return made

    def _content(self, connection: LedgerConnection, last: Checkpoint | None) -> CheckpointContent:
        """The present heads, never behind those sealed or acknowledged before."""
        said, heads = self._said(last), checkpoints.heads_of(connection)
        own = chain_name(self._writer.slot)
        known = {**said.heads, own: later(self._writer.head, said.heads.get(own))}
        for chain, head in known.items():
            if head.number:
                heads[chain] = later(heads.get(chain, Head()), head)
        return replace(said, heads=heads, accepts=None, by=None, marked=True)

    def _said(self, last: Checkpoint | None) -> CheckpointContent:
        """The content of the newest authentic checkpoint; altered ones are ignored."""
        for checkpoint in (last, self._file.last()):
            if checkpoint and checkpoints.is_authentic(self._writer.ring, checkpoint):
                return checkpoint.content
        return CheckpointContent(heads={})

    def _caught_up(
        self, connection: LedgerConnection, last: Checkpoint | None
    ) -> Checkpoint | None:
        """The newest checkpoint, after file and database are brought into agreement."""
        number, signature = (last.number, last.signature) if last else (0, GENESIS)
        newest = self._file.last()
        if newest and newest.number == number + 1 and newest.previous == signature:
            return self._adopted(connection, newest) or last
        if last and (newest is None or newest.number < last.number):
            log.warning("the checkpoint file lacks lines; they are added", until=last.number)
        stored = checkpoints.stored(connection, after=newest.number if newest else 0)
        while missing := list(islice(stored, _LINES)):
            self._file.append(missing)
        return last

    def _adopted(self, connection: LedgerConnection, newest: Checkpoint) -> Checkpoint | None:
        """A line that a crash kept out of the database; not one from after a restored backup."""
        if not checkpoints.is_authentic(self._writer.ring, newest):
            return None
        for chain, head in newest.content.heads.items():
            if not checkpoints.holds(connection, chain, head):
                return None
        checkpoints.insert(connection, newest)
        return newest
