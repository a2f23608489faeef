"""The ledger: `append` returns when the row is durable, at its place in the chain."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import structlog

from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.ledger import keys, marks, start
from bailiwick.kit.ledger.anchor import Anchor
from bailiwick.kit.ledger.checkpoints import Checkpoint, CheckpointContent
from bailiwick.kit.ledger.connections import connector
from bailiwick.kit.ledger.file import NAME, CheckpointFile
from bailiwick.kit.ledger.keys import Ring
from bailiwick.kit.ledger.rows import LedgerEntry, LedgerUnwritable, chain_name, entry, moment
from bailiwick.kit.ledger.sealer import Sealer
from bailiwick.kit.ledger.writer import Writer, unwritable
from bailiwick.kit.vault import Vault

log = structlog.stdlib.get_logger("bailiwick.ledger")
_EVERY = timedelta(minutes=1)
T = TypeVar("T")


class Ledger:
    """Appends rows to this process's chain, and makes checkpoints of all chains."""

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        writer: Writer,
        file: CheckpointFile,
        anchors: Sequence[Anchor] = (),
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._writer = writer
        self._sealer = Sealer(writer, file)
        self._loop = asyncio.get_running_loop()
        self._waiting: list[tuple[LedgerEntry, asyncio.Future[None]]] = []
        self._closed = False
        self._sealing = asyncio.Lock()
        self._newest: Checkpoint | None = None
        self.anchors = list(anchors)

    @classmethod
    @asynccontextmanager
    async def opened(
        cls,
        storage: Storage,
        vault: Vault,
        *,
        slot: int | None = None,
        anchors: Sequence[Anchor] = (),
        every: timedelta = _EVERY,
    ) -> "AsyncGenerator[Ledger]":
        """Take a chain and append to it while the block runs."""
        ring = await keys.opened(storage, vault)
        writer = Writer(connector(storage), ring, slot=slot)
        ledger = cls(storage, vault, writer, CheckpointFile(checkpoint_path(storage)), anchors)
        writer.start()
        try:
            await ledger._begin(ring)
            sealing = asyncio.create_task(ledger._seal_now_and_then(every))
            try:
                yield ledger
            finally:
                sealing.cancel()
                await asyncio.gather(sealing, return_exceptions=True)
                await ledger._end()
        finally:
            await asyncio.to_thread(writer.stop)

    @property
    def chain(self) -> str:
        """The chain that this process appends to."""
        return chain_name(self._writer.slot)

    async def append(self, body: Mapping[str, Any]) -> None:
        """Return when the body is durable, or raise `LedgerUnwritable`.

        A cancelled caller changes nothing: the row is still written.
        """
        if self._closed:
            raise LedgerUnwritable("The audit is closed, so nothing was done.")
        item, written = entry(body), self._loop.create_future()
        if not self._waiting:
            # Callers that are ready in the same turn of the loop share one transaction.
            self._loop.call_soon(self._hand_over)
        self._waiting.append((item, written))
        await written

    async def seal(self) -> None:
        """Make a checkpoint now, if there is anything new."""
        await self._sealed(self._sealer.seal)

    async def said(self) -> CheckpointContent:
        """What the newest authentic checkpoint says."""
        return await self._on_thread(self._sealer.said)

    async def cover_records(self) -> None:
        """Declare that the digests of all records are in the chains from now on."""
        await self._sealed(self._sealer.cover_records)

    async def accept_restored(self, *, by: str) -> None:
        """Record for good that the database went back because a backup was restored."""
        await self._sealed(lambda: self._sealer.accept_restored(by), force=True)

    async def forget_before(self, when: datetime) -> int:
        """Remove rows sealed before that moment, and leave a signed note of it."""
        await self._sealed(lambda: self._sealer.raise_floor(moment(when)))
        removed = 0
        # In batches, so that appends get through in between.
        while some := await self._on_thread(self._sealer.remove_some):
            removed += some
        return removed

    def _hand_over(self) -> None:
        waiting, self._waiting = self._waiting, []
        written = [future for _, future in waiting]

        def done(failure: LedgerUnwritable | None) -> None:
            self._loop.call_soon_threadsafe(_settle, written, failure)

        self._writer.put([item for item, _ in waiting], done)

    async def _on_thread(self, work: Callable[[], T]) -> T:
        answer: asyncio.Future[T] = self._loop.create_future()

        def run() -> None:
            try:
                result = work()
            except LedgerUnwritable as error:
                self._loop.call_soon_threadsafe(_fail, answer, error)
            except Exception as error:
                log.exception("the ledger could not be sealed")
                self._writer.drop()
                self._loop.call_soon_threadsafe(_fail, answer, unwritable(error))
            else:
                self._loop.call_soon_threadsafe(_answer, answer, result)

        self._writer.do(run)
        return await answer

    async def _sealed(self, make: Callable[[], Checkpoint | None], *, force: bool = False) -> None:
        # One at a time: the other stores are never more than one checkpoint behind.
        async with self._sealing:
            if made := await self._on_thread(make):
                await marks.write(self._storage, made, force=force)
                self._newest = made
        # Also if nothing is new: the last attempt may have failed, or the file be another now.
        if self._newest:
            for anchor in self.anchors:
                await anchor.keep(self._newest, force=force)

    async def _seal_now_and_then(self, every: timedelta) -> None:
        while True:
            await asyncio.sleep(every.total_seconds())
            try:
                await keys.reseal(self._storage, self._vault)
                since = clock.now() - every / 2
                await self._sealed(lambda since=since: self._sealer.seal(unless_since=since))
            except Exception:
                log.exception("the audit could not be sealed; trying again")

    async def _begin(self, ring: Ring) -> None:
        # What is behind is about to be brought up to date, so it is written down first.
        for line in await start.found(self._storage, ring, self._sealer.file):
            await self.append(line)
        self._newest = await self._on_thread(self._sealer.newest)
        if self._newest:
            await marks.write(self._storage, self._newest)
        await self.seal()

    async def _end(self) -> None:
        self._closed = True
        if self._waiting:
            self._hand_over()
        try:
            await self.seal()
        except LedgerUnwritable as error:
            log.warning("the audit ends unsealed", reason=error.detail)


def checkpoint_path(storage: Storage) -> Path:
    """The file of checkpoints of an installation."""
    return storage.folder / NAME


def _settle(written: list[asyncio.Future[None]], failure: LedgerUnwritable | None) -> None:
    for future in written:
        if failure:
            _fail(future, failure)
        elif not future.done():
            future.set_result(None)


def _fail(future: asyncio.Future[Any], failure: LedgerUnwritable) -> None:
    if not future.done():
        # One exception for each waiter: a shared one would mix up their tracebacks.
        future.set_exception(LedgerUnwritable(failure.detail))


def _answer(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)
