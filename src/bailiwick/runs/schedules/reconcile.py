"""Keeps the engine's schedules what the table says: at the start, and after every change."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import structlog

from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.runs.schedules import repository, service
from bailiwick.runs.schedules.due import due
from bailiwick.runs.schedules.models import Schedule

log = structlog.stdlib.get_logger("bailiwick.schedules")
DUE = "run.due"
_FOLLOWED = (service.CREATED, service.CHANGED, service.REMOVED)


class ScheduleReconciler:
    """The schedules of this office in the engine of this process."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._engine = office.engine
        # One after the other: what was read first must not be applied last.
        self._turn = asyncio.Lock()
        self._applying: set[asyncio.Task[None]] = set()

    async def due(self, id: str, moment: str) -> str:
        """Start what is due."""
        return await patiently(due, self._office, id, datetime.fromisoformat(moment))

    async def reconcile(self) -> None:
        """Take on what the table has, and drop what it has not; make up for what was missed."""
        async with self._turn:
            async with self._office.storage.app.read() as session:
                rows = {row.id: row for row in await repository.all_enabled(session)}
            for id in {*rows, *await self._engine.scheduled(DUE)}:
                await self._set(id, rows.get(id))

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of what was changed."""
        changed = {event.subject_id for event in batch if event.type in _FOLLOWED}
        # Before it runs there is nothing to bring up to date: the start reads all of them.
        for id in changed if self._engine.running else ():
            if id:
                task = asyncio.create_task(self._apply(id))
                self._applying.add(task)
                task.add_done_callback(self._applying.discard)

    async def _apply(self, id: str) -> None:
        try:
            async with self._turn:
                await patiently(self._read_and_set, id)
        except Exception:
            log.exception("a schedule could not be applied", schedule=id)

    async def _read_and_set(self, id: str) -> None:
        async with self._office.storage.app.read() as session:
            row = await session.get(Schedule, id)
        await self._set(id, row if row and row.enabled else None)

    async def _set(self, id: str, row: Schedule | None) -> None:
        if row is None:
            await self._engine.schedule(DUE, None, about=id)
            return
        since = max(row.since, row.last_due_at or row.since)
        await self._engine.schedule(DUE, row.due, about=id, catch_up=since)
