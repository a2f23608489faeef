"""Puts the digests of new records into the ledger, after their commit and off its way."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BailiwickError
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger.ledger import Ledger
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.ledger.records.table import SEAL, Hasher, RecordTable, added_in, digest, said

log = structlog.stdlib.get_logger("bailiwick.ledger")
RECORD = "record"  # the phase of a line that holds a digest
NOBODY = "-"  # in the place of an owner: the line is no call, and in nobody's list
_GATHER_SECONDS = 0.1
_AGAIN_SECONDS = 10.0
_BATCH = 500
LATE = timedelta(minutes=1)
_FAILURES = (SQLAlchemyError, BailiwickError, OSError)


class Recorder:
    """Follows the commits of this process, and looks now and then for what others left."""

    def __init__(
        self, storage: Storage, ledger: Ledger, hasher: Hasher, tables: Sequence[RecordTable]
    ) -> None:
        self._storage = storage
        self._ledger = ledger
        self._hasher = hasher
        self._tables = tables
        self._new: dict[str, set[str]] = {table.name: set() for table in tables}
        self._woken = asyncio.Event()
        self._closing = asyncio.Event()
        self._alone = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> "AsyncGenerator[Recorder]":
        """Put in what was left, and then what comes, while the block runs."""
        for table in self._tables:
            self._storage[table.store].after_commit.append(self._heard)
        working = asyncio.create_task(self._work())
        try:
            yield self
        finally:
            # Not cancelled: a connection that is just being opened would stay open.
            self._closing.set()
            self._woken.set()
            await working
            for table in self._tables:
                self._storage[table.store].after_commit.remove(self._heard)
            try:
                await self.flush()
            except _FAILURES as error:
                log.warning("records are chained at the next start", reason=str(error))

    async def flush(self) -> None:
        """Put in what this process has committed so far."""
        async with self._alone:
            for table in self._tables:
                waiting, self._new[table.name] = self._new[table.name], set()
                try:
                    await self._chain(table, waiting)
                except BaseException:
                    self._new[table.name] |= waiting
                    raise

    async def catch_up(self) -> int:
        """Put in what a killed process, or a command without a server, has left; how many."""
        async with self._alone:
            content = await self._ledger.said()
            since = _moment(content.since)
            if not content.records:
                await seal_all(self._storage, self._hasher, self._tables)
            left = 0
            for table in self._tables:
                async for ids in self._unchained(table, since):
                    if self._closing.is_set():
                        return left
                    left += await self._chain(table, ids)
                    self._new[table.name].difference_update(ids)
            if not content.records:
                await self._ledger.cover_records()
        return left

    def _heard(self, session: AsyncSession) -> None:
        for table in self._tables:
            if ids := added_in(session, table.model):
                self._new[table.name].update(ids)
                self._woken.set()

    async def _work(self) -> None:
        work = self.catch_up
        while not self._closing.is_set():
            try:
                await work()
            except _FAILURES as error:
                log.warning("records could not be chained; trying again", reason=str(error))
                await self._rest(_AGAIN_SECONDS)
                continue
            work = self.flush
            await self._woken.wait()
            # Those that come at nearly the same time share a transaction.
            await self._rest(_GATHER_SECONDS)
            self._woken.clear()

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)

    async def _chain(self, table: RecordTable, ids: Iterable[str]) -> int:
        rows = await self._rows(table, list(ids))
        # One whose seal does not fit was not made here: `verify` names it.
        rows = [row for row in rows if row.seal == self._hasher(said(row))]
        if rows:
            # A digest must never be on disk before its row.
            await self._storage[table.store].flush()
            await asyncio.gather(*(self._ledger.append(_line(table, row)) for row in rows))
        return len(rows)

    async def _rows(self, table: RecordTable, ids: Sequence[str]) -> list[Any]:
        rows = list[Any]()
        for start in range(0, len(ids), _BATCH):
            chosen = table.model.id.in_(ids[start : start + _BATCH])
            async with self._storage[table.store].read() as session:
                rows += await session.scalars(select(table.model).where(chosen))
        return rows

    async def _unchained(
        self, table: RecordTable, since: datetime | None
    ) -> AsyncIterator[list[str]]:
        """The ids of rows without a digest, but for those whose digest was let go as old."""
        model, after = table.model, ""
        while True:
            statement = select(model.id).where(model.id > after).order_by(model.id).limit(_BATCH)
            if since:
                statement = statement.where(model.at >= since)
            async with self._storage[table.store].read() as session:
                ids = list(await session.scalars(statement))
            if not ids:
                return
            known = select(Row.call_id).where(Row.call_id.in_(ids))
            async with self._storage.audit.read() as session:
                chained = set(await session.scalars(known))
            if left := [id for id in ids if id not in chained]:
                yield left
            after = ids[-1]


async def seal_all(
    storage: Storage, hasher: Hasher, tables: Iterable[RecordTable], *, anew: bool = False
) -> None:
    """Seal rows that were made without seals; all of them `anew` if the hasher's key was lost."""
    for table in tables:
        model, after = table.model, ""
        chosen = select(model).order_by(model.id).limit(_BATCH)
        if not anew:
            chosen = chosen.where(getattr(model, SEAL).is_(None))
        while True:
            async with storage[table.store].write() as session:
                rows = (await session.scalars(chosen.where(model.id > after))).all()
                for row in rows:
                    row.seal = hasher(said(row))
            if not rows:
                break
            after = rows[-1].id


def _line(table: RecordTable, row: Any) -> dict[str, Any]:
    line = {
        "call_id": row.id,
        "owner_id": NOBODY,
        "phase": RECORD,
        "record": table.name,
        "digest": digest(said(row)),
    }
    return line | ({"late": True} if clock.now() - row.at > LATE else {})


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None
