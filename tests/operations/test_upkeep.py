"""What the office does for itself: tidying up and backups, by schedule, in a real server."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from bailiwick.config import Settings
from bailiwick.identity.models import Session
from bailiwick.instance.models import Instance
from bailiwick.kit import clock
from bailiwick.kit.engine.flags import FlagRow
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.kit.http.idempotency import IdempotencyKey
from bailiwick.office import opened
from support.office import API
from support.server import Server, running, wait_for

LONG_AGO = timedelta(days=400)


@pytest.fixture
def place(settings: Settings) -> tuple[Path, dict[str, str]]:
    url = settings.database_url
    return settings.data, {"BAILIWICK_DATABASE_URL": url.get_secret_value()} if url else {}


def patient(server: Server) -> httpx.Client:
    """The operator, who may ask as often as it takes."""
    operator = server.operator()
    operator.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    return operator


async def aged(settings: Settings, *statements: Any) -> None:
    async with opened(settings) as runtime, runtime.storage.app.write() as session:
        for statement in statements:
            await session.execute(statement)


def minute() -> float:
    """Of the hour."""
    now = clock.now()
    return now.minute + now.second / 60


async def counted(settings: Settings, table: Any) -> int:
    async with opened(settings) as runtime, runtime.storage.app.read() as session:
        return await session.scalar(select(func.count()).select_from(table)) or 0


def test_what_has_ended_is_removed_by_the_hour_though_nothing_ran_when_it_was_due(
    settings: Settings, place: tuple[Path, dict[str, str]]
):
    data, env = place
    # What has been done once for a time is not made up for: it must not fall due just now.
    wait_for(lambda: not 16.5 < minute() < 17.1)
    with running(data, **env) as server:
        owner = server.owner()
        owner.post(f"{API}/workspaces", json={"name": "W"}, headers={"Idempotency-Key": "one"})
        assert len(server.operator().get(f"{API}/events").json()["items"]) > 2
    old, yesterday = clock.now() - LONG_AGO, (clock.now() - timedelta(days=1)).isoformat()
    asyncio.run(
        aged(
            settings,
            update(Instance).values(created_at=old),
            update(Session).values(created_at=old, last_seen_at=old),
            update(IdempotencyKey).values(created_at=old),
            update(EventRow).values(at=old),
            FlagRow.__table__.insert().values(name="x", raised_at=old, until=old),
        )
    )
    with running(data, **env, BAILIWICK_LOG_LEVEL="info") as server:
        operator = patient(server)

        def tidied() -> bool:
            events = operator.get(f"{API}/events").json()["items"]
            # The newest there was then stays, whatever its age: it keeps the place.
            return sum(event["timestamp"] < yesterday for event in events) <= 1

        wait_for(tidied)
        checks = {c["check"]: c for c in operator.get(f"{API}/doctor").json()["items"]}
        assert checks["jobs"]["state"] == "ok", checks["jobs"]
    for table in (Session, IdempotencyKey, FlagRow):
        assert asyncio.run(counted(settings, table)) == 0, table


@pytest.mark.req("OPS-03")
def test_a_backup_that_fell_due_while_nothing_ran_is_made_once_at_the_next_start(
    settings: Settings, place: tuple[Path, dict[str, str]]
):
    data, env = place
    with running(data, **env) as server:
        assert server.operator().get(f"{API}/backups").json()["items"] == []
    asyncio.run(aged(settings, update(Instance).values(created_at=clock.now() - LONG_AGO)))
    with running(data, **env) as server:
        operator = patient(server)

        def told() -> list[str]:
            query = {"types": "backup.made"}
            events = operator.get(f"{API}/events", params=query).json()["items"]
            return [event["subjectId"] for event in events]

        wait_for(told)
        (made,) = operator.get(f"{API}/backups").json()["items"]
        assert told() == [made["name"]]
    with running(data, **env) as server:
        operator = patient(server)
        operator.patch(f"{API}/settings", json={"backup_schedule": "every hour"})
        assert [item["name"] for item in operator.get(f"{API}/backups").json()["items"]] == [
            made["name"]
        ]


@pytest.mark.req("OPS-03")
def test_a_backup_that_fails_is_told_with_its_reason(
    settings: Settings, place: tuple[Path, dict[str, str]]
):
    data, env = place
    with running(data, **env):
        pass
    asyncio.run(aged(settings, update(Instance).values(created_at=clock.now() - LONG_AGO)))
    # A file where the folder should be: nothing can be written below it.
    (data / "backups").write_text("in the way")
    with running(data, **env) as server:
        operator = patient(server)
        wait_for(lambda: operator.get(f"{API}/backups").json()["schedule"]["lastError"])

        def told() -> bool:
            checks = {c["check"]: c for c in operator.get(f"{API}/doctor").json()["items"]}
            return "backup last: " in checks["jobs"]["detail"]

        wait_for(told)
