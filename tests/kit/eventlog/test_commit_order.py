"""Positions are given in the order of commits: whoever resumes from one misses nothing."""

import asyncio
import os
import random
import uuid
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress

import event_writer
import psycopg
import pytest
from event_writer import opened_storage
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from bailiwick.config import Settings
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Event, Recorded, log, record
from bailiwick.kit.eventlog import bus as buses
from bailiwick.kit.eventlog.tail import followed
from support.processes import PATIENCE, Forked

pytestmark = pytest.mark.req("EVT-03")
BY_HAND = (
    "INSERT INTO app.events (id, type, at, audience, data, trace_id)"
    " VALUES ('evt-by-hand', 'test.happened', now(), '[]', '{}', '') RETURNING position"
)


def happened(name: str) -> Event:
    return Event("test.happened", audience=("everyone",), subject_id=name)


async def commit(storage: Storage, *names: str) -> None:
    async with storage.app.write() as session:
        for name in names:
            record(session, happened(name))


async def read(storage: Storage, position: int = 0, limit: int = 10_000) -> list[Recorded]:
    async with storage.app.read() as session:
        return await log.after(session, position, limit=limit)


def subjects(events: Sequence[Recorded]) -> list[str | None]:
    return [event.subject_id for event in events]


async def test_what_begins_first_and_commits_last_is_found_behind_what_was_seen(shared: Storage):
    async with shared.app.write() as slow:
        record(slow, happened("slow"))
        await slow.execute(text("SELECT 1"))
        await commit(shared, "quick")
        (quick,) = await read(shared)
        assert quick.subject_id == "quick"
    assert subjects(await read(shared, quick.position)) == ["slow"]


async def test_nothing_passes_one_that_is_between_its_insert_and_its_commit(
    shared: Storage, elsewhere: Storage
):
    assert shared.url
    async with await psycopg.AsyncConnection.connect(shared.url) as by_hand:
        await by_hand.execute("SELECT pg_advisory_xact_lock(%s)", (log._LOCK,))
        (first,) = await (await by_hand.execute(BY_HAND)).fetchone() or ()
        others = [
            asyncio.create_task(commit(place, f"{number}"))
            for number, place in enumerate([shared, elsewhere] * 2)
        ]
        await _until_waiting(shared, len(others))
        assert await read(shared) == []
        await by_hand.commit()
        await asyncio.wait_for(asyncio.gather(*others), PATIENCE)
    seen = await read(shared, first)
    assert {"0", "1", "2", "3"} == set(subjects(seen))
    assert all(event.position > first for event in seen)


async def test_a_lock_on_something_else_does_not_wait_inside_the_logs_lock(shared: Storage):
    """Unwritten changes are flushed first: a row lock that takes long must not hold others up."""
    from bailiwick.instance.models import Setting
    from bailiwick.kit import clock

    def setting() -> Setting:
        return Setting(name="instance_name", value="x", updated_at=clock.now())

    async def waits() -> None:
        async with shared.app.write() as session:
            session.add(setting())  # not flushed: the other holds the same key
            record(session, happened("waits"))

    async with shared.app.write() as holder:
        holder.add(setting())
        await holder.flush()
        waiting = asyncio.create_task(waits())
        await _until_waiting(shared, 1)
        await asyncio.wait_for(commit(shared, "passes"), PATIENCE)
        assert subjects(await read(shared)) == ["passes"]
    with pytest.raises(Exception, match="duplicate key"):
        await waiting


async def test_a_rollback_leaves_a_gap_and_no_event(storage: Storage):
    await commit(storage, "before")
    with suppress(event_writer.Undone):
        async with storage.app.write() as session:
            record(session, happened("undone"))
            raise event_writer.Undone
    with suppress(event_writer.Undone):
        async with storage.app.write() as session:
            record(session, happened("undone at the last moment"))
            for prepare in storage.app.before_commit:
                await prepare(session)
            raise event_writer.Undone
    await commit(storage, "after")
    assert subjects(await read(storage)) == ["before", "after"]


async def test_one_transaction_keeps_the_order_in_which_it_recorded(storage: Storage):
    names = [f"{number}" for number in range(1_500)]
    await commit(storage, *names)
    seen = await read(storage)
    assert subjects(seen) == names
    assert [event.position for event in seen] == sorted(event.position for event in seen)


Steps = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["record", "commit", "roll back", "read"])),
    max_size=25,
)


