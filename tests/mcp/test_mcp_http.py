"""`/mcp` as a hostile or careless program meets it: every fault has a clear answer."""

import asyncio
import json

import httpx
import pytest
from mcp_support import EVERYTHING, Program, program, until

from support.office import Office
from support.server import PATIENCE

pytestmark = pytest.mark.req("MCP-01")
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "robot", "version": "1"},
}


def fault(answer: httpx.Response, status: int, code: int, words: str) -> None:
    assert answer.status_code == status, answer.text
    error = answer.json()
    assert error["jsonrpc"] == "2.0"
    assert error["error"]["code"] == code
    assert words in error["error"]["message"]


async def test_what_is_no_message_is_refused_with_what_to_do(house: Office):
    robot = await program(house)
    fault(await robot.post(b"{"), 400, -32700, "not JSON")
    fault(await robot.post(b'{"id": NaN}'), 400, -32700, "not JSON")
    fault(await robot.post(b'{"a": "\\ud800"}'), 400, -32700, "not JSON")
    fault(await robot.post(b"[" * 100_000), 400, -32600, "levels deep")
    fault(await robot.post([LIST, LIST]), 400, -32600, "Batches")
    fault(await robot.post("hello"), 400, -32600, "object")
    fault(await robot.post(LIST, **{"Content-Type": "text/plain"}), 415, -32600, "Content-Type")
    fault(await robot.post(LIST, Accept="text/html"), 406, -32600, "Accept")
    for method in ("GET", "DELETE", "PUT"):
        answer = await robot.http.request(method, "/mcp")
        fault(answer, 405, -32600, "POST")
        assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25"])
