"""Kill -9 while suggestions are accepted: each paper is somewhere once, and all agree where."""

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.doomed import DoomedServer
from support.office import API
from support.server import Server, free_port, wait_for

SUGGESTIONS = f"{API}/inbox/suggestions"
# One yes that is cut before it happens, with both names, and before it is noted; then many at once.
SINGLE = ("linked:1", "unlinked:1", "opened:1")
BULK = ("unlinked:3", "linked:5", "opened:2")
PAPERS = 12


def hashes(folder: Path) -> Counter[str]:
    return Counter(
        hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    )


def filled(folder: Path) -> None:
    for name in ("inbox", "finance"):
        (folder / name).mkdir(parents=True)
    for number in range(PAPERS):
        paper = folder / f"inbox/paper {number}.txt"
        paper.write_text(f"Invoice {number} from Brandl.")
        os.utime(paper, (1_700_000_000, 1_700_000_000))
    (folder / "finance/paper 0.txt").write_text("Another one of that name.")


def opened(owner: httpx.Client, folder: Path) -> None:
    """The folder as a notebook, with a suggestion for each of its papers."""
    owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    workspace = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    owner.patch(f"{API}/inbox/settings", json={"autoOrganize": False})
    body = {"name": "Papers", "path": str(folder)}
    made = owner.post(f"{API}/workspaces/{workspace}/notebooks", json=body)
    assert made.status_code == 201, made.text
    wait_for(lambda: all(each["textState"] != "waiting" for each in waiting(owner, PAPERS)))
    for number in range(PAPERS):
        given = {"file_path": f"Papers/inbox/paper {number}.txt", "target_folder": "Papers/finance"}
        given |= {"reasoning": "An invoice.", "confidence": 0.9}
        path = f"{API}/workspaces/{workspace}/tools/create_suggestion"
        done = owner.post(path, json={"arguments": given})
        assert done.status_code == 200, done.text


def waiting(owner: httpx.Client, count: int) -> list[dict[str, Any]]:
    found = owner.get(f"{API}/inbox/files", params={"PageSize": 100}).json()["items"]
    return found if len(found) == count else [{"textState": "waiting"}]


def listed(owner: httpx.Client, status: str) -> list[dict[str, Any]]:
    found = owner.get(SUGGESTIONS, params={"status": status, "PageSize": 100}).json()["items"]
    return sorted(found, key=lambda each: each["file_path"])


def agrees(owner: httpx.Client, folder: Path) -> bool:
    """Whether suggestions, the index and the disk say the same of every paper."""
    pending, accepted = listed(owner, "pending"), listed(owner, "accepted")
    inbox = {each["path"] for each in waiting(owner, len(pending)) if "path" in each}
    return (
        len(pending) + len(accepted) == PAPERS
        and inbox == {each["file_path"] for each in pending}
        and all((folder.parent / each["file_path"]).exists() for each in pending)
        and all((folder.parent / each["new_path"]).exists() for each in accepted)
        and all(each["action_id"] for each in accepted)
        and not owner.get(f"{API}/actions?status=open").json()["items"]
    )


@pytest.mark.req("INBOX-03", "INBOX-04")
def test_papers_whose_moves_are_killed_are_somewhere_once_and_are_taken_back(tmp_path: Path):
    folder, data, port = tmp_path / "Papers", tmp_path / "data", free_port()
    filled(folder)
    before = hashes(folder)
    server: Server = DoomedServer(data, port, DIES_AT=SINGLE[0]).wait_ready()
    try:
        owner = server.owner()
        cookies = dict(owner.cookies)
        opened(owner, folder)
        for at, _ in enumerate((*SINGLE, *BULK)):
            ids = [each["id"] for each in listed(owner, "pending")]
            assert isinstance(server, DoomedServer)
            server.doom()
            one, many = {"action": "accept"}, {"ids": ids, "action": "accept"}
            path, body = (f"/{ids[0]}/resolve", one) if at < len(SINGLE) else ("/resolve", many)
            with pytest.raises(httpx.TransportError):
                owner.post(SUGGESTIONS + path, json=body)
            server.process.wait()
            server.stop()
            then = (*SINGLE, *BULK, None)[at + 1]
            server = (
                DoomedServer(data, port, DIES_AT=then) if then else Server(data, port)
            ).wait_ready()
            owner = server.browser()
            owner.cookies.update(cookies)
            wait_for(lambda: agrees(owner, folder))  # noqa: B023
            assert hashes(folder) == before
        accepted = listed(owner, "accepted")
        assert len(accepted) >= 6, "the first kill came before the move, the others during one"
        assert (folder / "finance/paper 0.txt").read_text() == "Another one of that name."
        for each in accepted:
            undone = owner.post(f"{SUGGESTIONS}/{each['id']}/undo")
            assert undone.status_code == 200, undone.text
        assert len(list((folder / "inbox").iterdir())) == PAPERS
        assert hashes(folder) == before
    finally:
        server.stop()
