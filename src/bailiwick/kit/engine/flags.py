"""Flags that stop running work: raised in a transaction, seen by the steps of every process."""

import asyncio
import time
from collections import OrderedDict, defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from math import inf

from sqlalchemy import String, delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit import clock
from bailiwick.kit.db import Base, Instant, Storage, UtcDateTime
from bailiwick.kit.eventlog import Event, Recorded, record

RAISED = "flag.raised"
_REMEMBERED = 10_000


class FlagRow(Base):
    """A raised flag."""

    __tablename__ = "flags"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    raised_at: Mapped[Instant]
    until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Stopped(Exception):
    """A watched flag is up."""


async def hoist(session: AsyncSession, name: str, *, keep: timedelta | None = None) -> None:
    """Raise a flag; blocks that watch it stop when this commits."""
    now = clock.now()
    await session.merge(FlagRow(name=name, raised_at=now, until=now + keep if keep else None))
    # No audience: only processes follow it.
    record(session, Event(RAISED, audience=(), subject_id=name))


async def lower(session: AsyncSession, name: str) -> None:
    """Lower a flag."""
    await session.execute(delete(FlagRow).where(FlagRow.name == name))


async def forget_expired(session: AsyncSession) -> None:
    """Remove flags with a time limit that has passed."""
    await session.execute(delete(FlagRow).where(FlagRow.until < clock.now()))


class _Watch:
    """One block that watches a flag; like a timeout, it claims only its own cancellation."""

    __slots__ = ("_before", "_task", "stopped")

    def __init__(self, task: asyncio.Task[object]) -> None:
        self._task = task
        self._before = task.cancelling()
        self.stopped = False

    def stop(self) -> None:
        """Cancel the block; a second call has no effect."""
        if not self.stopped:
            self.stopped = True
            self._task.cancel()

    def is_mine(self) -> bool:
        """Whether the cancellation that ends the block is ours alone."""
        return self.stopped and self._task.uncancel() <= self._before


class Flags:
    """The watched flags of this process."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._watching: defaultdict[str, set[_Watch]] = defaultdict(set)
        # When this process saw each raised, the latest last.
        self._heard: OrderedDict[str, float] = OrderedDict()

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Stop the blocks that watch a flag which was raised in any process."""
        for event in batch:
            if event.type == RAISED and event.subject_id:
                self._hear(event.subject_id)
                for watch in self._watching.get(event.subject_id, ()):
                    watch.stop()

    @asynccontextmanager
    async def watched(self, name: str, *, since: float | None = None) -> AsyncGenerator[None]:
        """Run the block unless the flag is up, and leave it with `Stopped` when it is raised.

        A caller that knows when it was down (`time.monotonic`) spares the database a query.
        """
        task = asyncio.current_task()
        assert task
        watch = _Watch(task)
        self._watching[name].add(watch)
        try:
            was_raised = self._was_raised(name, since) if since else await self.is_up(name)
            if was_raised:
                raise Stopped(name)
            yield
        except asyncio.CancelledError:
            if watch.is_mine():
                raise Stopped(name) from None
            raise
        finally:
            self._watching[name].discard(watch)
            if not self._watching[name]:
                del self._watching[name]

    def _hear(self, name: str) -> None:
        self._heard[name] = time.monotonic()
        self._heard.move_to_end(name)
        if len(self._heard) > _REMEMBERED:
            self._heard.popitem(last=False)

    def _was_raised(self, name: str, since: float) -> bool:
        return self._heard.get(name, -inf) >= since

    async def is_up(self, name: str) -> bool:
        """Whether a flag is up."""
        async with self._storage.app.read() as session:
            return await session.get(FlagRow, name) is not None
