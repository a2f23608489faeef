"""Scheduled upkeep: removal of expired data, and backups."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta

import structlog

from bailiwick.errors import BailiwickError
from bailiwick.feature import Tidy
from bailiwick.instance import repository as instance
from bailiwick.kit import clock
from bailiwick.kit.engine.engine import Queue
from bailiwick.kit.engine.jobs import step
from bailiwick.kit.engine.schedules import parse
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.operations import backup

log = structlog.stdlib.get_logger("bailiwick.upkeep")
QUEUE = Queue("upkeep", per_partition=1, per_process=2, poll_seconds=1.0)
_HOURLY = parse("17 * * * *", zone="UTC")
_JOBS_KEPT = timedelta(days=30)
_SCHEDULING = ("backup_schedule", "time_zone")
HOUSEKEEPING = "housekeeping"
BACKUP = "backup"


class Upkeep:
    """The scheduled jobs of an installation."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._engine = office.engine
        self._applying: set[asyncio.Task[None]] = set()

    async def apply_schedules(self) -> None:
        """Apply the settings to the engine's schedules."""
        settings = await self._office.changeable.current()
        async with self._office.storage.app.read() as session:
            since = (await instance.get(session)).created_at
        await self._engine.schedule(HOUSEKEEPING, _HOURLY, catch_up=since)
        await self._engine.schedule(BACKUP, settings.backup_timing, catch_up=since)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Apply the schedules again when one of their settings changed."""
        changed = {event.subject_id for event in batch if event.type == "settings.changed"}
        if self._engine.running and changed.intersection(_SCHEDULING):
            self._office.changeable.forget()
            task = asyncio.create_task(self._apply_again())
            self._applying.add(task)
            task.add_done_callback(self._applying.discard)

    async def tidy(self, _due: str) -> None:
        """Remove expired data, one kind in each step."""
        for tidy in (each for feature in self._office.features for each in feature.tidies):
            await step(tidy.name, self._tidied, tidy)
        await step("jobs", self._engine.forget_before, clock.now() - _JOBS_KEPT)

    async def back_up(self, due: str) -> None:
        """Make the due backup, unless one was made after its due time."""
        await step("back up", self._back_up, due)

    async def _tidied(self, tidy: Tidy) -> None:
        await tidy.tidy(self._office)

    async def _back_up(self, due: str) -> None:
        try:
            await backup.make(self._office, due=datetime.fromisoformat(due))
        except BailiwickError as error:
            log.error("the backup failed", reason=error.detail)  # noqa: TRY400
            await backup.emit_failed(self._office, error.detail)
            raise

    async def _apply_again(self) -> None:
        try:
            await self.apply_schedules()
        except Exception:
            log.exception("schedules could not be applied")
