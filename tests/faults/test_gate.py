"""Kill -9 with approvals pending and with writes under way: nothing is lost, nothing done twice."""

import threading
from pathlib import Path

import httpx
import pytest

from support.office import API
from support.server import PATIENCE, Server, cli, free_port, wait_for


def workspace_of(owner: httpx.Client) -> str:
    return owner.get(f"{API}/workspaces").json()["items"][0]["id"]


def program_of(server: Server, owner: httpx.Client) -> str:
    body = {"name": "outside", "scopes": ["read", "write"]}
    return owner.post(f"{API}/tokens", json=body).json()["secret"]


def use(client: httpx.Client, workspace: str, tool: str, **arguments: object) -> httpx.Response:
    path = f"{API}/workspaces/{workspace}/tools/{tool}"
    return client.post(path, json={"arguments": arguments})


def again(server: Server, port: int) -> Server:
    server.kill()
    server.stop()
    return Server(server.data, port, **server.extra).wait_ready()


def intact(data: Path) -> bool:
    verified = cli("audit", "verify", data=data)
    return verified.returncode == 0


@pytest.mark.req("GATE-10")
def test_an_approval_outlives_kills_and_its_call_happens_once(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    server = Server(data, port).wait_ready()
    try:
        owner = server.owner()
        workspace = workspace_of(owner)
        cookies = dict(owner.cookies)
        secret = program_of(server, owner)
        use(owner, workspace, "create_file", path="Files/a.txt", content="A")
        program = server._client({"Authorization": f"Bearer {secret}"})
        waiting = use(program, workspace, "move_file", path="Files/a.txt", to="Files/b.txt").json()
        assert waiting["status"] == "pending"
        approval = f"{API}/approvals/{waiting['approvalId']}"
        server = again(server, port)
        owner = server.browser()
        owner.cookies.update(cookies)
        assert owner.get(approval).json()["status"] == "pending"
        assert owner.post(f"{approval}/allow", json={}).status_code == 200
        # It may have run by now, or be about to.
        server = again(server, port)
        owner = server.browser()
        owner.cookies.update(cookies)
        wait_for(lambda: owner.get(approval).json()["status"] not in ("allowed", "pending"))
        assert owner.get(approval).json()["status"] == "done", owner.get(approval).json()
        assert owner.post(f"{approval}/allow", json={}).status_code == 409
        moves = owner.get(f"{API}/actions?tool=move_file").json()["items"]
        assert [move["status"] for move in moves] == ["done"]
        read = use(owner, workspace, "read_file", path="Files/b.txt").json()
        assert read["result"]["content"] == "A"
    finally:
        server.stop()
    assert intact(data)


@pytest.mark.req("GATE-15")
def test_writes_under_way_when_the_process_is_killed_come_to_a_known_end(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    server = Server(data, port).wait_ready()
    try:
        owner = server.owner()
        workspace = workspace_of(owner)
        owner.patch(f"{API}/settings", json={"rate_limit_percent": 100_000})
        cookies, origin = dict(owner.cookies), server.origin
        acknowledged: list[str] = []

        def write(number: int) -> None:
            given = {"base_url": origin, "headers": {"Origin": origin}, "cookies": cookies}
            with httpx.Client(**given, timeout=PATIENCE) as mine:
                for turn in range(200):
                    title = f"task {number}-{turn}"
                    try:
                        if use(mine, workspace, "create_task", title=title).status_code == 200:
                            acknowledged.append(title)
                    except httpx.TransportError:
                        return

        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        wait_for(lambda: len(acknowledged) > 20)
        server = again(server, port)
        for thread in threads:
            thread.join()
        owner = server.browser()
        owner.cookies.update(cookies)
        tasks = use(owner, workspace, "list_tasks", limit=200).json()["result"]["tasks"]
        titles = [task["title"] for task in tasks]
        assert len(titles) == len(set(titles)), "something was done twice"
        assert set(acknowledged[:150]) <= set(titles) or len(titles) == 200
        left = owner.get(f"{API}/actions?status=open").json()["items"]
        assert left == []
    finally:
        server.stop()
    assert intact(data)
