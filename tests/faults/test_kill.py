"""kill -9 at any moment: nothing that was acknowledged is lost, nothing is half done."""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bailiwick.config import Settings
from support.office import API
from support.server import Server, cli, free_port, running, wait_for

ROUNDS = 3 if os.environ.get("EVERYTHING") else 2


@pytest.fixture
def started(settings: Settings) -> Iterator[Callable[[], Server]]:
    """Starts a server, once on each database."""
    made: list[Server] = []
    extra = {}
    if settings.database_url:
        extra["BAILIWICK_DATABASE_URL"] = settings.database_url.get_secret_value()

    def start() -> Server:
        made.append(Server(settings.data, free_port(), **extra).wait_ready())
        return made[-1]

    yield start
    for server in made:
        server.stop()


def restarted(server: Server) -> Server:
    """The same installation on the same port; signed-in browsers go on."""
    port = int(server.origin.rsplit(":", 1)[1])
    again = Server(server.data, port, **server.extra).wait_ready()
    again.clients = server.clients
    return again


def _names(owner: httpx.Client) -> Iterator[str]:
    """The names of all workspaces, page by page."""
    query: dict[str, Any] = {"PageSize": 100}
    while True:
        page = owner.get(f"{API}/workspaces", params=query).json()
        yield from (item["name"] for item in page["items"])
        if not page["hasMore"]:
            return
        query["ContinuationToken"] = page["continuationToken"]


@pytest.mark.req("OPS-03", "API-05")
def test_kill_during_writes_loses_nothing_acknowledged_and_repeats_nothing(
    started: Callable[[], Server],
):
    server = started()
    owner = server.owner()
    acknowledged: set[str] = set()
    sent = 0
    try:
        for _ in range(ROUNDS):
            killer = threading.Timer(0.2, server.kill)
            try:
                while True:
                    name = f"workspace-{sent}"
                    headers = {"Idempotency-Key": name}
                    made = owner.post(f"{API}/workspaces", json={"name": name}, headers=headers)
                    if made.status_code == 201:
                        acknowledged.add(name)
                        sent += 1
                        if killer.ident is None:
                            killer.start()
                    assert made.status_code in (201, 429), made.text
            except httpx.TransportError:
                killer.join()
            server = restarted(server)
            server.operator().patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
            # The one in doubt is sent again under its key: it must exist exactly once afterwards.
            name = f"workspace-{sent}"
            headers = {"Idempotency-Key": name}
            again = owner.post(f"{API}/workspaces", json={"name": name}, headers=headers)
            assert again.status_code == 201, again.text
            acknowledged.add(name)
            sent += 1
        names = list(_names(owner))
        assert sorted(set(names)) == sorted(names), "something was done twice"
        assert acknowledged | {"Home"} == set(names)
        assert sent >= 2 * ROUNDS
    finally:
        server.stop()
    assert cli("doctor", data=server.data, env=server.extra).returncode == 0


@pytest.mark.req("OPS-03")
def test_kill_during_a_backup_leaves_only_whole_backups(tmp_path: Path):
    data = tmp_path / "data"
    server = Server(data, free_port()).wait_ready()
    server.owner()
    try:
        for delay in (0.0, 0.01, 0.04)[-ROUNDS:]:
            client = server.operator()
            worker = threading.Thread(target=_try, args=(client,))
            worker.start()
            time.sleep(delay)
            server.kill()
            worker.join()
            server = restarted(server)
        assert server.operator().post(f"{API}/backups", json={}).status_code == 201
    finally:
        server.stop()
    visible = list((data / "backups").glob("[!.]*"))
    assert visible
    assert not list((data / "backups").glob(".*")), "leftovers are swept by the next backup"
    for number, file in enumerate(visible):
        there = tmp_path / f"there{number}"
        key = str(data / "vault.key")
        done = cli("restore", str(file), "--vault-key-file", key, data=there)
        assert done.returncode == 0, done.stderr
        assert "olive@example.com" in cli("user", "list", data=there).stdout


@pytest.mark.req("ACC-05")
@pytest.mark.parametrize(
    "settings", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], indirect=True
)
def test_kill_during_key_rotation_loses_no_secret(started: Callable[[], Server]):
    server = started()
    owner = server.owner()
    server.operator().patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
    for number in range(40):
        body = {
            "name": f"P{number}",
            "issuer": "https://login.example.com",
            "clientId": "id",
            "clientSecret": f"secret {number}",
        }
        assert owner.post(f"{API}/login-providers", json=body).status_code == 201
    try:
        for delay in (0.0, 0.005, 0.03)[-ROUNDS:]:
            client = server.operator()
            worker = threading.Thread(target=_try, args=(client, "/vault/rotate"))
            worker.start()
            time.sleep(delay)
            server.kill()
            worker.join()
            server = restarted(server)
        done = server.operator().post(f"{API}/vault/rotate")
        assert done.status_code == 200, done.text
        assert server.operator().post(f"{API}/vault/prune").status_code == 200
        keys = server.operator().get(f"{API}/vault").json()["keys"]
        assert keys == [done.json()["active"]]
        # Rotating opens every secret: with one key left, all of them must be sealed by it.
        assert server.operator().post(f"{API}/vault/rotate").json()["resealed"] >= 41
        assert owner.get(f"{API}/auth/whoami").status_code == 200
    finally:
        server.stop()


@pytest.mark.req("OPS-03")
def test_a_backup_taken_under_load_is_consistent(tmp_path: Path):
    """Each workspace is made together with its member and its line in the change record."""
    data = tmp_path / "data"
    with running(data) as server:
        owner = server.owner()
        server.operator().patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
        stop = threading.Event()
        made: list[int] = []

        def write() -> None:
            while not stop.is_set():
                body = {"name": f"w{len(made)}"}
                made.append(owner.post(f"{API}/workspaces", json=body).status_code)

        writer = threading.Thread(target=write)
        writer.start()
        wait_for(lambda: len(made) > 5)
        file = Path(server.operator().post(f"{API}/backups", json={}).json()["path"])
        stop.set()
        writer.join()
    there = tmp_path / "there"
    restored = cli("restore", str(file), "--vault-key-file", str(data / "vault.key"), data=there)
    assert restored.returncode == 0, restored.stderr
    with running(there) as server:
        operator = server.operator()
        workspaces = operator.get(f"{API}/workspaces").json()["items"]
        recorded = operator.get(f"{API}/changes", params={"action": "workspace.created"}).json()
        assert recorded["totalItems"] == len(workspaces) - 1  # Home was made with its owner
        for workspace in workspaces:
            members = operator.get(f"{API}/workspaces/{workspace['id']}/members").json()
            assert len(members["items"]) == 1


def _try(client: httpx.Client, path: str = "/backups") -> None:
    with contextlib.suppress(httpx.TransportError):
        client.post(API + path, json={})
