"""What the office does for itself, on a schedule: tidying up, and backups."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BailiwickError
from bailiwick.identity import sessions
from bailiwick.instance import repository as instance
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.engine import flags
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.jobs import step
from bailiwick.kit.engine.schedules import parse
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.http import idempotency, limits
from bailiwick.operations import backup
from bailiwick.runtime import Runtime

log = structlog.stdlib.get_logger("bailiwick.upkeep")
_QUEUE = Queue("upkeep", per_partition=1, per_process=2, poll_seconds=1.0)
_HOURLY = parse("17 * * * *", zone="UTC")
_JOBS_KEPT = timedelta(days=30)
_SCHEDULING = ("backup_schedule", "time_zone")
HOUSEKEEPING = "housekeeping"
BACKUP = "backup"
Tidy = Callable[[AsyncSession, RuntimeSettings], Awaitable[Any]]


async def _old_idempotency(session: AsyncSession, settings: RuntimeSettings) -> None:
    await idempotency.forget_older_than(session, timedelta(hours=settings.idempotency_hours))


async def old_events(session: AsyncSession, settings: RuntimeSettings) -> None:
    """Forget what nobody can ask for any more."""
    await eventlog.forget_before(session, clock.now() - timedelta(days=settings.events_days))


async def _full_buckets(session: AsyncSession, _: RuntimeSettings) -> None:
    await limits.forget_full(session)


async def _expired_flags(session: AsyncSession, _: RuntimeSettings) -> None:
    await flags.forget_expired(session)


class Upkeep:
    """The jobs of an installation that nobody has to ask for."""

    def __init__(
        self,
        runtime: Runtime,
        engine: Engine,
        *,
        more: dict[str, Tidy],
        elsewhere: Mapping[str, Callable[[], Awaitable[Any]]],
    ) -> None:
        self._runtime = runtime
        self._engine = engine
        # What is not in the app's store, or takes more than one transaction.
        self._elsewhere = elsewhere
        self._applying: set[asyncio.Task[None]] = set()
        self._tidying: dict[str, Tidy] = {
            "sessions": sessions.forget_ended,
            "idempotency keys": _old_idempotency,
            "rate buckets": _full_buckets,
            "flags": _expired_flags,
            "events": old_events,
            **more,
        }

    def register(self) -> None:
        """Declare the jobs."""
        self._engine.job(HOUSEKEEPING, self.tidy, queue=_QUEUE)
        self._engine.job(BACKUP, self.back_up, queue=_QUEUE)

    async def apply_schedules(self) -> None:
        """Make the engine's schedules what the settings say."""
        settings = await self._runtime.changeable.current()
        async with self._runtime.storage.app.read() as session:
            since = (await instance.get(session)).created_at
        await self._engine.schedule(HOUSEKEEPING, _HOURLY, catch_up=since)
        await self._engine.schedule(BACKUP, settings.backup_timing, catch_up=since)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Apply schedules anew when a setting that they rest on was changed."""
        changed = {event.subject_id for event in batch if event.type == "settings.changed"}
        if changed.intersection(_SCHEDULING):
            self._runtime.changeable.forget()
            task = asyncio.create_task(self._apply_again())
            self._applying.add(task)
            task.add_done_callback(self._applying.discard)

    async def tidy(self, _due: str) -> None:
        """Remove what has ended, one kind a step."""
        for name, forget in self._tidying.items():
            await step(name, self._forget, forget)
        for name, tidy in self._elsewhere.items():
            await step(name, _done, tidy)
        await step("jobs", self._engine.forget_before, clock.now() - _JOBS_KEPT)

    async def back_up(self, due: str) -> None:
        """Make the backup that is due, unless there is one that was made since."""
        await step("back up", self._back_up, due)

    async def _forget(self, forget: Tidy) -> None:
        settings = await self._runtime.changeable.current()
        async with self._runtime.storage.app.write() as session:
            await forget(session, settings)

    async def _back_up(self, due: str) -> None:
        try:
            await backup.make(self._runtime, due=datetime.fromisoformat(due))
        except BailiwickError as error:
            log.error("the backup failed", reason=error.detail)  # noqa: TRY400
            await backup.tell_failed(self._runtime, error.detail)
            raise

    async def _apply_again(self) -> None:
        try:
            await self.apply_schedules()
        except Exception:
            log.exception("schedules could not be applied")


async def _done(work: Callable[[], Awaitable[Any]]) -> None:
    await work()
