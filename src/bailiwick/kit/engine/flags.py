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


class Flags:
    """What this process watches."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._watching: defaultdict[str, set[asyncio.Task[object]]] = defaultdict(set)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Stop those who watch a flag that was raised somewhere."""
        for event in batch:
            if event.type == RAISED and event.subject_id:
                for task in self._watching.get(event.subject_id, ()):
                    task.cancel()

    @asynccontextmanager
    async def watched(self, name: str) -> AsyncGenerator[None]:
        """Run the block unless the flag is up, and leave it with `Stopped` when it goes up."""
        task = asyncio.current_task()
        assert task
        waiting = task.cancelling()
        self._watching[name].add(task)
        try:
            if await self.is_up(name):
                raise Stopped(name)
            yield
        except asyncio.CancelledError:
            # Ours only if the flag is up; a cancellation from elsewhere goes on.
            if task.cancelling() > waiting + 1 or not await self._stopped_by(task, name):
                raise
            raise Stopped(name) from None
        finally:
            self._watching[name].discard(task)
            if not self._watching[name]:
                del self._watching[name]

    async def is_up(self, name: str) -> bool:
        """Whether a flag is up."""
        async with self._storage.app.read() as session:
            return await session.get(FlagRow, name) is not None

    async def _stopped_by(self, task: asyncio.Task[object], name: str) -> bool:
        task.uncancel()
        if await self.is_up(name):
            return True
        task.cancel()
        return False
