"""What a member keeps to themselves is not shown at the command line, which acts for the owner."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer

from bailiwick.cli import app
from support.office import API, PASSWORD
from support.server import Server, cli, running

pytestmark = pytest.mark.req("ID-03", "ACC-11")
WORD = "quetzal"
# They serve, wait, or change what there is; what they say is not about anyone's things.
NOT_TRIED = {
    *(("serve",), ("worker",), ("mcp",), ("demo",), ("halt",), ("openapi",), ("db", "migrate")),
    *(("key", "new"), ("key", "show"), ("key", "rotate"), ("key", "prune"), ("key", "reset")),
    *(("fetcher", "start"), ("fetcher", "stop"), ("backup",)),
}


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Every command, and whether it has to be told what about."""
    for name, each in getattr(command, "commands", {}).items():
        yield from commands(each, (*path, name))
    if not hasattr(command, "commands"):
        yield path, any(parameter.required for parameter in command.params)


def member(server: Server, owner: httpx.Client) -> httpx.Client:
    """Sam, who may write in the owner's workspace."""
    space = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    body = {"email": "sam@example.com", "name": "Sam", "role": "user"}
    link = owner.post(f"{API}/users", json=body).json()["link"].partition("#")[2]
    sam = server.browser()
    assert sam.post(f"{API}/auth/password", json={"link": link, "password": PASSWORD}).is_success
    added = {"email": "sam@example.com", "role": "write"}
    assert owner.post(f"{API}/workspaces/{space}/members", json=added).is_success
    return sam


def test_no_command_says_a_word_of_a_members_private_things(tmp_path: Path):
    data = tmp_path / "data"
    with running(data) as server:
        owner = server.owner()
        sam = member(server, owner)
        ids = things(sam, owner.get(f"{API}/workspaces").json()["items"][0]["id"])
        tried: list[tuple[str, ...]] = []
        for path, needs in commands(typer.main.get_command(app)):
            if path not in NOT_TRIED and not needs:
                tried.append(path)
        tried += [
            ("account", "probe", ids["account"]),
            ("account", "share", ids["account"]),
            ("run", "show", ids["run"]),
            ("undo", ids["action"]),
            ("approval", "allow", ids["approval"]),
            ("outbox", "cancel", ids["outgoing"]),
            ("tool", "call", "list_emails"),
            ("tool", "call", "memory_search", '{"query": "bird"}'),
        ]
        told = [path for path in tried if WORD in said(*path, data=data)]
        assert told == []
        assert len(tried) > 20
        assert WORD in sam.get(f"{API}/memory/{ids['memory']}").text, "it is still there, for Sam"
        assert sam.get(f"{API}/approvals/{ids['approval']}").json()["status"] == "pending"
    for command in (("audit", "export"), ("audit", "verify"), ("doctor",), ("account", "list")):
        assert WORD not in said(*command, data=data), "without a server"


def said(*command: str, data: Path) -> str:
    """All that a command prints."""
    done = cli(*command, data=data)
    return (done.stdout + done.stderr).casefold()


def things(sam: httpx.Client, space: str) -> dict[str, str]:
    """Something of Sam's of every kind that commands show."""

    def post(path: str, body: Any, client: httpx.Client = sam, **query: str) -> Any:
        made = client.post(f"{API}{path}", json=body, params=query)
        assert made.is_success, (path, made.text)
        return made.json()

    here = {"workspaceId": space}
    account = {**here, "connector": "local", "label": f"{WORD} post"}
    account_id = post("/accounts", account | {"settings": {"address": f"sam@{WORD}.example"}})["id"]
    memory = post("/memory", {"content": f"the bird is a {WORD}"}, **here)
    letter = {"to": [f"x@{WORD}.example"], "subject": WORD, "body": WORD}
    tools = f"/workspaces/{space}/tools"
    sent = post(f"{tools}/send_email", {"arguments": letter})
    token = post("/tokens", {"name": "t", "scopes": ["read", "write"]})["secret"]
    with httpx.Client(
        base_url=sam.base_url, headers={"Authorization": f"Bearer {token}"}
    ) as program:
        asked = post(f"{tools}/send_email", {"arguments": letter}, client=program)
    agent = post("/agents", {**here, "name": "Ada"})["id"]
    run = post(f"/agents/{agent}/sessions", {"content": f"Tell me of the {WORD}."})["id"]
    return {
        "account": account_id,
        "memory": memory["memory"]["id"],
        "action": memory["actionId"],
        "outgoing": sent["result"]["outbox_id"],
        "approval": asked["approvalId"],
        "run": run,
    }
