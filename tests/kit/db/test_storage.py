"""The stores: whole transactions, on both databases."""

import asyncio
import socket
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.config import Settings
from bailiwick.errors import DatabaseUnreachable
from bailiwick.identity.models import Session, User
from bailiwick.instance.models import Change, Setting
from bailiwick.kit import clock, ids
from bailiwick.kit.db import Storage, migrate
from bailiwick.office import opened, storage_of
from support.server import PATIENCE

NOW = datetime(2026, 11, 15, 12, 30, 15, 123456, tzinfo=UTC)


@pytest.fixture
async def storage(settings: Settings):
    settings.data.mkdir()
    made = storage_of(settings, None)
    await migrate.upgrade(made)
    yield made
    await made.close()


def change(at: datetime = NOW) -> Change:
    return Change(
        id=ids.new("chg"),
        at=at,
        actor_id="usr-1",
        actor_name="Olive",
        action="test.done",
        subject_id="x",
        trace_id="",
    )


def user(name: str) -> User:
    return User(
        id=f"usr-{name}",
        email=f"{name}@example.com",
        name=name,
        role="user",
        active=True,
        created_at=NOW,
    )


def signed_in(name: str) -> Session:
    return Session(
        id=f"ses-{name}",
        user_id=f"usr-{name}",
        token_hash=name,
        method="password",
        address="127.0.0.1",
        user_agent="",
        created_at=NOW,
        last_seen_at=NOW,
    )


async def rows(session: AsyncSession, table: type) -> int:
    return await session.scalar(select(func.count()).select_from(table)) or 0


async def test_a_write_block_is_kept_at_its_end_and_undone_wholly_by_an_error(storage: Storage):
    async with storage.app.write() as session:
        session.add(change())

    async def fail_half_way() -> None:
        async with storage.app.write() as session:
            session.add(change())
            await session.flush()
            await session.execute(update(Change).values(actor_name="Nobody"))
            assert await rows(session, Change) == 2
            raise RuntimeError("half-way")

    with pytest.raises(RuntimeError, match="half-way"):
        await fail_half_way()
    async with storage.app.read() as session:
        (only,) = await session.scalars(select(Change))
        assert only.actor_name == "Olive"


async def test_a_cancelled_write_block_leaves_nothing_and_lets_the_next_one_in(storage: Storage):
    entered = asyncio.Event()

    async def write_for_ever() -> None:
        async with storage.app.write() as session:
            session.add(change())
            await session.flush()
            entered.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_for_ever())
    await asyncio.wait_for(entered.wait(), PATIENCE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(PATIENCE), storage.app.write() as session:
        assert await rows(session, Change) == 0
        session.add(change())


async def test_what_a_read_block_writes_is_not_kept(storage: Storage):
    with suppress(DBAPIError):
        async with storage.app.read() as session:
            session.add(change())
            await session.flush()
    async with storage.app.read() as session:
        assert await rows(session, Change) == 0


async def test_a_reader_on_sqlite_cannot_write(sqlite_settings: Settings):
    sqlite_settings.data.mkdir()
    storage = storage_of(sqlite_settings, None)
    await migrate.upgrade(storage)
    async with storage.app.read() as session:
        for verb in ("DELETE FROM changes", "CREATE TABLE mine (id INTEGER)", "VACUUM"):
            with pytest.raises(OperationalError, match=r"readonly|within a transaction"):
                await session.execute(text(verb))
    await storage.close()


async def test_a_read_block_sees_one_snapshot_whatever_is_written_meanwhile(storage: Storage):
    async with storage.app.read() as reader:
        assert await rows(reader, Change) == 0
        async with storage.app.write() as writer:
            writer.add(change())
        assert await rows(reader, Change) == 0
    async with storage.app.read() as reader:
        assert await rows(reader, Change) == 1


async def test_many_writers_of_two_processes_all_succeed_and_none_overwrites_another(
    storage: Storage, settings: Settings
):
    other = storage_of(settings, None)
    async with storage.app.write() as session:
        session.add(Setting(name="count", value=0, updated_at=NOW))

    async def add_one(by: Storage) -> None:
        async with by.app.write() as session:
            counted = await session.get_one(Setting, "count", with_for_update=True)
            counted.value = counted.value + 1

    try:
        await asyncio.gather(*(add_one(by) for by in (storage, other) for _ in range(20)))
        async with other.app.read() as session:
            assert (await session.get_one(Setting, "count")).value == 40
    finally:
        await other.close()


async def test_a_row_cannot_point_to_nothing(storage: Storage):
    with pytest.raises(IntegrityError):
        async with storage.app.write() as session:
            session.add(signed_in("ghost"))
    async with storage.app.write() as session:
        session.add(user("olive"))
        await session.flush()
        session.add(signed_in("olive"))
    async with storage.app.write() as session:
        await session.delete(await session.get_one(User, "usr-olive"))
    async with storage.app.read() as session:
        assert await rows(session, Session) == 0


async def test_a_moment_of_any_zone_comes_back_as_the_same_moment_in_utc(storage: Storage):
    for hours in (0, -8, 5.75, 14):
        given = (NOW + timedelta(days=hours)).astimezone(timezone(timedelta(hours=hours)))
        async with storage.app.write() as session:
            session.add(change(given))
        async with storage.app.read() as session:
            (at,) = await session.scalars(select(Change.at).where(Change.at == given))
            just_before = Change.at.between(given - timedelta(seconds=1), given)
            assert await session.scalar(select(func.count()).where(just_before)) == 1
        assert at == given
        assert at.utcoffset() == timedelta(0)


async def test_the_stores_are_separate(storage: Storage):
    async with storage.audit.write(), asyncio.timeout(PATIENCE), storage.app.write() as session:
        session.add(change(clock.now()))
    async with storage.app.read() as session:
        assert await rows(session, Change) == 1


async def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path: Path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        url = SecretStr(f"postgresql://bw:hunter2hunter2@127.0.0.1:{port}/bw")
        with pytest.raises(DatabaseUnreachable) as refused:
            async with opened(Settings(data=tmp_path, database_url=url)):
                pass
    assert str(port) in refused.value.detail
    assert "hunter2" not in refused.value.detail


async def test_a_database_that_does_not_exist_is_refused(tmp_path: Path, postgresql: str):
    url = SecretStr(postgresql.replace("/postgres?", "/no_such_database?"))
    with pytest.raises(DatabaseUnreachable, match="no_such_database"):
        async with opened(Settings(data=tmp_path, database_url=url)):
            pass
