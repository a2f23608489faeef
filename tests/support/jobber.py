"""A process that runs the engine as the product does, and can be held or killed at any point."""

import asyncio
import faulthandler
import json
import os
import random
import signal
import threading
import time
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from urllib.parse import quote

from dbos import DBOS
from sqlalchemy import Engine as SyncEngine
from sqlalchemy import event, text

import bailiwick
from bailiwick import office as offices
from bailiwick.kit import logs
from bailiwick.kit.db import Storage, migrate
from bailiwick.kit.engine import flags
from bailiwick.kit.engine.dispatcher import Dispatcher, Wake
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.flags import Flags, Stopped
from bailiwick.kit.engine.jobs import job_id, key, step
from bailiwick.kit.engine.schedules import parse
from bailiwick.kit.eventlog import Event, bus, log, record, tail
from bailiwick.kit.keys import Key
from bailiwick.server import fastest_loop

POLL_SECONDS = 0.1
HAPPENED = "test.happened"


@dataclass(frozen=True)
class Life:
    """How a child lives: where its data is, and at which point of which job it waits or dies."""

    folder: Path
    url: str | None = None
    key: str | None = None
    hold: dict[str, str] = field(default_factory=dict)
    die: dict[str, str] = field(default_factory=dict)
    edition: int = 1
    per_partition: int = 100
    per_process: int = 200

    def storage(self) -> Storage:
        """The same stores that the child works on."""
        if self.url:
            made = Storage.on_postgresql(self.url, self.folder)
        else:
            made = Storage.on_sqlite(
                self.folder, Key(bytes.fromhex(self.key)) if self.key else None
            )
        log.install(made)
        return made


class Bodies:
    """What the jobs do. A point is a place in a body where the plan may hold or kill it."""

    def __init__(self, life: Life, *, storage: Storage, engine: Engine, flags: Flags) -> None:
        self.life = life
        self.storage = storage
        self.engine = engine
        self.flags = flags

    def declare(self) -> None:
        line = Queue(
            "tests",
            per_partition=min(self.life.per_partition, self.life.per_process),
            per_process=self.life.per_process,
            poll_seconds=POLL_SECONDS,
        )
        names = ["steps", "gated", "fail", "wait", "answer", "watch", "due", "seen", "gone"]
        for name in names[: -1 if self.life.edition > 1 else None]:
            self.engine.job(name, getattr(self, name), queue=line)

    async def steps(self, count: int) -> list[str]:
        """Some steps, each with an effect of its own; returns the token of each."""
        tokens: list[str] = []
        await self._point("start")
        for number in range(1, count + 1):
            await self._point(f"{number}/before")
            tokens.append(await self._step(f"step {number}", number))
        await self._point("end")
        return tokens

    async def gated(self, gate: str) -> str:
        """One step, that lasts until a gate is opened."""

        async def work() -> str:
            self._trace("began", step=1)
            await self._opened(gate)
            self._effect()
            self._trace("ended", step=1)
            return gate

        return await step("work", work)

    async def fail(self, kind: str) -> Any:
        """Go wrong, in the body or in a step."""
        self._trace("failing")

        async def wrong() -> Any:
            match kind.removeprefix("step "):
                case "error":
                    raise ValueError("it never works")
                case "strange":
                    raise Strange
                case "surrogate":
                    raise ValueError("half a character: \ud800")
                case "cancelled":
                    raise asyncio.CancelledError
                case "half":
                    return "\ud800"
                case _:
                    return object()

        return await (step("wrong", wrong) if kind.startswith("step ") else wrong())

    async def wait(self, name: str) -> str:
        """Ask a person something; the answer begins another job."""
        await self._step("ask", 1)
        if self.life.edition > 1:
            await self._step("ask again, more politely", 2)
        await self._write("INSERT INTO waiting (name) VALUES (:name)", name=name)
        return "waiting"

    async def answer(self, name: str) -> str:
        """Go on with what a person was asked."""
        await self._step("go on", self.life.edition)
        await self._write("DELETE FROM waiting WHERE name = :name", name=name)
        return f"answered in edition {self.life.edition}"

    async def watch(self, *names: str) -> str:
        """Work until a flag goes up."""

        async def work() -> str:
            try:
                async with AsyncExitStack() as stack:
                    for name in names:
                        await stack.enter_async_context(self.flags.watched(name))
                    self._trace("watching")
                    await asyncio.Event().wait()
            except Stopped as stopped:
                return f"stopped by {stopped}"
            return "never"

        return await step("work", work)

    async def due(self, *given: str) -> None:
        *about, moment = given
        self._trace("due", moment=moment, about=about)

    async def seen(self, position: int) -> None:
        await self._step("see", position)

    async def gone(self) -> None:
        """The next edition does not know this."""
        await self._step("here", 1)

    async def _step(self, name: str, number: int) -> str:
        async def work() -> str:
            token = os.urandom(4).hex()
            self._trace("began", step=number, token=token)
            await self._point(f"{number}/in")
            self._effect()
            await self._point(f"{number}/after")
            self._trace("ended", step=number, token=token)
            return token

        return await step(name, work)

    async def _point(self, name: str) -> None:
        if self.life.die.get(job_id()) == name:
            die()
        if self.life.hold.get(job_id(), self.life.hold.get("*")) == name:
            self._trace("held", point=name)
            await self._opened(job_id())

    async def _opened(self, gate: str) -> None:
        while not (self.life.folder / f"gate-{gate}").exists():  # noqa: ASYNC110  (others open it)
            await asyncio.sleep(0.02)

    def _effect(self) -> None:
        """Something outside that is keyed: asked for twice, it is there once."""
        (self.life.folder / "effects").mkdir(exist_ok=True)
        (self.life.folder / "effects" / quote(key(), safe="")).touch()

    def _trace(self, kind: str, **facts: Any) -> None:
        by, at = self.engine.executor_id, time.monotonic()
        line = {"kind": kind, "job": job_id(), "by": by, "at": at, **facts}
        file = os.open(self.life.folder / "trace", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, json.dumps(line).encode() + b"\n")
        os.close(file)

    async def _write(self, statement: str, **values: Any) -> None:
        async with self.storage.app.write() as session:
            await session.execute(text(statement), values)


