"""The bus wakes every process, survives its connections, and the tail loses nothing meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import psycopg
import pytest
from sqlalchemy import text

from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Event, Recorded, chunks, log, record
from bailiwick.kit.eventlog import bus as buses
from bailiwick.kit.eventlog import tail as tails
from bailiwick.kit.eventlog.bus import Bus
from support.server import PATIENCE

pytestmark = pytest.mark.req("EVT-01")
LISTENERS = (
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
)


class Seen:
    """What reached a listener or a follower, and a way to wait for it."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._news = asyncio.Event()

    def hear(self, payload: str) -> None:
        self.all.append(payload)
        self._news.set()

    def follow(self, batch: Sequence[Recorded]) -> None:
        for event in batch:
            self.hear(str(event.subject_id))

    async def until(self, condition: Callable[[list[str]], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition(self.all):
                self._news.clear()
                await self._news.wait()


async def tell(storage: Storage, *names: str) -> None:
    async with storage.app.write() as session:
        for name in names:
            record(session, Event("test.happened", audience=("everyone",), subject_id=name))


@pytest.fixture(autouse=True)
def _only_the_bus_wakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is found by looking now and then."""
    monkeypatch.setattr(tails, "_LOOK_SECONDS", 3600.0)
    monkeypatch.setattr(buses, "_RETRY_SECONDS", 0.05)
    # It would hide that the connection listens.
    monkeypatch.setattr(buses, "_CHECK_SECONDS", 3600.0)


@asynccontextmanager
async def followed(storage: Storage) -> AsyncIterator[tuple[Bus, Seen]]:
    seen = Seen()
    async with buses.opened(storage) as bus, tails.followed(storage, bus) as tail:
        tail.follow(seen.follow)
        if storage.url:
            await until_listening(storage, 1)
        yield bus, seen


async def listeners(storage: Storage) -> list[int]:
    async with storage.app.read() as session:
        return list(await session.scalars(text(LISTENERS)))


async def until_listening(storage: Storage, count: int, *, but: Sequence[int] = ()) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(set(await listeners(storage)) - set(but)) != count:
            pass


async def test_a_commit_wakes_the_readers_of_its_own_process(storage: Storage):
    async with followed(storage) as (_, seen):
        await tell(storage, "1", "2")
        await tell(storage, "3")
        await seen.until(lambda got: len(got) >= 3)
        assert seen.all == ["1", "2", "3"]


async def test_a_commit_wakes_the_readers_of_other_processes(shared: Storage, elsewhere: Storage):
    async with followed(shared) as (_, seen):
        await tell(elsewhere, "1", "2")
        await seen.until(lambda got: len(got) >= 2)
        assert seen.all == ["1", "2"]


async def test_the_tail_starts_at_the_end_and_hands_out_nothing_old(storage: Storage):
    await tell(storage, "old")
    async with followed(storage) as (_, seen):
        await tell(storage, "new")
        await seen.until(len)
        assert seen.all == ["new"]


async def test_a_killed_listener_comes_back_and_nothing_is_lost(
    shared: Storage, elsewhere: Storage, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(buses, "_RETRY_SECONDS", 0.5)  # long enough to write something meanwhile
    async with followed(shared) as (_, seen):
        for number in range(3):
            (pid,) = await listeners(elsewhere)
            async with elsewhere.app.write() as session:
                kill = text("SELECT pg_terminate_backend(:pid, 60000)")
                await session.execute(kill, {"pid": pid})
            await tell(elsewhere, f"{number} while away")
            await seen.until(lambda got, n=number: f"{n} while away" in got)
            await until_listening(elsewhere, 1, but=[pid])
            await tell(elsewhere, f"{number} when back")
            await seen.until(lambda got, n=number: f"{n} when back" in got)
        assert seen.all == [
            f"{number} {when}" for number in range(3) for when in ("while away", "when back")
        ]


async def test_every_connection_killed_at_once_loses_nothing(shared: Storage, elsewhere: Storage):
    assert shared.url
    async with followed(shared) as (_, seen):
        await tell(shared, "1")
        await seen.until(len)
        with psycopg.connect(shared.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        await tell(elsewhere, "2")
        await seen.until(lambda got: len(got) >= 2)
        await tell(shared, "3")
        await seen.until(lambda got: len(got) >= 3)
        assert seen.all == ["1", "2", "3"]


async def test_a_reader_that_comes_later_is_heard_too(storage: Storage):
    """The streams of a server listen for text when everything behind them is running."""
    async with followed(storage) as (bus, _):
        late = Seen()
        bus.on(chunks.CHANNEL, late.hear)
        await bus.send(chunks.CHANNEL, "said")
        await late.until(lambda got: "said" in got)


@pytest.mark.parametrize("turns", range(0, 60, 6))
async def test_a_reader_may_come_while_the_connection_is_made(shared: Storage, turns: int):
    early, late = Seen(), Seen()
    async with buses.opened(shared) as bus:
        bus.on(log.CHANNEL, early.hear)
        for _ in range(turns):
            await asyncio.sleep(0.001)
        bus.on(chunks.CHANNEL, late.hear)
        await early.until(lambda got: "" in got)  # the word that it listens now
        await bus.send(chunks.CHANNEL, "said")
        await late.until(lambda got: "said" in got)


async def test_a_listener_that_fails_harms_no_other(storage: Storage):
    def fail(_: str) -> None:
        raise RuntimeError("a listener failed")

    later = Seen()
    async with buses.opened(storage) as bus:
        bus.on(log.CHANNEL, fail)
        bus.on(log.CHANNEL, later.hear)
        await tell(storage, "1")
        # The commit wakes it, and on PostgreSQL the word that the bus listens now.
        await later.until(lambda got: len(got) > bool(storage.url))
        later.all.clear()
        await bus.send(log.CHANNEL, "2")
        await later.until(lambda got: "2" in got)


async def test_a_follower_that_fails_harms_no_other(storage: Storage):
    def fail(_: object) -> None:
        raise RuntimeError("a follower failed")

    seen = Seen()
    async with buses.opened(storage) as bus, tails.followed(storage, bus) as tail:
        tail.follow(fail)
        tail.follow(seen.follow)
        await tell(storage, "1")
        await tell(storage, "2")
        await seen.until(lambda got: len(got) >= 2)
        assert seen.all == ["1", "2"]


async def test_the_tail_waits_out_a_database_that_has_no_connection_left(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
):
    """All connections taken for long is a delay like any other, not the end of all streams."""
    monkeypatch.setattr(tails, "_RETRY_SECONDS", 0.05)
    pool = storage.app.readers.sync_engine.pool
    async with followed(storage) as (bus, seen):
        async with asyncio.timeout(PATIENCE):
            taken = await _take_all(storage)
        monkeypatch.setattr(pool, "_timeout", 0.05)
        bus.notify(log.CHANNEL, "")
        for _ in range(2):  # the tail began to wait after the first, and has given up by the second
            with pytest.raises(Exception, match="QueuePool limit"):
                await storage.app.readers.connect()
        for connection in taken:
            await connection.close()
        monkeypatch.setattr(pool, "_timeout", 30)
        await tell(storage, "1")
        await seen.until(len)
        assert seen.all == ["1"]


async def _take_all(storage: Storage) -> list:
    """Those too that others have, once they have given them back."""
    pool = storage.app.readers.sync_engine.pool
    return [await storage.app.readers.connect() for _ in range(pool.size() + pool._max_overflow)]
