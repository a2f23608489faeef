"""Kill -9 while directors work on mail: each mail has one case, and each case its items, once."""

import os
import random
import signal
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest

from faults.test_fetch import fill
from support.model_server import Request, Turn, calls, says, serving_model
from support.office import API
from support.processes import PATIENCE, Forked, bailiwick
from support.server import Server, environment, free_port, running, wait_for

MAILS = 200 if os.environ.get("EVERYTHING") else 24
DIRECTORS = ("Dana", "Dora")
EVERY = MAILS * len(DIRECTORS)
SHARES = (0.05, 0.3, 0.6)
LONG = 4 * PATIENCE


def answer(request: Request) -> Turn:
    """A director adds two items, one after the other."""
    done = len(request.results)
    if done < 2:
        return calls("workspace_add_item", {"label": f"Item {done}", "data": "x"}, pause=0.005)
    return says("Both are there.")


def open_office(owner: httpx.Client, model: str, folder: Path) -> None:
    """Two directors that get all mail, and an account that reads the folder."""
    owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    body = {"name": "Scripted", "provider": "compatible", "model": "scripted-1", "key": "k"}
    made = owner.post(f"{API}/models", json={**body, "baseUrl": model})
    for name in DIRECTORS:
        agent = {
            "workspaceId": workspace,
            "name": name,
            "kind": "director",
            "modelId": made.json()["id"],
            "canCreate": True,
            "maxRequestsPerHour": None,
            "scope": {"accounts": ["*"], "tools": ["workspace_*"]},
        }
        director = owner.post(f"{API}/agents", json=agent).json()["id"]
        body = {"workspaceId": workspace, "field": "Subject", "regex": "mail"}
        assert owner.post(f"{API}/filters", json={**body, "directorId": director}).is_success
    body = {"workspaceId": workspace, "connector": "local", "routeFrom": "all"}
    settings = {"address": "me@example.com", "path": str(folder)}
    assert owner.post(f"{API}/accounts", json={**body, "settings": settings}).is_success


def states(owner: httpx.Client) -> dict[str, int]:
    return owner.get(f"{API}/cases", params={"PageSize": 1}).json()["states"]


def every_case(owner: httpx.Client) -> list[dict]:
    found: list[dict] = []
    query: dict[str, object] = {"PageSize": 100}
    while True:
        page = owner.get(f"{API}/cases", params=query).json()
        found += page["items"]
        if not page["hasMore"]:
            return found
        query["ContinuationToken"] = page["continuationToken"]


@pytest.mark.req("CASE-01", "DIR-04")
def test_cases_that_are_killed_again_and_again_are_made_once_and_finished_once(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    fill(tmp_path / "post", 0, MAILS)
    chance = random.Random(20)
    with serving_model(answer) as model:
        server = Server(data, port).wait_ready()
        try:
            owner = server.owner()
            cookies = dict(owner.cookies)
            open_office(owner, model.base_url, tmp_path / "post")
            for share in SHARES:
                wait_until_done(owner, share + chance.random() / MAILS)
                server.kill()
                server.stop()
                server = Server(data, port).wait_ready()
                owner = server.browser()
                owner.cookies.update(cookies)
            check(owner)
        finally:
            server.stop()


@pytest.mark.req("CASE-01", "RUN-05")
def test_two_workers_on_one_database_make_each_case_once_however_often_one_is_killed(
    postgresql_database: str, tmp_path: Path
):
    data, env = tmp_path / "data", {"BAILIWICK_DATABASE_URL": postgresql_database}
    fill(tmp_path / "post", 0, MAILS)
    chance = random.Random(21)
    with serving_model(answer) as model, running(data, **env) as server:
        worker = started_worker(tmp_path, **env)
        try:
            owner = server.owner()
            open_office(owner, model.base_url, tmp_path / "post")
            for share in SHARES:
                wait_until_done(owner, share + chance.random() / MAILS)
                worker.send_signal(signal.SIGKILL)
                worker.wait()
                worker = started_worker(tmp_path, **env)
            check(owner)
        finally:
            worker.send_signal(signal.SIGTERM)
            worker.wait()


def started_worker(folder: Path, **env: str) -> Forked:
    log = folder / f"worker-{time.monotonic_ns()}.log"
    log.touch()
    made = Forked(bailiwick, "worker", env=environment(folder / "data", **env), out=log)
    wait_for(lambda: "ready" in log.read_text() or made.poll() is not None)
    assert made.poll() is None, log.read_text()
    return made


def wait_until_done(owner: httpx.Client, share: float) -> None:
    wait_for(lambda: states(owner).get("done", 0) >= share * EVERY, LONG)


def check(owner: httpx.Client) -> None:
    """Each mail has one case for each director, and each case has its items, once."""
    wait_for(lambda: states(owner) == {"done": EVERY}, LONG)
    cases = every_case(owner)
    made = Counter((case["mail"]["subject"], case["directorName"]) for case in cases)
    assert set(made) == {(f"Mail {n}", name) for n in range(MAILS) for name in DIRECTORS}
    assert set(made.values()) == {1}
    for case in cases:
        items = owner.get(f"{API}/cases/{case['id']}/items").json()["items"]
        assert [item["label"] for item in items] == ["Item 0", "Item 1"], case
