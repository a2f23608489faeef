"""The tail: each process reads new events once and passes them to all followers."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.bus import Bus, stopped
from bailiwick.kit.eventlog.log import Recorded

_BATCH = 500
# Covers a lost wake-up only: usually the bus wakes it.
_LOOK_SECONDS = 10.0
_RETRY_SECONDS = 1.0
TailFollower = Callable[[Sequence[Recorded]], None]
log = structlog.stdlib.get_logger("bailiwick.tail")


class Tail:
    """The log position of this process; followers are called in order, and must not wait."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._followers: list[TailFollower] = []
        self._woken = asyncio.Event()
        self.position = 0

    def follow(self, follower: TailFollower) -> None:
        """Call this follower with every batch of events."""
        self._followers.append(follower)

    def wake(self, _: str = "") -> None:
        """Wake up: there may be new events."""
        self._woken.set()

    async def run(self) -> None:
        """Read until cancelled; a database that is away only causes a delay."""
        while True:
            try:
                self._woken.clear()
                while await self._read():
                    pass
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                continue
            except (SQLAlchemyError, OSError) as error:
                log.warning("the event log cannot be read now", reason=str(error).splitlines()[0])
                await asyncio.sleep(_RETRY_SECONDS)

    async def catch_up(self) -> None:
        """Start at the end of the log."""
        async with self._storage.app.read() as session:
            self.position = (await eventlog.bounds(session))[1]

    async def _read(self) -> bool:
        async with self._storage.app.read() as session:
            batch = await eventlog.after(session, self.position, limit=_BATCH)
        if not batch:
            return False
        self.position = batch[-1].position
        for follower in self._followers:
            try:
                follower(batch)
            except Exception:
                log.exception("a follower of the event log failed")
        return True


@asynccontextmanager
async def followed(storage: Storage, bus: Bus) -> AsyncGenerator[Tail]:
    """A tail that reads for as long as the block runs."""
    tail = Tail(storage)
    bus.on(eventlog.CHANNEL, tail.wake)
    await tail.catch_up()
    reading = asyncio.create_task(tail.run())
    try:
        yield tail
    finally:
        await stopped(reading)
