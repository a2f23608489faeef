"""From mail to finished cases: how many a minute, with 1, 5 and 20 directors side by side.

A server of its own reads a Maildir; each mail goes to one director, which adds one item and is
done. The scripted model answers at once, so that what is left is ours; the offline model is rules
in the same process. The floor is the same number of runs that do nothing but answer once: a case
asks its model twice and makes one call besides.

Seen on two cores that did other work too: 1 director 310 cases a minute scripted and 345 offline,
beside 443 plain runs (1.43); 5 directors 308 and 319 beside 431 (1.40); 20 directors 341 and 349
beside 404 (1.19).
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# Not this folder: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))

MAILS = 60
DIRECTORS = (1, 5, 20)
PATIENCE = 600.0


def answer(request: Any) -> Any:
    """One item, and the end."""
    from support.model_server import calls, says

    if request.results or "workspace_add_item" not in request.tools:
        return says("Done.")
    return calls("workspace_add_item", {"label": "Summary", "data": "A mail."})


def office(owner: Any, model: str | None, count: int) -> tuple[str, list[str]]:
    """The workspace, with so many directors and a filter for each."""
    from support.office import API

    owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    more: dict[str, Any] = {}
    if model:
        body = {"name": "Scripted", "provider": "compatible", "model": "scripted-1", "key": "k"}
        made = owner.post(f"{API}/models", json={**body, "baseUrl": model, "parallel": 32})
        more = {"modelId": made.json()["id"]}
    prompt = [{"role": "system", "content": "You sum up a mail, as an item of the case."}]
    directors = []
    for number in range(count):
        agent = {
            "workspaceId": workspace,
            "name": f"Director {number}",
            "kind": "director",
            "canCreate": True,
            "maxRequestsPerHour": None,
            "prompt": prompt,
            "scope": {"accounts": ["*"], "tools": ["workspace_add_item"]},
            **more,
        }
        directors.append(owner.post(f"{API}/agents", json=agent).json()["id"])
        mine = "|".join(f"{tail:02}" for tail in range(100) if tail % count == number)
        body = {"workspaceId": workspace, "field": "Subject", "regex": f"^Mail [0-9]*({mine})$"}
        made = owner.post(f"{API}/filters", json={**body, "directorId": directors[-1]})
        assert made.status_code == 201, made.text
    return workspace, directors


def connect(owner: Any, workspace: str, folder: Path) -> str:
    """An account that reads a Maildir; its id."""
    from support.office import API

    body = {"workspaceId": workspace, "connector": "local", "routeFrom": "all"}
    settings = {"address": "me@example.com", "path": str(folder)}
    made = owner.post(f"{API}/accounts", json={**body, "settings": settings})
    assert made.status_code == 201, made.text
    return made.json()["id"]


def cases(folder: Path, model: str | None, count: int) -> float:
    """Seconds until every mail's case is done."""
    from faults.test_fetch import fill
    from support.office import API
    from support.server import running

    folder.mkdir()
    fill(folder / "post", 100, MAILS)
    with running(folder / "data") as server:
        owner = server.owner()
        workspace, _ = office(owner, model, count)
        started = time.perf_counter()
        connect(owner, workspace, folder / "post")
        while time.perf_counter() - started < PATIENCE:
            states = owner.get(f"{API}/cases", params={"PageSize": 1}).json()["states"]
            if states == {"done": MAILS}:
                return time.perf_counter() - started
            time.sleep(0.1)
        raise AssertionError(f"not done in time: {states}")


def runs(folder: Path, model: str, count: int) -> float:
    """Seconds until as many plain runs have answered once: the floor."""
    from support.office import API
    from support.server import running

    with running(folder / "data") as server:
        owner = server.owner()
        _, directors = office(owner, model, count)
        for id in directors:
            owner.patch(f"{API}/agents/{id}", json={"scope": {"accounts": ["*"], "tools": []}})
        started = time.perf_counter()
        for number in range(MAILS):
            path = f"{API}/agents/{directors[number % count]}/sessions"
            assert owner.post(path, json={"content": f"Mail {number}"}).status_code == 201
        while time.perf_counter() - started < PATIENCE:
            query = {"status": "completed", "PageSize": 1}
            if owner.get(f"{API}/runs", params=query).json()["totalItems"] == MAILS:
                return time.perf_counter() - started
            time.sleep(0.1)
        raise AssertionError("not done in time")


def main() -> None:
    """Print a line for each."""
    from support.model_server import serving_model

    print(f"{MAILS} mails, each to one director")
    for count in DIRECTORS:
        with tempfile.TemporaryDirectory() as folder, serving_model(answer) as server:
            root = Path(folder)
            bare = runs(root / "floor", server.base_url, count)
            ours = cases(root / "scripted", server.base_url, count)
            offline = cases(root / "offline", None, count)
        print(
            f"{count:2} directors: scripted {MAILS / ours * 60:6.0f} cases/min, "
            f"offline {MAILS / offline * 60:6.0f} cases/min; "
            f"plain runs {MAILS / bare * 60:6.0f}/min (ratio {ours / bare:.2f})"
        )


if __name__ == "__main__":
    main()
