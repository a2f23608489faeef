"""Every way in goes through the one gate: while it is halted nothing passes, and all is audited."""

from pathlib import Path

import pytest

from bailiwick.gate.call import Call
from gate.conftest import Desk
from support.office import API
from support.server import cli

pytestmark = pytest.mark.req("GATE-01")


async def client_token(desk: Desk) -> str:
    scope = {"read": True, "create": True, "write": True, "notebooks": ["*"]}
    body = {"name": "Outside", "workspaceId": desk.workspace_id, "scope": scope}
    made = await desk.owner.post(f"{API}/clients", json=body)
    assert made.status_code == 201, made.text
    return made.json()["token"]


async def by_mcp(desk: Desk, token: str) -> str:
    headers = {"Accept": "application/json, text/event-stream"}
    params = {"name": "create_task", "arguments": {"title": "by mcp"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = await desk.office.program(token).post("/mcp", json=message, headers=headers)
    return answer.text


async def by_rest(desk: Desk, token: str) -> str:
    return (await desk.use("create_task", title="by rest")).text


async def by_undo(desk: Desk, token: str) -> str:
    (action,) = (await desk.owner.get(f"{API}/actions?tool=memory_add")).json()["items"]
    return (await desk.owner.post(f"{API}/actions/{action['id']}/undo")).text


async def by_agent(desk: Desk, token: str) -> str:
    return str(await desk.gate.call(Call(desk.agent(), "create_task", {"title": "by agent"})))


async def by_approval(desk: Desk, token: str) -> str:
    (row,) = (await desk.owner.get(f"{API}/approvals?status=pending")).json()["items"]
    await desk.owner.post(f"{API}/approvals/{row['id']}/allow", json={})
    await desk.run_allowed(row["id"])
    return (await desk.owner.get(f"{API}/approvals/{row['id']}")).text


@pytest.mark.parametrize("way", [by_mcp, by_rest, by_undo, by_agent, by_approval])
async def test_no_way_in_leads_round_the_gate(desk: Desk, way):
    await desk.use("memory_add", content="kept")
    await desk.use("create_file", path="Files/a.txt", content="A")
    await desk.pending(desk.agent(), "move_file", path="Files/a.txt", to="Files/b.txt")
    token = await client_token(desk)
    await desk.owner.post(f"{API}/halt", json={})
    before = len(await desk.audit())
    assert "Everything is stopped" in await way(desk, token)
    assert [line["code"] for line in (await desk.audit())[before:]] == ["halted"]
    await desk.owner.delete(f"{API}/halt")
    if way is not by_approval:  # which is used up
        assert "Everything is stopped" not in await way(desk, token)
        assert len(await desk.audit()) > before + 1


def test_the_command_line_goes_through_it_too(tmp_path: Path):
    data = tmp_path / "data"
    assert cli("halt", "for the test", data=data).returncode == 0
    refused = cli("tool", "call", "list_tasks", "--workspace", "wsp-abcdefghijkl", data=data)
    assert refused.returncode == 2
    audited = cli("audit", "export", data=data)
    assert audited.returncode == 0, audited.stderr
    assert cli("halt", "--release", data=data).returncode == 0


def test_only_the_gate_can_import_what_runs_tools():
    import tomllib

    text = Path(__file__).parents[2].joinpath("pyproject.toml").read_text()
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    (only,) = [each for each in contracts if each["name"] == "Only the gate runs tools"]
    assert only["forbidden_modules"] == ["bailiwick.tools.execution"]
    assert only["ignore_imports"] == ["bailiwick.gate.** -> bailiwick.tools.execution"]