class Strange(Exception):
    """Something that JSON cannot hold, and that cannot even say what it is."""

    def __init__(self) -> None:
        super().__init__(object())
        self.data = {object(): float("nan")}
        self.code = {1, 2}

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Crashing(Engine):
    """Dies, if the plan says so, between beginning a job and whatever its caller does next."""

    def __init__(self, storage: Storage, *, executor_id: str, plan: dict[str, str]) -> None:
        super().__init__(storage, executor_id=executor_id)
        self._plan = plan

    async def begin(self, job: str, *args: Any, id: str, **given: Any) -> None:
        await super().begin(job, *args, id=id, **given)
        if self._plan.get(job) == "begun":
            die()


def die() -> None:
    """As a power cut would have it."""
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Verbs:
    """What a test can ask of a child."""

    storage: Storage
    engine: Engine
    place: asyncio.Event

    async def begin(
        self,
        *,
        job: str,
        args: Sequence[Any],
        id: str,
        times: int = 1,
        delay: float = 0,
        partition: str | None = None,
    ) -> None:
        wait = timedelta(seconds=delay) if delay else None
        begins = (
            self.engine.begin(job, *args, id=id, partition=partition, delay=wait)
            for _ in range(times)
        )
        await asyncio.gather(*begins)

    async def begin_all(self, *, job: str, ids: Sequence[str], args: Sequence[Any] = ()) -> None:
        """Begin many, each with its id as the argument if none is given."""
        for start in range(0, len(ids), 20):
            some = ids[start : start + 20]
            await asyncio.gather(
                *(self.engine.begin(job, *(args or [id]), id=id, partition=id) for id in some)
            )

    async def jobs(self) -> dict[str, Any]:
        return {
            row.workflow_id: {
                "name": row.name,
                "status": row.status,
                "output": row.output,
                "by": row.executor_id,
            }
            for row in await DBOS.list_workflows_async(load_input=False)
        }

    async def failures(self, *, since: float = 0, limit: int = 20) -> list[Any]:
        return await self.engine.failures(datetime.fromtimestamp(since, UTC), limit=limit)

    async def forget(self, *, before: float) -> int:
        return await self.engine.forget_before(datetime.fromtimestamp(before, UTC))

    async def cancel(self, *, id: str) -> None:
        await self.engine.cancel(id)

    async def hasten(self, *, id: str) -> None:
        await self.engine.hasten(id)

    async def schedule(
        self,
        *,
        words: str | None,
        zone: str = "UTC",
        about: str | None = None,
        catch_up: datetime | None = None,
    ) -> None:
        timing = parse(words, zone=zone) if words else None
        await self.engine.schedule("due", timing, about=about, catch_up=catch_up)

    async def scheduled(self) -> set[str]:
        return await self.engine.scheduled("due")

    async def schedules(self) -> list[tuple[str, str, str | None]]:
        found = await DBOS.list_schedules_async()
        return [(one["schedule_name"], one["schedule"], one["cron_timezone"]) for one in found]

    async def happen(self, *, count: int = 1, fails: bool = False, dies: bool = False) -> None:
        """Record events in one transaction; or roll it back; or die the moment it is committed."""
        with suppress(ZeroDivisionError):
            async with self.storage.app.write() as session:
                for _ in range(count):
                    record(session, Event(HAPPENED, audience=()))
                if fails:
                    raise ZeroDivisionError
        if dies:
            die()

    async def flag(self, *, name: str, up: bool = True, times: int = 1) -> None:
        async with self.storage.app.write() as session:
            for _ in range(times):
                await (flags.hoist if up else flags.lower)(session, name)

    async def waiting(self) -> int:
        async with self.storage.app.read() as session:
            return await session.scalar(text("SELECT count(*) FROM waiting")) or 0

    async def leads(self) -> bool:
        return self.place.is_set()


