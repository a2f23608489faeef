"""Kill -9 while agents work: every run goes on after it, and no effect happens twice."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.model_server import Answer, ModelServer, Request, Turn, calls, says, serving_model
from support.office import API
from support.processes import Forked, bailiwick
from support.server import Server, environment, free_port, wait_for

EFFECTS = 3
RUNS = 12 if os.environ.get("EVERYTHING") else 6
ENOUGH = 1000


def answer(request: Request) -> Turn:
    """Three tasks, each with a title of its own, and then an answer; slowly enough to be killed."""
    done = len(request.results)
    if done < EFFECTS:
        return calls("create_task", {"title": f"{request.last} {done}"}, pause=0.02)
    return says("All three are on the list.", pause=0.01)


class Leash:
    """Lets some answers out in each life of the server, and keeps who asks for more waiting."""

    def __init__(self, left: int = RUNS + 2, says: Answer = answer) -> None:
        self.left, self._says, self._life, self._news = left, says, 0, threading.Condition()

    def __call__(self, request: Request) -> Turn:
        with self._news:
            life = self._life
            self._news.wait_for(lambda: self.left or self._life != life)
            self.left -= self._life == life
        return self._says(request)

    def slip(self, answers: int) -> None:
        """Another life begins; who is left of the one before is kept waiting no more."""
        with self._news:
            self._life, self.left = self._life + 1, answers
            self._news.notify_all()


@pytest.fixture
def leash() -> Leash:
    return Leash()


@pytest.fixture
def model(leash: Leash) -> Iterator[ModelServer]:
    with serving_model(leash) as server:
        yield server
    leash.slip(ENOUGH)


def open_office(
    owner: httpx.Client, model: ModelServer, *, sees: bool | None = None, **more: object
) -> str:
    """Configure the model and an agent that uses it; returns the agent's id."""
    owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    body = {"name": "Scripted", "provider": "compatible", "model": "scripted-1", "key": "k"}
    made = owner.post(f"{API}/models", json={**body, "baseUrl": model.base_url, "seesImages": sees})
    assert made.status_code == 201, made.text
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    agent = {
        "workspaceId": workspace,
        "name": "Clerk",
        "modelId": made.json()["id"],
        "canCreate": True,
        "maxRequestsPerHour": None,
        **more,
    }
    made = owner.post(f"{API}/agents", json=agent)
    assert made.status_code == 201, made.text
    return made.json()["id"]


def begin(owner: httpx.Client, agent: str, words: list[str]) -> None:
    for each in words:
        made = owner.post(f"{API}/agents/{agent}/sessions", json={"content": each})
        assert made.status_code == 201, made.text


def every(owner: httpx.Client, path: str) -> list[dict]:
    found: list[dict] = []
    query: dict[str, object] = {"PageSize": 100}
    while True:
        page = owner.get(f"{API}{path}", params=query).json()
        found += page["items"]
        if not page["hasMore"]:
            return found
        query["ContinuationToken"] = page["continuationToken"]


def finished(owner: httpx.Client, count: int) -> bool:
    runs = every(owner, "/runs")
    return len(runs) == count and all(run["status"] == "completed" for run in runs)


def titles(owner: httpx.Client) -> Counter[str]:
    """What the agent really did, counted."""
    made = [row for row in every(owner, "/actions") if row["tool"] == "create_task"]
    return Counter(row["arguments"]["title"] for row in made if row["status"] == "done")


def on_the_list(owner: httpx.Client) -> Counter[str]:
    """The tasks themselves, whatever the record of what was done says."""
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    path = f"{API}/workspaces/{workspace}/tools/list_tasks"
    answer = owner.post(path, json={"arguments": {"limit": 200}}).json()
    return Counter(task["title"] for task in answer["result"]["tasks"])


def open_questions(owner: httpx.Client, session: str) -> list[str]:
    waiting = owner.get(session).json()["pendingActions"]
    return [each["id"] for each in waiting if each["approval"]["status"] == "pending"]


