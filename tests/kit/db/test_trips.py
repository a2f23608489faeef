"""A statement is one visit to SQLite's thread, and its transaction begins there too."""

import asyncio
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from bailiwick.kit.db import Storage

READ = text("SELECT 1 UNION SELECT 2")


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the thread, as it is asked."""
    asked: list[str] = []
    real = aiosqlite.Connection._execute

    def counted(self: aiosqlite.Connection, function, *args, **more):
        asked.append(function.__name__)
        return real(self, function, *args, **more)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    return asked


@pytest.fixture
async def store(migrated_folder: Path):
    storage = Storage.on_sqlite(migrated_folder, None)
    async with storage.app.read() as session:
        await session.execute(READ)  # the connection is open from here on
    yield storage.app
    await storage.close()


async def test_a_read_goes_there_to_ask_and_to_end(store, visits: list[str]):
    async with store.read() as session:
        assert list(await session.scalars(READ)) == [1, 2]
        assert len(visits) == 1
    assert len(visits) == 2


async def test_who_asks_nothing_goes_nowhere(store, visits: list[str]):
    async with store.read() as session:
        await session.connection()
    assert visits == []


async def test_all_reads_of_a_session_see_the_same_also_when_rows_come_in_turn(store):
    count = text("SELECT count(*) FROM rate_buckets")
    add = text("INSERT INTO rate_buckets VALUES (:key, 1, 1)")
    try:
        async with store.read() as one, store.read() as other:
            assert await one.scalar(count) == 0
            streamed = await other.stream(text("SELECT key FROM rate_buckets"))
            async with store.write() as session:
                await session.execute(add, [{"key": "a"}, {"key": "b"}])
            assert await one.scalar(count) == 0
            assert [row async for row in streamed] == []
            assert await other.scalar(count) == 0
        async with store.read() as session:
            assert await session.scalar(count) == 2
    finally:
        async with store.write() as session:
            await session.execute(text("DELETE FROM rate_buckets"))


async def test_what_fails_leaves_nothing_behind_and_the_connection_goes_on(store):
    async def fail() -> None:
        async with store.write() as session:
            await session.execute(text("INSERT INTO rate_buckets VALUES ('lost', 1, 1)"))
            await session.execute(text("SELECT * FROM nowhere"))

    with pytest.raises(OperationalError, match="no such table"):
        await fail()
    async with store.write() as session:
        assert await session.scalar(text("SELECT count(*) FROM rate_buckets")) == 0


async def test_who_only_reads_cannot_write(store):
    with pytest.raises(OperationalError, match="readonly"):
        async with store.read() as session:
            await session.execute(text("DELETE FROM rate_buckets"))


async def test_who_is_cancelled_in_the_middle_leaves_no_transaction_open(store):
    slow = text(
        "INSERT INTO rate_buckets WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
        "WHERE i < 200000) SELECT max(i), 1, 1 FROM n"
    )

    async def write() -> None:
        async with store.write() as session:
            await session.execute(slow)

    for turns in range(6):
        under_way = asyncio.create_task(write())
        for _ in range(turns):
            await asyncio.sleep(0)
        under_way.cancel()
        with pytest.raises(asyncio.CancelledError):
            await under_way
        async with store.write() as session:
            assert await session.scalar(text("SELECT count(*) FROM rate_buckets")) == 0