def test_any_interleaving_of_three_writers_loses_nothing_for_a_reader(
    postgresql_settings: Settings,
):
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        storage = runner.run(stack.enter_async_context(opened_storage(postgresql_settings)))

        @settings(max_examples=40)
        @given(Steps)
        def interleaved(steps: list[tuple[int, str]]) -> None:
            runner.run(_interleave(storage, steps))

        try:
            interleaved()
        finally:
            runner.run(stack.aclose())


async def test_eight_writers_in_two_processes_and_readers_that_follow(
    shared: Storage, postgresql_settings: Settings
):
    each = 125
    wanted = {f"{name}{n}-{i}" for name in "ab" for n in range(4) for i in range(each)}
    tailed, resumed = await _watch(
        shared, lambda: _processes(postgresql_settings, each), total=len(wanted)
    )
    stored = await read(shared)
    assert subjects(tailed) == subjects(resumed) == subjects(stored)
    assert set(subjects(stored)) == wanted
    assert len(stored) == len(wanted) == 1_000


async def test_eight_writers_and_readers_that_follow_on_sqlite(sqlite_settings: Settings):
    each = 100
    wanted = {f"{n}-{i}" for n in range(8) for i in range(each)}

    async def writers() -> None:
        await asyncio.gather(*(event_writer.write(storage, f"{n}", each) for n in range(8)))

    async with opened_storage(sqlite_settings) as storage:
        tailed, resumed = await _watch(storage, writers, total=len(wanted))
        stored = await read(storage)
        assert subjects(tailed) == subjects(resumed) == subjects(stored)
        assert set(subjects(stored)) == wanted
        assert len(stored) == len(wanted)


async def _watch(storage: Storage, write, *, total: int) -> tuple[list[Recorded], list[Recorded]]:
    """What a tail sees while others write, and one who asks again from the last position."""
    tailed: list[Recorded] = []
    resumed: list[Recorded] = []
    news, chance = asyncio.Event(), random.Random(1)

    def follow(batch: Sequence[Recorded]) -> None:
        tailed.extend(batch)
        news.set()

    async with (
        asyncio.timeout(PATIENCE),
        asyncio.TaskGroup() as group,
        buses.opened(storage) as bus,
        followed(storage, bus) as tail,
    ):
        tail.follow(follow)
        group.create_task(write())
        while len(resumed) < total or len(tailed) < total:
            news.clear()
            last = resumed[-1].position if resumed else 0
            page = await read(storage, last, limit=chance.randint(1, 40))
            resumed += page
            if not page:
                await news.wait()
    return tailed, resumed


async def _processes(settings: Settings, each: int) -> None:
    children = [
        Forked(event_writer.main, settings, name, each, env=os.environ, out=settings.data / name)
        for name in ("a", "b")
    ]
    assert [await asyncio.to_thread(child.wait) for child in children] == [0, 0]


class _Writer:
    """A transaction that is open for a while."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.stack = AsyncExitStack()

    async def record(self, storage: Storage) -> None:
        if not self.names:
            self.session = await self.stack.enter_async_context(storage.app.write())
        self.names.append(str(uuid.uuid4()))
        record(self.session, happened(self.names[-1]))

    async def roll_back(self) -> list[str]:
        await self.stack.__aexit__(event_writer.Undone, event_writer.Undone(), None)
        return []

    async def commit(self) -> list[str]:
        await self.stack.aclose()
        return self.names


async def _interleave(storage: Storage, steps: list[tuple[int, str]]) -> None:
    async with storage.app.read() as session:
        _, position = await log.bounds(session)
    writers: dict[int, _Writer] = {}
    seen, committed = [], []
    for number, step in steps:
        if step == "read":
            page = await read(storage, position, limit=2)
            seen += subjects(page)
            position = page[-1].position if page else position
        elif step == "record":
            await writers.setdefault(number, _Writer()).record(storage)
        elif writer := writers.pop(number, None):
            committed += await (writer.commit() if step == "commit" else writer.roll_back())
    for writer in writers.values():
        committed += await writer.commit()
    assert seen + subjects(await read(storage, position)) == committed


async def _until_waiting(storage: Storage, count: int) -> None:
    """Until so many transactions wait for a lock."""
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    async with asyncio.timeout(PATIENCE):
        while True:
            async with storage.app.read() as session:
                if await session.scalar(waiting) == count:
                    return