def each_once(words: list[str]) -> Counter[str]:
    return Counter(f"{each} {number}" for each in words for number in range(EFFECTS))


@pytest.mark.req("RUN-01")
def test_runs_go_on_after_kills_at_random_moments_and_nothing_happens_twice(
    tmp_path: Path, model: ModelServer, leash: Leash
):
    data, port, chance = tmp_path / "data", free_port(), random.Random(7)
    server = Server(data, port).wait_ready()
    words = [f"run {number}" for number in range(RUNS)]
    try:
        owner = server.owner()
        cookies = dict(owner.cookies)
        begin(owner, open_office(owner, model), words)
        for answers in (RUNS + 2, ENOUGH):
            wait_for(lambda: not leash.left)
            time.sleep(chance.random() * 0.3)  # any moment will do
            server.kill()
            server.stop()
            leash.slip(answers)
            server = Server(data, port).wait_ready()
            owner = server.browser()
            owner.cookies.update(cookies)
        wait_for(lambda: finished(owner, len(words)))
        assert titles(owner) == on_the_list(owner) == each_once(words)
        for run in every(owner, "/runs"):
            session = owner.get(f"{API}/sessions/{run['id']}").json()
            roles = [message["role"] for message in session["messages"]]
            assert roles == ["system", "user", *["assistant", "tool"] * EFFECTS, "assistant"]
    finally:
        server.stop()


@pytest.mark.req("RUN-01")
def test_a_waiting_run_outlives_a_kill_and_goes_on_after_a_yes(
    tmp_path: Path, model: ModelServer, leash: Leash
):
    leash.slip(ENOUGH)
    data, port = tmp_path / "data", free_port()
    server = Server(data, port).wait_ready()
    try:
        owner = server.owner()
        cookies = dict(owner.cookies)
        begin(owner, open_office(owner, model, askTools=["create_task"]), ["careful"])
        session = f"{API}/sessions/{every(owner, '/runs')[0]['id']}"
        for number in range(1, EFFECTS + 1):
            wait_for(lambda: open_questions(owner, session))  # noqa: B023
            if number == 2:
                server.kill()
                server.stop()
                server = Server(data, port).wait_ready()
                owner = server.browser()
                owner.cookies.update(cookies)
            (waiting,) = open_questions(owner, session)
            body = {"actionId": waiting, "confirmed": True}
            assert owner.post(f"{session}/confirm", json=body).status_code == 200
            wait_for(lambda: len(titles(owner)) == number)  # noqa: B023
        wait_for(lambda: finished(owner, 1))
        assert titles(owner) == on_the_list(owner) == each_once(["careful"])
    finally:
        server.stop()


@pytest.mark.req("RUN-05")
def test_of_two_workers_one_is_killed_and_the_other_finishes_every_run(
    tmp_path: Path, postgresql_database: str, model: ModelServer, leash: Leash
):
    data, port = tmp_path / "data", free_port()
    url = {"BAILIWICK_DATABASE_URL": postgresql_database}
    server = Server(data, port, **url).wait_ready()
    words = [f"run {number}" for number in range(RUNS)]
    worker = None
    try:
        owner = server.owner()
        agent = open_office(owner, model)
        log = tmp_path / "worker.log"
        log.touch()
        worker = Forked(bailiwick, "worker", env=environment(data, **url), out=log)
        wait_for(lambda: "ready" in log.read_text() or worker.poll() is not None)
        assert worker.poll() is None, log.read_text()
        begin(owner, agent, words)
        wait_for(lambda: not leash.left)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        leash.slip(ENOUGH)
        wait_for(lambda: finished(owner, len(words)))
        assert titles(owner) == on_the_list(owner) == each_once(words)
    finally:
        if worker and worker.poll() is None:
            worker.send_signal(signal.SIGKILL)
        server.stop()
