"""The event log: written with the change or not at all, and never twice in the same place."""

import asyncio
import os
import signal
from contextlib import suppress
from datetime import timedelta

import event_writer
import pytest
from event_writer import Undone, opened_storage
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError

from bailiwick.config import Settings
from bailiwick.instance.models import Change, Setting
from bailiwick.kit import clock, correlation
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Event, Recorded, log, record
from support.processes import PATIENCE, Forked
from support.server import wait_for

pytestmark = pytest.mark.req("EVT-03")
EVENT = Event("test.happened", audience=("everyone",), subject_id="tst-1")


async def stored(storage: Storage) -> list[Recorded]:
    async with storage.app.read() as session:
        return await log.after(session, 0, limit=100_000)


async def bounds(storage: Storage) -> tuple[int, int]:
    async with storage.app.read() as session:
        return await log.bounds(session)


async def add(storage: Storage, count: int = 1) -> None:
    async with storage.app.write() as session:
        for _ in range(count):
            record(session, EVENT)


@pytest.mark.req("OBS-01")
async def test_everything_that_is_recorded_comes_back(storage: Storage):
    event = Event(
        "test.happened",
        audience=("admins", "user:usr-1"),
        workspace_id="wsp-1",
        actor_id="usr-1",
        subject_id="tst-1",
        data={"userId": "usr-2", "many": [1, None, {"a": "ü\u2028🙂"}]},
    )
    correlation.begin(correlation="a-request-of-a-test")
    before = clock.now()
    async with storage.app.write() as session:
        id = record(session, event)
    (found,) = await stored(storage)
    assert before <= found.at <= clock.now()
    assert found == Recorded(
        position=found.position,
        id=id,
        type=event.type,
        at=found.at,
        audience=("admins", "user:usr-1"),
        workspace_id="wsp-1",
        actor_id="usr-1",
        subject_id="tst-1",
        data=event.data,
        trace_id="a-request-of-a-test",
    )


async def test_a_change_that_fails_at_the_last_moment_takes_its_event_with_it(storage: Storage):
    def setting() -> Setting:
        return Setting(name="instance_name", value="x", updated_at=clock.now())

    async def twice() -> None:
        async with storage.app.write() as session:
            session.add(setting())
            record(session, EVENT)
            await session.flush()
            # Found out only when the event is about to be written.
            await session.execute(text("SELECT 1"))
            session.expunge_all()
            session.add(setting())

    with pytest.raises(IntegrityError):
        await twice()
    assert await stored(storage) == []


async def test_an_event_that_cannot_be_written_takes_the_change_with_it(storage: Storage):
    async def change() -> None:
        async with storage.app.write() as session:
            session.add(Setting(name="instance_name", value="x", updated_at=clock.now()))
            record(session, Event("test.happened", audience=("everyone",), data={"no": object()}))

    with pytest.raises(Exception, match="JSON"):
        await change()
    async with storage.app.read() as session:
        assert (await session.scalars(select(Setting))).all() == []
    assert await stored(storage) == []


async def test_what_a_savepoint_takes_back_is_not_told(storage: Storage):
    async with storage.app.write() as session:
        record(session, EVENT)
        with suppress(Undone):
            async with session.begin_nested():
                record(session, Event("test.undone", audience=("everyone",)))
                raise Undone
        async with session.begin_nested():
            record(session, Event("test.nested", audience=("everyone",)))
    assert [event.type for event in await stored(storage)] == ["test.happened", "test.nested"]


async def test_a_pruned_position_is_never_used_again(storage: Storage):
    assert await bounds(storage) == (1, 0)
    await add(storage, 5)
    _, last = await bounds(storage)
    async with storage.app.write() as session:
        await log.forget_before(session, clock.now() + timedelta(days=1))
    assert await bounds(storage) == (last, last), "the newest stays, and with it the place"
    async with storage.app.write() as session:
        await session.execute(text("DELETE FROM events"))
    await add(storage)
    assert (await bounds(storage))[1] > last


async def test_only_what_is_old_is_forgotten(storage: Storage):
    await add(storage, 3)
    moment = clock.now()
    await add(storage, 3)
    async with storage.app.write() as session:
        await log.forget_before(session, moment)
    assert len(await stored(storage)) == 3


async def test_readers_wait_for_no_writer(storage: Storage):
    await add(storage)
    async with storage.app.write() as session:
        record(session, EVENT)
        for prepare in storage.app.before_commit:
            await prepare(session)
        async with asyncio.timeout(PATIENCE):
            assert len(await stored(storage)) == 1
        session.info.clear()  # they are written: not once more at the end
    assert len(await stored(storage)) == 2


@pytest.mark.req("OPS-03")
async def test_kill_at_the_commit_leaves_the_change_and_its_event_or_neither(settings: Settings):
    async with opened_storage(settings):
        pass
    acknowledged: set[str] = set()
    for name in ("a", "b"):
        acknowledged |= await asyncio.to_thread(_killed_writer, settings, name)
    async with opened_storage(settings) as storage:
        async with storage.app.read() as session:
            changed = list(await session.scalars(select(Change.subject_id)))
        told = [str(event.subject_id) for event in await stored(storage)]
    assert len(acknowledged) >= 40
    assert acknowledged <= set(told)
    assert sorted(changed) == sorted(told)
    assert len(set(told)) == len(told)


def _killed_writer(settings: Settings, name: str) -> set[str]:
    """Write until enough was acknowledged, and then no further; returns what was."""
    said = settings.data / name
    said.touch()
    child = Forked(event_writer.main, settings, name, None, env=os.environ, out=said)
    wait_for(lambda: said.read_bytes().count(b"\n") >= 20)
    child.send_signal(signal.SIGKILL)
    child.wait()
    lines = said.read_bytes().splitlines(keepends=True)
    return {line.decode().strip() for line in lines if line.endswith(b"\n")}
