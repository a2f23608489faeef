"""Some content for an office, made through its API."""

import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

from support.office import API, PASSWORD
from support.server import Server, running, wait_for

PEOPLE = [
    ("Sam Porter", "sam", "user"),
    ("Ines Clerk", "ines", "admin"),
    ("Bo Field", "bo", "user"),
]


# What the agent of the sample may do; whatever it changes, a person is asked.
SCOPE = {
    **dict.fromkeys(("read", "write", "create", "delete"), True),
    "notebooks": ["*"],
}


class Agent:
    """An outside program that uses the office's tools."""

    def __init__(self, server: Server, token: str) -> None:
        self._http = httpx.Client(
            base_url=server.origin,
            timeout=30,
            headers={
                "Authorization": f"Bearer {token}",
                "Accept": "application/json, text/event-stream",
                "MCP-Protocol-Version": "2025-11-25",
            },
        )
        server.clients.append(self._http)
        self._numbers = itertools.count(1)

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        """What a tool answers, in its structured form."""
        asked = {
            "jsonrpc": "2.0",
            "id": next(self._numbers),
            "method": "tools/call",
            "params": {"name": tool, "arguments": arguments},
        }
        answer = self._http.post("/mcp", json=asked)
        assert answer.is_success, answer.text
        return answer.json()["result"]["structuredContent"]

    def ask(self, tool: str, **arguments: object) -> str:
        """A call that waits for a person: the id of its approval."""
        said = self.call(tool, **arguments)
        assert said["status"] == "pending", said
        return said["approval_id"]


@dataclass(frozen=True)
class Furnished:
    """A running office with an owner and some content."""

    server: Server
    owner: httpx.Client
    receiver: str
    workspace_id: str
    webhook_id: str
    delivery_id: str
    agent: Agent
    client_id: str
    approval_id: str
    action_id: str

    @property
    def origin(self) -> str:
        return self.server.origin

    @property
    def pages(self) -> list[str]:
        """Every page behind the log-in."""
        webhook = f"/settings/webhooks/{self.webhook_id}"
        return [
            "/",
            "/approvals",
            "/approvals?tab=recent",
            f"/approvals/{self.approval_id}",
            "/activity",
            f"/activity/{self.action_id}",
            "/policies",
            "/redaction",
            "/audit",
            "/tasks",
            "/tasks?tab=schedules",
            "/memory",
            "/agents",
            *(f"/chat{rest}" for rest in ("", "/new")),
            "/prompts",
            "/runs",
            "/mail",
            "/results",
            *(f"/inbox{rest}" for rest in ("", "?tab=settings")),
            *(f"/mail/{name}" for name in ("filters", "outbox", "contacts")),
            *(f"/settings/accounts{rest}" for rest in ("", "/connect", "/connect?connector=imap")),
            *(f"/settings/connectors{rest}" for rest in ("", "/gmail")),
            "/settings/models",
            "/settings/diagnostics",
            *(f"/settings/{name}" for name in ("clients", "folders", "notifications")),
            *(f"/settings/{name}" for name in ("profile", "sessions", "tokens", "workspaces")),
            f"/settings/workspaces/{self.workspace_id}",
            *(f"/settings/{name}" for name in ("users", "providers", "office", "webhooks")),
            webhook,
            f"{webhook}/deliveries/{self.delivery_id}",
            *(f"/settings/{name}" for name in ("backups", "changes", "sign-ins")),
        ]


@contextmanager
def furnished_office(data: Path) -> Iterator[Furnished]:
    """An office that is there for as long as the block runs."""
    with receiver() as hook, running(data, BAILIWICK_ALLOWED_NETWORKS="127.0.0.0/8") as server:
        yield furnish(server, hook)


def furnish(server: Server, hook: str) -> Furnished:
    """Make people, workspaces, a token, a provider, webhooks and a backup."""
    owner = server.owner()
    # A test turns pages faster than any person.
    assert owner.patch(f"{API}/settings", json={"rate_limit_percent": 1000}).is_success
    links = {key: _invite(owner, name, key, role) for name, key, role in PEOPLE}
    _enter(server, links["ines"])
    workspace = _post(owner, "workspaces", name="Bookkeeping")["id"]
    _post(owner, "workspaces", name="Project Heron")
    member = {"email": "ines@example.com", "role": "write"}
    _post(owner, f"workspaces/{workspace}/members", **member)
    _post(owner, "tokens", name="Nightly report", scopes=["read"])
    provider = {"preset": "google", "name": "Google", "clientId": "office.example.com"}
    _post(owner, "login-providers", **provider, enabled=False, createUsers=False)
    _post(owner, "backups", withKeys=False)
    webhook = _post(owner, "webhooks", name="Deploy bot", url=f"{hook}/hook", types=["workspace.*"])
    bad = _post(owner, "webhooks", name="Old intranet", url=f"{hook}/gone", types=["*"])
    _post(owner, f"webhooks/{bad['id']}/test")
    delivery = _post(owner, f"webhooks/{webhook['id']}/test")["id"]
    of_webhook = f"{API}/webhooks/{webhook['id']}/deliveries/{delivery}"
    wait_for(lambda: owner.get(of_webhook).json()["status"] == "delivered")
    return Furnished(
        server, owner, hook, workspace, webhook["id"], delivery, *_employ(server, owner, workspace)
    )


def _employ(server: Server, owner: httpx.Client, workspace: str) -> tuple[Agent, str, str, str]:
    """An agent that has done something, and asks for more."""
    tools = f"workspaces/{workspace}/tools"
    task = {"title": "Send the offer to Heron", "due": "2027-03-31"}
    action = _post(owner, f"{tools}/create_task", arguments=task)["actionId"]
    plan = "Monday: call the bank\nTuesday: send the offer\nFriday: rest\n"
    page = {"path": "Files/plan.txt", "content": plan}
    _post(owner, f"{tools}/create_file", arguments=page)
    client = {"name": "Claude Code", "workspaceId": workspace, "scope": SCOPE, "askWrites": True}
    made = _post(owner, "clients", **client)
    agent = Agent(server, made["token"])
    agent.ask("create_task", title="Water the plants", notes="Twice a week")
    new = plan.replace("send the offer", "send the offer to kim@example.com")
    approval = agent.ask("write_file", path="Files/plan.txt", content=new)
    refused = agent.ask("delete_file", path="Files/plan.txt")
    _post(owner, f"approvals/{refused}/deny", note="The plan is still needed")
    return agent, made["id"], approval, action


def log_in(server: Server, name: str) -> httpx.Client:
    """Someone, logged in."""
    browser = server.browser()
    body = {"email": f"{name}@example.com", "password": PASSWORD}
    entered = browser.post(f"{API}/auth/login", json=body)
    assert entered.status_code == 200, entered.text
    return browser


class _Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(404 if self.path == "/gone" else 200)
        self.end_headers()
        self.wfile.write(b"nobody is here" if self.path == "/gone" else b"thank you")

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def receiver() -> Iterator[str]:
    """Another program, to which webhooks are sent."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Hook) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{other.server_address[1]}"
        other.shutdown()


def _invite(owner: httpx.Client, name: str, key: str, role: str) -> str:
    made = _post(owner, "users", name=name, email=f"{key}@example.com", role=role)
    return made["link"].partition("#")[2]


def _enter(server: Server, link: str) -> None:
    _post(server.browser(), "auth/password", link=link, password=PASSWORD)


def _post(person: httpx.Client, path: str, **body: object):
    answer = person.post(f"{API}/{path}", json=body)
    assert answer.is_success, answer.text
    return answer.json()
