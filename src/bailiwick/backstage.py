"""What runs behind the pages: the bus, the tail of the event log, the engine and its jobs.

The server runs it, and so does every worker. On SQLite there is one process and it leads; on
PostgreSQL the processes find out among themselves who does.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick import gatehouse
from bailiwick.demo import jobs as demo
from bailiwick.gate import meters
from bailiwick.gate.actions import recovery
from bailiwick.gate.actions import repository as actions
from bailiwick.gate.approvals import job as approvals
from bailiwick.gate.approvals import service as approval_service
from bailiwick.gate.gate import Gate
from bailiwick.gatehouse import Gatehouse
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, ids
from bailiwick.kit.engine.dispatcher import Dispatcher
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.engine.executors import Executors
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog import bus, tail
from bailiwick.kit.eventlog.bus import Bus, stopped
from bailiwick.kit.eventlog.tail import Tail
from bailiwick.kit.net.outbound import Outbound
from bailiwick.mail import raw
from bailiwick.mail import repository as mail
from bailiwick.mail.fetcher import jobs as fetch_jobs
from bailiwick.mail.fetcher.fetch import Fetcher
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.intake import Intake
from bailiwick.mail.outbox import repository as outbox
from bailiwick.mail.outbox import sender as outbox_sender
from bailiwick.mail.search import index as mail_index
from bailiwick.notify.webhooks import deliveries, repository
from bailiwick.operations.upkeep import Tidy, Upkeep
from bailiwick.runs import provider_events, resume
from bailiwick.runs.dependencies import Means
from bailiwick.runs.loop import Runner
from bailiwick.runs.schedules.reconcile import ScheduleReconciler
from bailiwick.runs.tasks import removal
from bailiwick.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Backstage:
    """What the pages need of it."""

    bus: Bus
    tail: Tail
    engine: Engine
    flags: Flags
    gatehouse: Gatehouse


@asynccontextmanager
async def opened(runtime: Runtime) -> AsyncGenerator[Backstage]:
    """Everything that works in the background, for as long as the block runs."""
    storage = runtime.storage
    async with AsyncExitStack() as stack:
        the_bus = await stack.enter_async_context(bus.opened(storage))
        the_tail = await stack.enter_async_context(tail.followed(storage, the_bus))
        engine = Engine(storage, executor_id=_executor_id() if storage.url else "local")
        flags = Flags(storage)
        outbound = Outbound(runtime.settings.allowed_networks)
        house = await stack.enter_async_context(gatehouse.opened(runtime))
        gate = house.gate
        intake = Intake(storage, runtime.blobs, FilterCache())
        fetching = fetch_jobs.FetchJobs(
            Fetcher(storage, house.opener, intake, runtime.changeable), engine
        )
        sender = outbox_sender.Sender(storage, runtime.blobs, house.opener, engine)
        elsewhere = {
            "audit": partial(_old_audit, gate),
            "open intents": partial(recovery.recover, gate.services),
            "answers to runs": partial(resume.overlooked, gate),
            "outbox": sender.sweep,
            "mail": partial(raw.forget_unused, storage, runtime.blobs),
        }
        upkeep = Upkeep(runtime, engine, more=_TIDYING, elsewhere=elsewhere)
        deliveries.Deliveries(
            storage=storage,
            vault=runtime.vault,
            engine=engine,
            flags=flags,
            outbound=outbound,
            settings=runtime.changeable,
            origin=runtime.settings.origin,
        ).register()
        upkeep.register()
        approvals.ApprovalJobs(gate, engine).register()
        means = Means(gate, house.models, flags, runtime.vault, the_bus)
        runner = Runner(means)
        stack.callback(runner.close)
        runs = resume.RunJobs(runner, gate, engine)
        runs.register()
        removal.TaskRemoval(storage, engine).register()
        sender.register()
        fetching.register()
        schedules = ScheduleReconciler(gate, engine)
        schedules.register()
        demo.SampleQuestions(gate, engine).register()
        dispatcher = Dispatcher(
            storage,
            engine,
            [
                *deliveries.ROUTES,
                *approvals.ROUTES,
                *resume.ROUTES,
                *removal.ROUTES,
                *outbox_sender.ROUTES,
                *fetch_jobs.ROUTES,
                *demo.ROUTES,
            ],
        )
        the_tail.follow(flags.follow)
        the_tail.follow(house.follow)
        the_tail.follow(runner.follow)
        the_tail.follow(dispatcher.follow)
        leads = await stack.enter_async_context(_placed(storage.url, engine))
        await engine.start()
        stack.push_async_callback(engine.stop)
        await upkeep.apply_schedules()
        await runs.take_up()
        await sender.take_up()
        the_tail.follow(schedules.follow)
        await schedules.reconcile()
        the_tail.follow(upkeep.follow)
        dispatching = asyncio.create_task(dispatcher.run(leads))
        stack.push_async_callback(stopped, dispatching)
        await stack.enter_async_context(fetching.running(the_tail, leads))
        yield Backstage(the_bus, the_tail, engine, flags, house)


@asynccontextmanager
async def _placed(url: str | None, engine: Engine) -> AsyncGenerator[asyncio.Event]:
    """This process's place among others, held before it takes its first job."""
    if url is None:
        leads = asyncio.Event()
        leads.set()
        yield leads
        return
    executors = Executors(
        url, engine.executor_id, ready=lambda: engine.running, resume=engine.resume
    )
    keeping = asyncio.create_task(executors.keep())
    try:
        await executors.entered()
        yield executors.leads
    finally:
        await stopped(keeping)


async def _old_deliveries(session: AsyncSession, settings: RuntimeSettings) -> None:
    await repository.forget_older_than(session, settings.webhook_log_days)


async def _old_actions(session: AsyncSession, settings: RuntimeSettings) -> None:
    await actions.forget_older_than(session, settings.activity_days)


async def _old_outgoing(session: AsyncSession, settings: RuntimeSettings) -> None:
    await outbox.forget_older_than(session, settings.activity_days)


async def _gone_mail(session: AsyncSession, _: RuntimeSettings) -> None:
    await mail.purge(session)
    await mail_index.INDEX.settle(session)


async def _old_usage(session: AsyncSession, _: RuntimeSettings) -> None:
    await meters.forget_old(session)


async def _old_audit(gate: Gate) -> None:
    days = (await gate.services.settings.current()).audit_days
    if days:
        await gate.services.ledger.forget_before(clock.now() - timedelta(days=days))


_TIDYING: dict[str, Tidy] = {
    "webhook deliveries": _old_deliveries,
    "approvals": approval_service.expire,
    "actions": _old_actions,
    "outbox": _old_outgoing,
    "mail": _gone_mail,
    "usage": _old_usage,
    "diagnostics": provider_events.forget_old,
}


def _executor_id() -> str:
    return f"{socket.gethostname()[:40]}-{os.getpid()}-{ids.new('exe')}"
