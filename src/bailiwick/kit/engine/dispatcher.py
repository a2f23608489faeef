"""The dispatcher: begins jobs from committed events, each under an id derived from its event.

The event row is the outbox. If the process dies between beginning a job and recording its position,
the job is begun again under the same id, which has no effect.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import correlation
from bailiwick.kit.db import Storage
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.models import ReaderRow

log = structlog.stdlib.get_logger("bailiwick.dispatcher")
_BATCH = 100
_LOOK_SECONDS = 10.0
_RETRY_SECONDS = 1.0
_NAME = "dispatcher"


@dataclass(frozen=True, slots=True)
class Wake:
    """Which events begin which job."""

    job: str
    wants: Callable[[AsyncSession, Sequence[Recorded]], Awaitable[set[int]]]
    # The subject of the job: it begins once for each, not once for each event.
    key: Callable[[Recorded], str] = lambda event: event.id
    # The job's input, and the partition within which only so many run at a time.
    arguments: Callable[[Recorded], tuple[Any, ...]] = lambda event: (event.position,)
    partition: Callable[[Recorded], str | None] = lambda _: None
    # The delay; None: at once.
    delay: Callable[[Recorded], timedelta | None] = lambda _: None


class Dispatcher:
    """Reads the log from its last position, while this process leads."""

    def __init__(self, storage: Storage, engine: Engine, routes: Sequence[Wake]) -> None:
        self._storage = storage
        self._engine = engine
        self._routes = routes
        self._woken = asyncio.Event()

    def follow(self, _: Sequence[Recorded]) -> None:
        """Wake up: there are new events."""
        self._woken.set()

    async def run(self, leads: asyncio.Event) -> None:
        """Dispatch until cancelled, while this process leads."""
        while True:
            await leads.wait()
            try:
                self._woken.clear()
                while leads.is_set() and await self._dispatch():
                    pass
                async with asyncio.timeout(_LOOK_SECONDS):
                    await self._woken.wait()
            except TimeoutError:
                continue
            except (SQLAlchemyError, OSError) as error:
                log.warning("events wait for the database", reason=str(error).splitlines()[0])
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:
                log.exception("events could not be dispatched; trying again")
                await asyncio.sleep(_RETRY_SECONDS)

    async def _dispatch(self) -> bool:
        async with self._storage.app.read() as session:
            reader = await session.get(ReaderRow, _NAME)
            events = await eventlog.after(session, reader.position if reader else 0, limit=_BATCH)
            woken = [(route, await route.wants(session, events)) for route in self._routes]
        if not events:
            return False
        for event in events:
            correlation.begin(correlation=event.trace_id)
            for route, positions in woken:
                if event.position in positions:
                    await self._engine.begin(
                        route.job,
                        *route.arguments(event),
                        id=f"{route.job}:{route.key(event)}",
                        partition=route.partition(event),
                        delay=route.delay(event),
                    )
        async with self._storage.app.write() as session:
            await session.merge(ReaderRow(name=_NAME, position=events[-1].position))
        return True
