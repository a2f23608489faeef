"""The bus: wakes waiting readers in this process and, on PostgreSQL, in all others.

It carries ids and short texts and stores nothing. What must not be lost is read from the event log;
the bus only says that the log has grown.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Protocol

import psycopg
import structlog
from psycopg.rows import TupleRow
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.db.postgres import LISTEN, NOTIFY, connect
from bailiwick.kit.eventlog import log as eventlog

# PostgreSQL refuses a payload of 8,000 bytes or more.
LONGEST = 7_900
_RETRY_SECONDS = 1.0
_CHECK_SECONDS = 10.0
Listener = Callable[[str], None]
log = structlog.stdlib.get_logger("bailiwick.bus")


class Bus(Protocol):
    """Channels by name; a listener gets each payload, and "" when it may have missed some."""

    def on(self, channel: str, listener: Listener) -> None:
        """Call this listener with everything that is sent to the channel."""
        ...

    async def send(self, channel: str, payload: str) -> None:
        """Send to all listeners of the channel, in every process."""
        ...


class LocalBus:
    """For SQLite, where one process owns the data."""

    def __init__(self) -> None:
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)

    def on(self, channel: str, listener: Listener) -> None:
        """Call this listener with everything that is sent to the channel."""
        self._listeners[channel].append(listener)

    async def send(self, channel: str, payload: str) -> None:
        """Send to all listeners of the channel."""
        self.notify(channel, payload)

    def notify(self, channel: str, payload: str) -> None:
        """Call all listeners at once; a failing one does not affect the others."""
        for listener in list(self._listeners[channel]):
            try:
                listener(payload)
            except Exception:
                log.exception("a listener failed", channel=channel)

    def missed(self) -> None:
        """Tell all listeners that they may have missed something."""
        for channel in list(self._listeners):
            self.notify(channel, "")


class PostgresBus(LocalBus):
    """One connection that listens, and one that sends."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._sender: psycopg.AsyncConnection[TupleRow] | None = None
        self._sending = asyncio.Lock()

    async def send(self, channel: str, payload: str) -> None:
        """Send to every process, this one included; lost while the database is away."""
        async with self._sending:
            try:
                if self._sender is None or self._sender.closed:
                    self._sender = await connect(self._url)
                await self._sender.execute(NOTIFY, (f"{channel} {payload}",))
            except (psycopg.Error, OSError) as error:
                log.warning("a transient message was lost", reason=str(error).strip())

    async def listen(self) -> None:
        """Listen until cancelled; after an interruption all listeners are told to read the log."""
        while True:
            try:
                async with await connect(self._url) as connection:
                    await connection.execute(LISTEN)
                    self.missed()
                    await self._forward(connection)
            except (psycopg.Error, OSError) as error:
                log.warning("the database does not answer; listening again", reason=str(error))
                await asyncio.sleep(_RETRY_SECONDS)

    async def _forward(self, connection: psycopg.AsyncConnection[TupleRow]) -> None:
        while True:
            # Bounded, so that a connection which died silently is noticed.
            async for note in connection.notifies(timeout=_CHECK_SECONDS):
                channel, _, payload = note.payload.partition(" ")
                self.notify(channel, payload)
            await connection.execute("SELECT 1")

    async def close(self) -> None:
        """Close the sending connection."""
        if self._sender is not None:
            await self._sender.close()


@asynccontextmanager
async def opened(storage: Storage) -> AsyncGenerator[Bus]:
    """The bus of this installation, woken by each commit that holds events."""
    bus = PostgresBus(storage.url) if storage.url else LocalBus()

    def wake(session: AsyncSession) -> None:
        if eventlog.recorded_in(session):
            bus.notify(eventlog.CHANNEL, "")

    storage.app.after_commit.append(wake)
    listening = asyncio.create_task(bus.listen()) if isinstance(bus, PostgresBus) else None
    try:
        yield bus
    finally:
        storage.app.after_commit.remove(wake)
        if listening and isinstance(bus, PostgresBus):
            await stopped(listening)
            await bus.close()


async def stopped(*tasks: asyncio.Task[Any]) -> None:
    """Cancel tasks and wait for their end, even if the caller is cancelled meanwhile."""
    for task in tasks:
        task.cancel()
    cut_short: asyncio.CancelledError | None = None
    while running := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(running)
        except asyncio.CancelledError as error:
            cut_short = error
    if cut_short:
        raise cut_short
    for task in tasks:
        if not task.cancelled():
            task.result()
