"""Kill -9 while directors work on mail: each mail has one case, and each case its items, once."""

import os
import random
from collections import Counter
from pathlib import Path

import httpx
import pytest

from faults.test_fetch import fill
from support.model_server import Request, Turn, calls, says, serving_model
from support.office import API
from support.server import Server, free_port, wait_for

MAILS = 200 if os.environ.get("EVERYTHING") else 40
DIRECTORS = ("Dana", "Dora")


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
    data, folder, port = tmp_path / "data", tmp_path / "post", free_port()
    fill(folder, 0, MAILS)
    every, chance = MAILS * len(DIRECTORS), random.Random(20)
    with serving_model(answer) as model:
        server = Server(data, port).wait_ready()
        try:
            owner = server.owner()
            cookies = dict(owner.cookies)
            open_office(owner, model.base_url, folder)
            for share in (0.05, 0.3, 0.6):
                reached = share * every + chance.random()
                wait_for(lambda who=owner, most=reached: states(who).get("done", 0) >= most)
                server.kill()
                server.stop()
                server = Server(data, port).wait_ready()
                owner = server.browser()
                owner.cookies.update(cookies)
            wait_for(lambda: states(owner) == {"done": every})
            cases = every_case(owner)
            items = {
                case["id"]: owner.get(f"{API}/cases/{case['id']}/items").json()["items"]
                for case in cases
            }
        finally:
            server.stop()
    made = Counter((case["mail"]["subject"], case["directorName"]) for case in cases)
    assert set(made) == {(f"Mail {n}", name) for n in range(MAILS) for name in DIRECTORS}
    assert set(made.values()) == {1}
    labels = {id: [item["label"] for item in found] for id, found in items.items()}
    assert set(map(tuple, labels.values())) == {("Item 0", "Item 1")}
