"""A real server that delivers to webhooks, seen by the people who make them."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
from sqlalchemy import Executable, Result, create_engine, text

from bailiwick.kit.db import postgres
from support.office import API, PASSWORD
from support.receiver import Receiver
from support.server import Server, free_port, wait_for

# The server may talk to the first; the second is as forbidden as any machine of ours.
ALLOWED, FORBIDDEN = "127.0.0.2", "127.0.0.1"
QUICK = {"webhook_retry_seconds": [0, 0], "webhook_timeout_seconds": 60}
WEBHOOKS = f"{API}/webhooks"


@dataclass
class Hook:
    """A webhook, as its maker sees it."""

    id: str
    secret: str
    by: httpx.Client

    @property
    def path(self) -> str:
        return f"{WEBHOOKS}/{self.id}"

    def shown(self) -> dict[str, Any]:
        return good(self.by.get(self.path))

    def change(self, **values: Any) -> dict[str, Any]:
        return good(self.by.patch(self.path, json=values))

    def test(self) -> str:
        return good(self.by.post(f"{self.path}/test"))["id"]

    def redeliver(self, id: str) -> None:
        good(self.by.post(f"{self.path}/deliveries/{id}/redeliver"))

    def deliveries(self) -> list[dict[str, Any]]:
        """Newest first."""
        return good(self.by.get(f"{self.path}/deliveries", params={"PageSize": 100}))["items"]

    def delivery(self, id: str) -> dict[str, Any]:
        return good(self.by.get(f"{self.path}/deliveries/{id}"))

    def wait_until(self, status: str, id: str | None = None) -> dict[str, Any]:
        """Wait until a delivery (or the newest) has a status; with its log."""
        found: list[dict[str, Any]] = []

        def reached() -> bool:
            known = id or next((item["id"] for item in self.deliveries()), None)
            found[:] = [self.delivery(known)] if known else []
            return bool(found) and found[0]["status"] == status

        try:
            wait_for(reached)
        except AssertionError:
            raise AssertionError(f"waited in vain for {status}: {found}") from None
        return found[0]


@dataclass
class Posting:
    """One installation with its owner."""

    server: Server
    database: str | None
    owner: httpx.Client
    people: dict[str, httpx.Client] = field(default_factory=dict)

    @property
    def operator(self) -> httpx.Client:
        return self.server.operator()

    def set(self, **values: Any) -> None:
        good(self.operator.patch(f"{API}/settings", json=values))

    def hook(
        self, to: Receiver | str, *types: str, by: httpx.Client | None = None, **given: Any
    ) -> Hook:
        """A webhook of the owner, or of someone else."""
        url = to if isinstance(to, str) else f"{to.url}/in"
        maker = by or self.owner
        body = {"name": "Test", "url": url, "types": types or ["workspace.renamed"], **given}
        made = good(maker.post(WEBHOOKS, json=body))
        return Hook(made["id"], made["secret"], maker)

    def workspace(self, by: httpx.Client | None = None) -> str:
        return good((by or self.owner).post(f"{API}/workspaces", json={"name": "W"}))["id"]

    def rename(self, workspace: str | None = None, by: httpx.Client | None = None) -> str:
        """Let something happen; the id of the workspace that it happens to."""
        who = by or self.owner
        id = workspace or good(who.get(f"{API}/workspaces"))["items"][0]["id"]
        good(who.patch(f"{API}/workspaces/{id}", json={"name": secrets.token_hex(8)}))
        return id

    def person(self, name: str, *, role: str = "admin") -> httpx.Client:
        """Someone new."""
        body = {"email": f"{name}-{secrets.token_hex(4)}@example.com", "name": name, "role": role}
        link = good(self.owner.post(f"{API}/users", json=body))["link"].partition("#")[2]
        browser = self.server.browser()
        good(browser.post(f"{API}/auth/password", json={"link": link, "password": PASSWORD}))
        return browser

    def id_of(self, person: httpx.Client) -> str:
        return good(person.get(f"{API}/auth/whoami"))["user"]["id"]

    def execute(self, statement: Executable) -> list[Any]:
        """Straight into the app's database, behind the server's back."""
        if self.database:
            engine = create_engine(postgres.driver_url(self.database))
        else:
            engine = create_engine(f"sqlite:///{self.server.data / 'app.db'}")
        try:
            with engine.begin() as connection:
                if self.database:
                    connection.execute(text("SET search_path TO app"))
                result: Result[Any] = connection.execute(statement)
                return list(result.all()) if result.returns_rows else []
        finally:
            engine.dispose()

    def restart(self) -> None:
        """Start again what was killed, at the same address; signed-in browsers go on."""
        before = self.server
        port = int(before.origin.rsplit(":", 1)[1])
        self.server = Server(before.data, port, **before.extra).wait_ready()
        self.server.clients = before.clients

    def clear(self) -> None:
        """Take all webhooks away."""
        for webhook in good(self.operator.get(WEBHOOKS))["items"]:
            good(self.operator.delete(f"{WEBHOOKS}/{webhook['id']}"))


def good(answer: httpx.Response) -> Any:
    """What a request that must succeed says."""
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


@contextmanager
def posting(data: Path, database: str | None, **extra: str) -> Iterator[Posting]:
    """A server with quick settings that may talk to receivers on `ALLOWED`."""
    data.parent.mkdir(parents=True, exist_ok=True)
    environment = {"BAILIWICK_ALLOWED_NETWORKS": f"{ALLOWED}/32", **extra}
    if database:
        environment["BAILIWICK_DATABASE_URL"] = database
    server = Server(data, free_port(), **environment)
    made = None
    try:
        server.wait_ready()
        made = Posting(server, database, server.owner())
        made.set(rate_limit_percent=100_000, **QUICK)
        yield made
    finally:
        (made.server if made else server).stop()


@contextmanager
def own_database(url: str) -> Iterator[str]:
    """An empty PostgreSQL database, dropped at the end."""
    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    yield url.replace("/postgres?", f"/{name}?")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
