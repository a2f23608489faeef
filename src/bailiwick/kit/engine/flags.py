"""Flags that stop work under way: raised in a transaction, seen by the steps of every process."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from sqlalchemy import String, delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit import clock
from bailiwick.kit.db import Base, Instant, Storage, UtcDateTime
from bailiwick.kit.eventlog import Event, Recorded, record

RAISED = "flag.raised"


class FlagRow(Base):
    """A flag that is up."""

    __tablename__ = "flags"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    raised_at: Mapped[Instant]
    until: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Stopped(Exception):
    """A flag was raised while, or before, something watched it."""


async def hoist(session: AsyncSession, name: str, *, keep: timedelta | None = None) -> None:
    """Put a flag up; whoever watches it stops as soon as this is committed."""
    now = clock.now()
    await session.merge(FlagRow(name=name, raised_at=now, until=now + keep if keep else None))
    # Nobody's to see: only processes follow it.
    record(session, Event(RAISED, audience=(), subject_id=name))


async def lower(session: AsyncSession, name: str) -> None:
    """Take a flag down again."""
    await session.execute(delete(FlagRow).where(FlagRow.name == name))


async def forget_expired(session: AsyncSession) -> None:
    """Drop flags that were put up for a time only."""
    await session.execute(delete(FlagRow).where(FlagRow.until < clock.now()))


class _Watch:
    """One block that watches a flag; as a timeout does, it only claims the cancellation it made."""

    __slots__ = ("_before", "_task", "stopped")

    def __init__(self, task: asyncio.Task[object]) -> None:
        self._task = task
        self._before = task.cancelling()
        self.stopped = False

    def stop(self) -> None:
        """Leave the block; said twice, it is the same as once."""
        if not self.stopped:
            self.stopped = True
            self._task.cancel()

    def is_mine(self) -> bool:
        """Whether the cancellation that ends the block is ours, and nobody else wants one too."""
        return self.stopped and self._task.uncancel() <= self._before


class Flags:
    """What this process watches."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._watching: defaultdict[str, set[_Watch]] = defaultdict(set)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Stop those who watch a flag that was raised somewhere."""
        for event in batch:
            if event.type == RAISED and event.subject_id:
                for watch in self._watching.get(event.subject_id, ()):
                    watch.stop()

    @asynccontextmanager
    async def watched(self, name: str, *, look: bool = True) -> AsyncGenerator[None]:
        """Run the block unless the flag is up, and leave it with `Stopped` when it goes up.

        Who looks by themselves, inside the block, for what raised it need not look twice.
        """
        task = asyncio.current_task()
        assert task
        watch = _Watch(task)
        self._watching[name].add(watch)
        try:
            if look and await self.is_up(name):
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

    async def is_up(self, name: str) -> bool:
        """Whether a flag is up."""
        async with self._storage.app.read() as session:
            return await session.get(FlagRow, name) is not None
