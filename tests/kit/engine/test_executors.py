"""Who is alive and who leads: locks in PostgreSQL, looked at from outside."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import psycopg
import pytest
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bailiwick.kit.engine import executors
from bailiwick.kit.engine.executors import Executors
from bailiwick.kit.eventlog.bus import stopped
from support.server import PATIENCE


class Resumed:
    """Notes whose jobs were to be resumed, and goes wrong as often as it is told to."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.ids: list[str] = []

    async def __call__(self, id: str) -> None:
        self.ids.append(id)
        if self.errors:
            raise self.errors.pop(0)


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110  (what changes is in the database)
            await asyncio.sleep(0.02)


@pytest.fixture
def database(postgresql_database: str) -> str:
    """A database with the one table that is looked at."""
    with psycopg.connect(postgresql_database) as connection:
        connection.execute("CREATE SCHEMA engine")
        connection.execute("CREATE TABLE engine.workflow_status (executor_id text, status text)")
    return postgresql_database


@asynccontextmanager
async def place(
    url: str, id: str, resume: Resumed | None = None, *, ready: bool = True
) -> AsyncIterator[Executors]:
    made = Executors(url, id, ready=lambda: ready, resume=resume or Resumed())
    keeping = asyncio.create_task(made.keep())
    try:
        async with asyncio.timeout(PATIENCE):
            await made.entered()
        yield made
    finally:
        await stopped(keeping)


def leave_pending(url: str, *ids: str) -> None:
    with psycopg.connect(url) as connection:
        for id in ids:
            connection.execute("INSERT INTO engine.workflow_status VALUES (%s, 'PENDING')", (id,))


def locks(url: str) -> int:
    with psycopg.connect(url) as connection:
        # Of this database alone: others have theirs in the same list.
        row = connection.execute(
            "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE locktype = 'advisory' AND granted AND datname = current_database()"
        ).fetchone()
        assert row
        return row[0]


def cut_connections(url: str) -> None:
    """What a network that fails, or a server that restarts, does to those who are connected."""
    with psycopg.connect(url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


@pytest.mark.req("RUN-05")
async def test_one_leads_and_another_takes_over_when_it_leaves(database: str):
    async with place(database, "a") as first:
        await until(first.leads.is_set)
        async with place(database, "b") as second:
            await until(lambda: locks(database) == 3)
            assert not second.leads.is_set()
    async with place(database, "c") as third:
        await until(third.leads.is_set)
    assert not first.leads.is_set()


async def test_one_who_cannot_work_does_not_lead(database: str):
    async with place(database, "a", ready=False) as first:
        async with place(database, "b") as second:
            await until(second.leads.is_set)
        assert not first.leads.is_set()


@pytest.mark.req("RUN-05")
async def test_only_who_is_gone_is_resumed_and_never_oneself(database: str):
    resume = Resumed()
    leave_pending(database, "a", "b", "gone")
    # The other is there before anyone leads who might miss it.
    async with place(database, "b", ready=False), place(database, "a", resume):
        await until(lambda: len(resume.ids) >= 2)
    assert set(resume.ids) == {"gone"}


@pytest.mark.req("RUN-05")
async def test_an_error_while_resuming_costs_neither_the_lock_nor_the_lead(database: str):
    """Without its lock a process counts as gone, and its jobs run twice while it lives."""
    resume = Resumed(PoolTimeout("QueuePool limit of size 5 reached"))
    leave_pending(database, "gone")
    async with place(database, "a", resume) as first:
        await until(lambda: len(resume.ids) >= 2)
        await until(lambda: locks(database) >= 2)
        await until(first.leads.is_set)


@pytest.mark.req("RUN-05")
async def test_after_the_connection_was_cut_everyone_is_back_before_anyone_counts_as_gone(
    database: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(executors, "_LOOK_SECONDS", 0.3)
    resumes = Resumed(), Resumed()
    leave_pending(database, "a", "b", "gone")
    async with (
        place(database, "a", resumes[0]) as first,
        place(database, "b", resumes[1]) as second,
    ):
        await until(lambda: first.leads.is_set() or second.leads.is_set())
        cut_connections(database)
        await until(lambda: not first.leads.is_set() and not second.leads.is_set())
        await until(lambda: first.leads.is_set() or second.leads.is_set())
        await until(lambda: len(resumes[0].ids + resumes[1].ids) >= 2)
        assert first.leads.is_set() != second.leads.is_set()
        # One more while the leader looks whether someone is gone.
        await until(lambda: locks(database) == 3)
    assert {*resumes[0].ids, *resumes[1].ids} == {"gone"}
