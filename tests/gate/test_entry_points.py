"""Every way in goes through the one gate.

Each is tried twice, with the same words: while a rule blocks the tool nothing happens, and the
audit says who was refused; without the rule it happens. So neither a way round the gate nor an
attempt that would have come to nothing anyway can pass.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

import bailiwick
from gate.ways import WAYS, Way, an_undo
from support.office import API, Office
from support.processes import PATIENCE
from support.server import Server, cli, running
from support.stdio import bridge
from support.workshop import Workshop, workshop_in

pytestmark = pytest.mark.req("GATE-01")
ROOT = Path(__file__).parents[2]
PACKAGE = Path(bailiwick.__file__).parent


def rule_against(tool: str) -> dict[str, Any]:
    condition = {"==": [{"var": "tool"}, tool]}
    return {"name": "Nobody may", "action": "BLOCK", "priority": 10_000, "condition": condition}


@dataclass
class Attempt:
    """What came of one."""

    happened: bool
    audited: list[tuple[str, str | None]]  # newest first


async def attempted(shop: Workshop, way: Way, title: str, *, blocked: bool) -> Attempt:
    async with aclosing(way(shop, title)) as steps:
        tool = await anext(steps)
        # An undo is judged as what it does, and written down as what is taken back.
        line = "create_task" if way is an_undo else tool
        before = await audited(shop.owner, line)
        if blocked:
            made = await shop.owner.post(f"{API}/rules", json=rule_against(tool))
            assert made.status_code == 201, made.text
        happened = bool(await anext(steps))
        after = await audited(shop.owner, line)
        if blocked:
            assert (await shop.owner.delete(f"{API}/rules/{made.json()['id']}")).is_success
    return Attempt(happened, after[: len(after) - len(before)])


async def audited(owner: httpx.AsyncClient, tool: str) -> list[tuple[str, str | None]]:
    query = {"tool": tool, "PageSize": 100}
    found = (await owner.get(f"{API}/audit", params=query)).json()["items"]
    return [(line["decision"], line["code"]) for line in found]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_what_a_rule_blocks_happens_by_no_way_in(office: Office, way: Way):
    shop = await workshop_in(office)
    refused = await attempted(shop, way, "Early", blocked=True)
    assert refused == Attempt(happened=False, audited=[("BLOCK", "blocked")])
    passed = await attempted(shop, way, "Late", blocked=False)
    assert passed.happened
    assert {code for _, code in passed.audited} == {None}


def asked_by_command(server: Server, title: str) -> str:
    arguments = json.dumps({"title": title})
    ended = cli("tool", "call", "create_task", arguments, data=server.data)
    return ended.stdout + ended.stderr


def undone_by_command(server: Server, title: str) -> str:
    query = {"tool": "create_task"}
    (action,) = server.clients[0].get(f"{API}/actions", params=query).json()["items"]
    ended = cli("undo", action["id"], data=server.data)
    return ended.stdout + ended.stderr


def asked_by_lines(server: Server, title: str) -> str:
    params = {"name": "create_task", "arguments": {"title": title}}
    with bridge(server.data, "--client", "Robot") as lines:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return json.dumps(lines.ask(message))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A real server, with its owner and a client."""
    with running(tmp_path / "data") as made:
        owner = made.owner()
        home = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        client = {"name": "Robot", "workspaceId": home, "scope": {"create": True}}
        assert owner.post(f"{API}/clients", json=client).status_code == 201
        yield made


def titles(owner: httpx.Client) -> list[str]:
    return [task["title"] for task in owner.get(f"{API}/tasks").json()["items"]]


def refusals(owner: httpx.Client) -> list[str]:
    found = owner.get(f"{API}/audit", params={"tool": "create_task"}).json()["items"]
    return [line["caller"]["kind"] for line in found if line["code"] == "blocked"]


@pytest.mark.parametrize(("way", "kind"), [(asked_by_command, "user"), (asked_by_lines, "client")])
def test_neither_the_command_line_nor_standard_input_leads_round_it(
    server: Server, way: Callable[[Server, str], str], kind: str
):
    owner = server.clients[0]
    assert "Early" in way(server, "Early")
    assert owner.post(f"{API}/rules", json=rule_against("create_task")).status_code == 201
    assert "Nobody may" in way(server, "Late")
    assert titles(owner) == ["Early"]
    assert refusals(owner) == [kind]


def test_what_is_undone_by_command_passes_it_too(server: Server):
    owner = server.clients[0]
    asked_by_command(server, "Early")
    made = owner.post(f"{API}/rules", json=rule_against("delete_task")).json()
    assert "Nobody may" in undone_by_command(server, "Early")
    assert titles(owner) == ["Early"]
    assert refusals(owner) == ["user"]
    owner.delete(f"{API}/rules/{made['id']}")
    assert "Taken back" in undone_by_command(server, "Early")
    assert titles(owner) == []


def test_a_command_that_opens_the_office_itself_passes_it_too(tmp_path: Path):
    data = tmp_path / "data"
    call = ("tool", "call", "create_task", '{"title": "Early"}')
    with running(data) as server:
        server.owner()
    assert cli(*call, data=data).returncode == 0
    assert cli("halt", "for the test", data=data).returncode == 0
    refused = cli(*call, data=data)
    assert (refused.returncode, "Everything is stopped" in refused.stderr) == (2, True)
    lines = cli("audit", "export", data=data).stdout.splitlines()
    *rows, _ = [json.loads(line) for line in lines]
    assert [json.loads(row["body"])["code"] for row in rows].count("halted") == 1
    assert cli("halt", "--release", data=data).returncode == 0
    listed = json.loads(cli("tool", "call", "list_tasks", data=data).stdout)
    assert [task["title"] for task in listed["result"]["tasks"]] == ["Early"]


def test_a_module_that_runs_tools_without_the_gate_breaks_the_layers(tmp_path: Path):
    without_pages = shutil.ignore_patterns("dist", "__pycache__")
    tree = Path(shutil.copytree(PACKAGE, tmp_path / "bailiwick", ignore=without_pages))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tree / "memory" / "sly.py").write_text("from bailiwick.tools import execution\n")
    (tree / "cli" / "sly.py").write_text("from bailiwick.tools.execution import run\n")
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    checked = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert checked.returncode == 1, checked.stdout
    assert "Only the gate runs tools BROKEN" in checked.stdout
    for sly in ("bailiwick.memory.sly", "bailiwick.cli.sly"):
        assert f"{sly} -> bailiwick.tools.execution" in checked.stdout
    assert "1 broken" in checked.stdout