async def test_arguments_that_are_nested_too_deep_are_named(house: Office, version: str):
    robot = await program(house)
    robot.version = version  # the older one takes the SDK's path
    for levels in (99, 150, 900, 50_000):
        tree = "[" * levels + "]" * levels
        call = f'"params": {{"name": "echo", "arguments": {{"text": "[", "tree": {tree}}}}}'
        message = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", {call}}}'
        fault(await robot.post(message.encode()), 400, -32600, "params.arguments.tree: is nested")


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_a_broken_envelope_is_an_error_of_the_protocol(house: Office, version: str):
    robot = await program(house)
    robot.version = version
    for message in (
        {"id": 1, "method": "tools/list"},
        {"jsonrpc": "1.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": None, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
    ):
        answer = await robot.post(message)
        assert answer.status_code == 400, (message, answer.text)
        assert "error" in answer.json()
    for message in (
        {**LIST, "method": "tools/fly"},
        {**LIST, "method": "tools/call", "params": {}},
        {**LIST, "method": "tools/call", "params": {"name": 5}},
        {**LIST, "method": "tools/call", "params": {"name": "echo", "arguments": "text"}},
        {**LIST, "method": "tools/call", "params": {"name": "echo", "arguments": ["x"]}},
    ):
        answer = await robot.post(message)
        assert answer.json()["error"]["code"] in (-32601, -32602), (message, answer.text)


async def test_an_unknown_tool_is_told_by_name(house: Office):
    robot = await program(house)
    params = {"name": "fly" * 100, "arguments": {}}
    answer = await robot.ask("tools/call", params)
    assert answer["error"]["code"] == -32602
    assert "Unknown tool: 'flyfly" in answer["error"]["message"]
    assert len(answer["error"]["message"]) < 300


async def test_a_message_of_more_than_4_mb_is_refused_before_it_is_read(house: Office):
    robot = await program(house)
    big = {**LIST, "method": "tools/call", "params": {"name": "echo", "text": "x" * 5_000_000}}
    fault(await robot.post(big), 413, -32600, "4 MB")

    async def trickle():
        for _ in range(50):
            yield b"x" * 100_000

    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    fault(await robot.http.post("/mcp", content=trickle(), headers=headers), 413, -32600, "4 MB")
    fits = {"name": "echo", "arguments": {"text": "x" * 100_000}}
    assert (await robot.ask("tools/call", fits))["result"]["isError"] is False


@pytest.mark.req("ID-05")
async def test_other_web_pages_and_other_names_are_kept_out(house: Office):
    robot = await program(house)
    for headers in (
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert (await robot.post(LIST, **headers)).status_code == 403, headers
    assert (await robot.post(LIST, Host="evil.example")).status_code == 421
    assert (await robot.post(LIST, Origin=house.origin)).status_code == 200


async def test_a_session_belongs_to_its_client(house: Office):
    robot, other = await program(house), await program(house)
    session = (await begun(robot))["Mcp-Session-Id"]
    assert (await robot.post(LIST, **{"Mcp-Session-Id": session})).status_code == 200
    for id in (session[:-1] + ("0" if session[-1] != "0" else "1"), "made-up", "-"):
        answer = await robot.post(LIST, **{"Mcp-Session-Id": id})
        fault(answer, 404, -32600, "Initialize again")
    fault(await other.post(LIST, **{"Mcp-Session-Id": session}), 404, -32600, "Initialize again")


async def test_notifications_are_taken_and_not_answered(house: Office):
    robot = await program(house)
    for method in ("notifications/initialized", "notifications/cancelled", "notifications/none"):
        answer = await robot.post({"jsonrpc": "2.0", "method": method, "params": {}})
        assert (answer.status_code, answer.content) == (202, b"")


async def begun(robot: Program) -> dict[str, str]:
    """The header of a new session."""
    answer = await robot.post({**LIST, "method": "initialize", "params": INITIALIZE})
    return {"Mcp-Session-Id": answer.headers["mcp-session-id"]}


async def test_a_cancelled_call_is_no_longer_waited_for_and_a_write_still_ends(house, desk):
    robot, stranger = await program(house, scope=EVERYTHING), await program(house)
    call = {"name": "slow_note", "arguments": {"text": "kept"}}
    message = {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": call}
    session, window = await begun(robot), await begun(robot)
    asking = asyncio.create_task(robot.post(message, **session))
    # Without a session nobody knows whose "a" is meant, so it cannot be cancelled by name.
    loose = asyncio.create_task(robot.post(message))
    await until(lambda: desk.under_way == 2)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    for who, within, id in (
        (stranger, await begun(stranger), "a"),
        (robot, window, "a"),
        (robot, {}, "a"),
        (robot, session, "b"),
        (robot, session, ["a"]),
    ):
        await who.post({**cancel, "params": {"requestId": id}}, **within)
    await robot.post({**cancel, "params": "x"}, **session)
    done, _ = await asyncio.wait({asking, loose}, timeout=0.6)
    assert not done
    await robot.post({**cancel, "params": {"requestId": "a", "reason": "no more"}}, **session)
    answer = await asyncio.wait_for(asking, PATIENCE)
    assert answer.json()["error"]["code"] == -32800
    assert desk.done == []
    desk.release.set()
    assert "result" in (await asyncio.wait_for(loose, PATIENCE)).json()
    await house.gate.close()
    assert desk.done == ["kept", "kept"]


async def test_a_client_has_so_many_requests_under_way_and_no_more(house, desk, monkeypatch):
    from bailiwick.mcp import http

    monkeypatch.setattr(http, "MOST_AT_ONCE", 1)
    robot, other = await program(house), await program(house)
    asking = asyncio.create_task(robot.call("slow", text="x"))
    await asyncio.wait_for(desk.started.wait(), PATIENCE)
    fault(await robot.post(LIST), 429, -32600, "under way")
    assert (await other.post(LIST)).status_code == 200
    desk.release.set()
    await asking
    assert (await robot.post(LIST)).status_code == 200


async def test_a_client_that_hangs_up_is_no_longer_waited_for(house: Office, desk):
    robot = await program(house, scope=EVERYTHING)
    call = {"name": "slow_note", "arguments": {"text": "kept"}}
    message = json.dumps({**LIST, "method": "tools/call", "params": call}).encode()
    gone, sent = asyncio.Event(), []
    requests = [{"type": "http.request", "body": message, "more_body": False}]

    async def receive():
        if requests:
            return requests.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(part):
        sent.append(part)

    raw = {"authorization": f"Bearer {robot.token}", "host": house.origin.removeprefix("http://")}
    raw |= {"accept": "application/json", "content-type": "application/json"}
    raw |= {"mcp-protocol-version": "2025-11-25"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "scheme": "http",
        "query_string": b"",
        "root_path": "",
        "client": ("127.0.0.1", 1),
        "server": None,
        "headers": [(name.encode(), value.encode()) for name, value in raw.items()],
    }
    asking = asyncio.create_task(house.app(scope, receive, send))
    await asyncio.wait_for(desk.started.wait(), PATIENCE)
    gone.set()
    await asyncio.wait_for(asking, PATIENCE)
    assert desk.done == []
    desk.release.set()
    await house.gate.close()
    assert desk.done == ["kept"]


async def test_a_failure_of_ours_tells_nothing_about_it(house: Office, monkeypatch):
    robot = await program(house)

    async def failing(_call):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(house.gate, "call", failing)
    for headers in ({}, {"MCP-Protocol-Version": "2025-03-26"}):
        call = {"name": "echo", "arguments": {"text": "x"}}
        answer = await robot.ask("tools/call", call, **headers)
        assert answer["error"] == {
            "code": -32603,
            "message": "Something went wrong on our side; the log has the details.",
        }
