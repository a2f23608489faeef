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

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import ids
from bailiwick.kit.engine.dispatcher import Dispatcher
from bailiwick.kit.engine.engine import Engine
from bailiwick.kit.engine.executors import Executors
from bailiwick.kit.engine.flags import Flags
from bailiwick.kit.eventlog import bus, tail
from bailiwick.kit.eventlog.bus import Bus, stopped
from bailiwick.kit.eventlog.tail import Tail
from bailiwick.kit.http.outbound import Outbound
from bailiwick.notify.webhooks import deliveries, repository
from bailiwick.operations.upkeep import Upkeep
from bailiwick.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Backstage:
    """What the pages need of it."""

    bus: Bus
    tail: Tail
    engine: Engine
    flags: Flags


@asynccontextmanager
async def opened(runtime: Runtime) -> AsyncGenerator[Backstage]:
    """Everything that works in the background, for as long as the block runs."""
    storage = runtime.storage
    async with AsyncExitStack() as stack:
        the_bus = await stack.enter_async_context(bus.opened(storage))
        the_tail = await stack.enter_async_context(tail.followed(storage, the_bus))
        engine = Engine(storage, executor_id=_executor_id() if storage.url else "local")
        flags = Flags(storage)
        outbound = await stack.enter_async_context(Outbound(runtime.settings.allowed_networks))
        upkeep = Upkeep(runtime, engine, more={"webhook deliveries": _old_deliveries})
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
        dispatcher = Dispatcher(storage, engine, deliveries.ROUTES)
        the_tail.follow(flags.follow)
        the_tail.follow(dispatcher.follow)
        leads = await stack.enter_async_context(_placed(storage.url, engine))
        await engine.start()
        stack.push_async_callback(engine.stop)
        await upkeep.apply_schedules()
        the_tail.follow(upkeep.follow)
        dispatching = asyncio.create_task(dispatcher.run(leads))
        stack.push_async_callback(stopped, dispatching)
        yield Backstage(the_bus, the_tail, engine, flags)


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


def _executor_id() -> str:
    return f"{socket.gethostname()[:40]}-{os.getpid()}-{ids.new('exe')}"
