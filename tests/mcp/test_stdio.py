"""`bailiwick mcp`: lines of JSON-RPC on both sides, the office behind them."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client as McpClient
from mcp.client.stdio import StdioServerParameters
from mcp_support import CLIENTS

from support.office import API
from support.server import Server, cli, environment, free_port, running, wait_for
from support.stdio import bridge

pytestmark = pytest.mark.req("MCP-01")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "robot", "version": "1"},
    },
}


def made(server: Server, name: str = "Robot", **given: Any) -> dict[str, Any]:
    owner = server.owner() if not server.clients else server.clients[0]
    home = owner.get(f"{API}/workspaces").json()["items"][0]["id"]
    answer = owner.post(CLIENTS, json={"name": name, "workspaceId": home, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


def serving(data: Path) -> int | None:
    """The process that says that it serves here."""
    try:
        return json.loads((data / "server.json").read_text())["pid"]
    except (FileNotFoundError, ValueError):
        return None


async def test_the_official_client_speaks_to_the_office_through_it(tmp_path: Path):
    data = tmp_path / "data"
    with running(data) as server:
        made(server, scope={"create": True})
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "bailiwick", "mcp", "--client", "Robot"],
            env=environment(data),
        )
        async with McpClient(parameters) as session:
            assert session.session.protocol_version == "2026-07-28"
            names = {tool.name for tool in (await session.list_tools()).tools}
            assert {"list_tasks", "approval_wait"} <= names
            task = await session.call_tool("create_task", {"title": "by hand"})
            assert task.is_error is False, task
            listed = await session.call_tool("list_tasks", {})
            assert "by hand" in listed.content[0].text


def test_what_goes_wrong_is_an_answer_and_a_line_on_standard_error(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    with running(data, port=port) as server:
        client = made(server)
        token = tmp_path / "token"
        token.write_text(client["token"] + "\n")
        url = f"{server.origin}/mcp"
        with bridge(data, "--token-file", str(token), "--url", url) as lines:
            assert lines.ask(b"{")["error"]["code"] == -32700
            assert "levels deep" in lines.ask(b"[" * 5_000)["error"]["message"]
            assert lines.ask([LIST])["error"]["code"] == -32600
            assert lines.ask({**LIST, "method": "fly"})["error"]["code"] == -32601
            begun = lines.ask(INITIALIZE)
            assert begun["result"]["protocolVersion"] == "2025-11-25"
            lines.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            assert "tools" in lines.ask({**LIST, "id": "text"})["result"]
            server.clients[0].delete(f"{CLIENTS}/{client['id']}")
            refused = lines.ask({**LIST, "id": 7})
            assert refused["id"] == 7
            assert "token" in refused["error"]["message"]
            server.stop()
            gone = lines.ask({**LIST, "id": 8})
            assert (gone["id"], gone["error"]["code"]) == (8, -32603)
            assert "does not answer" in gone["error"]["message"]
        assert "does not answer" in lines.log.read_text()


def test_it_finds_the_office_again_after_a_restart(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    with running(data, port=port) as server:
        made(server)
        with bridge(data, "--client", "Robot", BAILIWICK_PORT=str(port)) as lines:
            lines.ask(INITIALIZE)
            assert "tools" in lines.ask(LIST)["result"]
            server.kill()
            # Nobody else does, so it starts the office itself, and goes on in the same session.
            wait_for(lambda: serving(data) == lines.process.pid)
            assert "tools" in lines.ask({**LIST, "id": 2})["result"]
        assert not (data / "server.json").exists()


def test_it_starts_the_whole_office_and_ends_it_with_the_input(tmp_path: Path):
    data, port = tmp_path / "data", free_port()
    with running(data, port=port) as server:
        token = made(server)["token"]
    env = {"BAILIWICK_MCP_TOKEN": token, "BAILIWICK_PORT": str(port)}
    with bridge(data, **env) as lines:
        assert "tools" in lines.ask(LIST)["result"]
        announced = json.loads((data / "server.json").read_text())
        assert announced["pid"] == lines.process.pid
        # A second one goes through the first.
        with bridge(data, **env) as second:
            assert "tools" in second.ask(LIST)["result"]
    assert not (data / "server.json").exists()
    assert "is ready" in lines.log.read_text()
    assert "is ready" not in second.log.read_text()


def test_it_says_what_it_needs(tmp_path: Path):
    data = tmp_path / "data"
    nobody = cli("mcp", data=data)
    assert nobody.returncode == 2
    assert "--client" in nobody.stderr
    assert nobody.stdout == ""
    both = cli("mcp", "--client", "a", data=data, env={"BAILIWICK_MCP_TOKEN": "bwc_x"})
    assert both.returncode == 2
    far = cli("mcp", "--client", "a", "--url", "https://example.com/mcp", data=data)
    assert "--url needs a token" in far.stderr
    missing = cli("mcp", "--token-file", str(tmp_path / "none"), data=data)
    assert "cannot be read" in missing.stderr
    assert not list(tmp_path.iterdir())