@contextmanager
def dying_at(change: int) -> Iterator[None]:
    """Die when the schema is about to be changed for the so manieth time."""
    changes = 0

    def look(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        nonlocal changes
        changes += statement.lstrip().startswith(("CREATE", "ALTER"))
        if changes == change:
            die()

    event.listen(SyncEngine, "before_cursor_execute", look)
    yield
    event.remove(SyncEngine, "before_cursor_execute", look)


async def _happened(_: Any, events: Sequence[Any]) -> set[int]:
    return {event.position for event in events if event.type == HAPPENED}


@asynccontextmanager
async def working(life: Life) -> AsyncIterator[Verbs]:
    """Everything that works in the background, put together as the office does it."""
    bailiwick.__version__ = f"{life.edition}.0.0"
    storage = life.storage()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(storage.close)
        await migrate.upgrade(storage)
        async with storage.app.write() as session:
            await storage.app.alone(session)
            await session.execute(text("CREATE TABLE IF NOT EXISTS waiting (name TEXT)"))
        the_bus = await stack.enter_async_context(bus.opened(storage))
        the_tail = await stack.enter_async_context(tail.followed(storage, the_bus))
        id = offices._executor_id() if life.url else "local"
        engine = Crashing(storage, executor_id=id, plan=life.die)
        the_flags = Flags(storage)
        Bodies(life, storage=storage, engine=engine, flags=the_flags).declare()
        dispatcher = Dispatcher(storage, engine, [Wake("seen", _happened)])
        the_tail.follow(the_flags.follow)
        the_tail.follow(dispatcher.follow)
        leads = await stack.enter_async_context(offices.leading(life.url, engine))
        with dying_at(int(life.die.get("start", 0)) or -1):
            await engine.start()
        stack.push_async_callback(engine.stop)
        dispatching = asyncio.create_task(dispatcher.run(leads))
        stack.push_async_callback(bus.stopped, dispatching)
        yield Verbs(storage, engine, leads)


async def _live(life: Life, pipe: Connection) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    asked: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(asked.put_nowait, pipe.recv())

    async with working(life) as verbs:
        pipe.send((True, verbs.engine.executor_id))
        threading.Thread(target=listen, daemon=True).start()
        answering = asyncio.create_task(_answer(verbs, asked, pipe))
        await stop.wait()
        await bus.stopped(answering)


async def _answer(
    verbs: Verbs, asked: "asyncio.Queue[tuple[str, dict[str, Any]]]", pipe: Connection
) -> None:
    while True:
        verb, given = await asked.get()
        try:
            pipe.send((True, await getattr(verbs, verb)(**given)))
        except Exception as error:  # noqa: BLE001  (the test shows it)
            pipe.send((False, repr(error)))


def main(life: Life, pipe: Connection, log_file: Path) -> None:
    """Live, answer what comes through the pipe, and end when told to."""
    random.seed()
    warnings.simplefilter("error")
    with log_file.open("wb") as file:
        os.dup2(file.fileno(), 2)
    # Whoever waits for it in vain can ask what it is doing.
    faulthandler.register(signal.SIGUSR1, file=2, all_threads=True)
    logs.configure(level="INFO", format="json", file=None)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(_live(life, pipe))
