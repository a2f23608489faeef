"""kill -9 under way: a job goes on behind its last recorded step, and does nothing twice."""

import os
import secrets
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from bailiwick.config import Settings
from bailiwick.kit.db import migrate, sqlite
from bailiwick.kit.db.storage import STORES, StoreName, sqlite_path
from bailiwick.kit.folder import DataFolder
from bailiwick.office import opened, storage_of
from support.jobs import Place
from support.server import cli, free_port, running, wait_for

STEPS = 3
POINTS = [
    "start",
    *(f"{step}/{where}" for step in range(1, STEPS + 1) for where in ("before", "in", "after")),
    "end",
]
Jobs = dict[str, dict[str, Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An installation, once on each database."""
    made = Place(tmp_path / "data", key=secrets.token_hex(32))
    if request.param == "postgresql":
        made = Place(tmp_path / "data", url=request.getfixturevalue("postgresql_database"))
    yield made
    made.end()


def expected_runs(plan: dict[str, tuple[str, ...]]) -> Counter[tuple[str, int]]:
    """Once each, and once more for each time that a step was killed before its record."""
    runs = Counter((job, step) for job in plan for step in range(1, STEPS + 1))
    for job, points in plan.items():
        for point in points:
            step, _, where = point.partition("/")
            if where in ("in", "after"):
                runs[job, int(step)] += 1
    return runs


def assert_each_effect_is_there_once(place: Place, jobs: Jobs) -> None:
    """Keys are the same after every crash, or there would be more."""
    wanted = sorted(f"{job}/{step}" for job in jobs for step in range(1, STEPS + 1))
    assert place.effects() == wanted


def assert_results_are_those_of_the_last_runs(place: Place, jobs: Jobs) -> None:
    """A recorded step gives back what it gave the first time, not something new."""
    last = {(line["job"], line["step"]): line["token"] for line in place.trace("ended")}
    for id, job in jobs.items():
        assert job["output"] == [last[id, step] for step in range(1, STEPS + 1)]


@pytest.mark.req("RUN-05")
def test_a_job_killed_at_any_boundary_goes_on_behind_its_last_recorded_step(place: Place):
    plan = {f"at {point}": point for point in POINTS}
    first = place.start(hold=plan, per_partition=1)
    first.begin("steps", STEPS, id="ended")
    first.wait_done("ended")
    first.ask("begin_all", job="steps", ids=list(plan), args=[STEPS])
    wait_for(lambda: len(place.trace("held")) == len(plan))
    first.begin("steps", STEPS, id="enqueued", partition="at start")
    first.begin("steps", STEPS, id="delayed", delay=3600)
    assert Counter(first.statuses().values()) == {
        "SUCCESS": 1,
        "PENDING": len(plan),
        "ENQUEUED": 1,
        "DELAYED": 1,
    }
    first.kill()
    second = place.start()
    second.ask("hasten", id="delayed")
    jobs = second.wait_done()
    assert set(jobs) == {*plan, "ended", "enqueued", "delayed"}
    killed = {job: (plan[job],) if job in plan else () for job in jobs}
    assert place.runs() == expected_runs(killed)
    assert_each_effect_is_there_once(place, jobs)
    assert_results_are_those_of_the_last_runs(place, jobs)


@pytest.mark.long
@pytest.mark.req("RUN-05")
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_jobs_killed_again_and_again_end_all_the_same(place: Place):
    plan = {"+".join(points): points for points in list(combinations(POINTS, 3))[::5]}
    for life in range(3):
        child = place.start(hold={job: points[life] for job, points in plan.items()})
        if life == 0:
            child.ask("begin_all", job="steps", ids=list(plan), args=[STEPS])
        wait_for(lambda so_far=life + 1: len(place.trace("held")) == so_far * len(plan))
        child.kill()
    jobs = place.start().wait_done()
    assert place.runs() == expected_runs(plan)
    assert_each_effect_is_there_once(place, jobs)
    assert_results_are_those_of_the_last_runs(place, jobs)


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
def test_jobs_killed_at_arbitrary_moments_lose_and_repeat_nothing(place: Place):
    """Not at a boundary of ours, but wherever the engine happens to be."""
    ids = [f"job {number}" for number in range(20)]
    kills = (5, 20, 40, 60) if os.environ.get("EVERYTHING") else (5, 40)
    for enough in kills:
        child = place.start()
        # Again and again: it may have been killed before it had begun them all.
        child.tell("begin_all", job="steps", ids=ids, args=[STEPS])
        wait_for(lambda enough=enough: len(place.trace()) >= enough)
        child.kill()
    last = place.start()
    last.ask("begin_all", job="steps", ids=ids, args=[STEPS])
    jobs = last.wait_done()
    assert set(jobs) == set(ids)
    assert_each_effect_is_there_once(place, jobs)
    assert_results_are_those_of_the_last_runs(place, jobs)
    assert max(place.runs().values()) <= len(kills) + 1
    for id in ids:
        began = [line["step"] for line in place.trace("began", job=id)]
        assert began == sorted(began), "a step ran again although the next one had begun"


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
def test_a_job_is_begun_once_however_often_and_whenever_it_is_asked_for(place: Place):
    first = place.start(hold={"once": "2/after"})
    first.begin("steps", STEPS, id="once", times=20)
    wait_for(lambda: place.trace("held"))
    first.begin("steps", STEPS, id="once", times=5)
    first.kill()
    second = place.start()
    second.begin("steps", STEPS, id="once", times=20)
    second.wait_done("once")
    second.begin("steps", STEPS, id="once", times=5)
    second.begin("steps", 1, id="another")
    second.wait_done("another")
    assert place.runs() == {("once", 1): 1, ("once", 2): 2, ("once", 3): 1, ("another", 1): 1}


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
def test_a_job_under_way_when_the_process_is_told_to_stop_goes_on_at_the_next_start(place: Place):
    first = place.start(hold={"a": "2/in", "b": "2/after"})
    first.ask("begin_all", job="steps", ids=["a", "b"], args=[STEPS])
    wait_for(lambda: len(place.trace("held")) == 2)
    first.stop()
    jobs = place.start().wait_done()
    assert place.runs() == expected_runs({"a": ("2/in",), "b": ("2/after",)})
    assert_each_effect_is_there_once(place, jobs)


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize("change", [pytest.param("1", marks=pytest.mark.long), "3", "20"])
def test_an_engine_that_was_killed_while_it_made_its_tables_starts_all_the_same(
    place: Place, change: str
):
    with pytest.raises(AssertionError):
        place.start(die={"start": change})
    place.children[-1].wait_died()
    again = place.start()
    again.begin("steps", STEPS, id="job")
    again.wait_done("job")


def serve(settings: Settings) -> CompletedProcess[str]:
    """Try to serve an installation that cannot be served."""
    extra = {"BAILIWICK_PORT": str(free_port())}
    if url := settings.database_url:
        extra["BAILIWICK_DATABASE_URL"] = url.get_secret_value()
    return cli("serve", data=settings.data, env=extra)


def query(settings: Settings, statement: str) -> list[Any]:
    """Ask the engine's store, or change it, while nobody else uses it."""
    if url := settings.database_url:
        with psycopg.connect(url.get_secret_value(), options="-csearch_path=engine") as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []
    with closing(sqlite.connect(sqlite_path(settings.data, "engine"), None)) as connection:
        return connection.execute(statement).fetchall()


def content(settings: Settings) -> list[Any]:
    tables = ("dbos_migrations", "workflow_status", "workflow_schedules", "queues")
    return [sorted(map(repr, query(settings, f"SELECT * FROM {table}"))) for table in tables]


@pytest.fixture
async def installation(settings: Settings) -> Settings:
    """One that has run before, and whose engine has done a job."""
    DataFolder(settings.data).prepare()
    async with opened(settings):
        pass
    url = settings.database_url
    place = Place(settings.data, url=url.get_secret_value() if url else None)
    child = place.start()
    child.begin("steps", STEPS, id="job")
    child.wait_done("job")
    child.stop()
    return settings


@pytest.mark.req("OPS-03")
def test_an_engine_store_of_a_newer_version_is_refused_and_left_alone(installation: Settings):
    query(installation, "UPDATE dbos_migrations SET version = version + 1000")
    before = content(installation)
    refused = serve(installation)
    assert refused.returncode == 2
    assert "Nothing was changed" in refused.stderr
    assert "Upgrade Bailiwick" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert content(installation) == before


@pytest.mark.req("OPS-03")
@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
def test_an_engine_store_that_is_gone_is_missed_and_not_made_anew(installation: Settings):
    for path in installation.data.glob("engine.db*"):
        path.unlink()
    refused = serve(installation)
    assert refused.returncode == 2
    assert "engine.db" in refused.stderr
    assert "it is gone" in refused.stderr
    assert not list(installation.data.glob("engine.db*"))


@pytest.mark.req("OPS-03")
@pytest.mark.parametrize("name", STORES)
async def test_a_store_that_was_empty_when_the_first_start_was_killed_is_made_by_the_next(
    sqlite_settings: Settings, name: StoreName
):
    """A file is there a moment before there is anything in it."""
    sqlite_settings.data.mkdir()
    storage = storage_of(sqlite_settings, None)
    await migrate.upgrade(storage)
    await storage.close()
    for later in STORES[STORES.index(name) :]:
        for path in sqlite_settings.data.glob(f"{later}.db*"):
            path.unlink()
    sqlite_path(sqlite_settings.data, name).touch()
    async with opened(sqlite_settings):
        pass


@pytest.mark.req("OPS-03")
async def test_an_installation_can_be_closed_while_its_database_is_away(
    postgresql: str, postgresql_database: str, tmp_path: Path
):
    given = {"data": tmp_path / "data", "database_url": postgresql_database}
    DataFolder(tmp_path / "data").prepare()
    async with opened(Settings.model_validate(given)):
        name = conninfo_to_dict(postgresql_database)["dbname"]
        with psycopg.connect(postgresql, autocommit=True) as connection:
            connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false'.encode())
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )


@pytest.mark.req("RUN-05")
def test_a_server_told_to_stop_ends_what_it_began(sqlite_settings: Settings):
    """It leaves no word of itself, and no log that the next start has to fold into the files."""
    with running(sqlite_settings.data) as server:
        server.stop()
    assert server.process.returncode == 0
    left = {path.name for path in sqlite_settings.data.iterdir()}
    assert "server.json" not in left
    assert not {name for name in left if name.endswith("-wal")}
