"""Operations as a feature: settings, backups, keys, health and housekeeping."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.feature import Feature, Follower, Job, Tidy
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.engine import flags
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.http import idempotency, limits
from bailiwick.office import Office
from bailiwick.operations import endpoints, health, upkeep
from bailiwick.operations.upkeep import Upkeep


@asynccontextmanager
async def _open(office: Office) -> AsyncGenerator[None]:
    office.add(Upkeep(office))
    yield


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    await office[Upkeep].apply_schedules()
    yield


async def _old_idempotency(session: AsyncSession, settings: RuntimeSettings) -> None:
    await idempotency.forget_older_than(session, timedelta(hours=settings.idempotency_hours))


async def old_events(session: AsyncSession, settings: RuntimeSettings) -> None:
    """Remove events that no reader can ask for any more."""
    await eventlog.forget_before(session, clock.now() - timedelta(days=settings.events_days))


async def _full_buckets(session: AsyncSession, _: RuntimeSettings) -> None:
    await limits.forget_full(session)


async def _expired_flags(session: AsyncSession, _: RuntimeSettings) -> None:
    await flags.forget_expired(session)


feature = Feature(
    name="operations",
    routers=[endpoints.router],
    root_routers=[health.router],
    open=_open,
    work=_work,
    jobs=[
        Job(upkeep.HOUSEKEEPING, lambda office: office[Upkeep].tidy, queue=upkeep.QUEUE),
        Job(upkeep.BACKUP, lambda office: office[Upkeep].back_up, queue=upkeep.QUEUE),
    ],
    follows=[Follower(lambda office: office[Upkeep].follow)],
    tidies=[
        Tidy.of("idempotency keys", _old_idempotency),
        Tidy.of("rate buckets", _full_buckets),
        Tidy.of("flags", _expired_flags),
        Tidy.of("events", old_events),
    ],
)
