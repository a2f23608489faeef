"""The official client against the office: every protocol that is promised, through the gate."""

import asyncio
import json
from typing import Any

import pytest
from mcp_support import EVERYTHING, Program, endpoint_of, program, until, workspace_id
from mcp_types import ElicitResult

from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.mcp import calls, lean
from mcp import MCPError
from support.office import API, Office
from support.server import PATIENCE

MODES = ["2026-07-28", "2025-11-25", "2025-06-18"]
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "robot", "version": "1"},
}


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the official client connects, for each protocol."""
    if request.param == "2026-07-28":
        return "2026-07-28"
    from mcp.client import session

    monkeypatch.setattr(session, "LATEST_HANDSHAKE_VERSION", request.param)
    return "legacy"


async def answered(house: Office, approval_id: str, *, allow: bool = True) -> None:
    """A person answers in the office; an allowed call is made as its job would make it."""
    owner = await house.owner()
    verb = "allow" if allow else "deny"
    answer = await owner.post(f"{API}/approvals/{approval_id}/{verb}", json={})
    assert answer.status_code == 200, answer.text
    if allow:
        await house.product[ApprovalJobs].call(approval_id)


@pytest.mark.req("MCP-01")
async def test_tools_are_listed_and_called_in_every_protocol(any_house: Office, mode: str, request):
    robot = await program(any_house, scope=EVERYTHING)
    async with robot.session(mode) as client:
        assert client.session.protocol_version == request.node.callspec.params["mode"]
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        echo, post = listed["echo"], listed["post"]
        assert (echo.title, echo.description) == ("Echo", "Does echo.")
        assert echo.input_schema["required"] == ["text"]
        assert (echo.annotations.read_only_hint, post.annotations.read_only_hint) == (True, False)
        assert (echo.annotations.destructive_hint, post.annotations.destructive_hint) == (
            *(False, True),
        )
        assert listed["shred"].annotations.idempotent_hint is True
        assert post.annotations.open_world_hint is True
        result = await client.call_tool("echo", {"text": "hällo"})
        assert result.is_error is False
        assert result.structured_content == {"text": "hällo"}
        assert json.loads(result.content[0].text) == {"text": "hällo"}
        letters = await client.call_tool("letters", {"text": "ab"})
        assert letters.structured_content == {"result": ["a", "b"]}
        with pytest.raises(MCPError, match="Unknown tool: 'fly'"):
            await client.call_tool("fly", {})
    page = await (await any_house.owner()).get(f"{API}/audit", params={"tool": "echo"})
    assert page.status_code == 200, page.text
    [entry] = page.json()["items"]
    assert entry["caller"]["id"] == robot.id


@pytest.mark.req("MCP-01", "GATE-02")
async def test_a_refused_call_says_why_in_plain_words(house: Office, mode: str):
    robot = await program(house, scope={"notebooks": ["*"]})
    async with robot.session(mode) as client:
        wrong = await client.call_tool("echo", {"txt": "x"})
        assert wrong.is_error is True
        assert wrong.structured_content["code"] == "invalid_arguments"
        assert wrong.structured_content["fields"]
        said = wrong.content[0].text.splitlines()
        assert len(said) == len(set(said))
        missing = await client.call_tool("broken", {"text": "x"})
        assert missing.is_error is True
        assert "no such thing" in missing.content[0].text
        shred = await client.call_tool("shred", {"text": "x"})
        assert shred.is_error is True
        assert shred.structured_content["code"] == "out_of_scope"


@pytest.mark.req("MCP-05")
async def test_tools_that_a_client_may_never_use_are_not_listed(house: Office, mode: str):
    owner = await house.owner()
    rule = {
        "name": "No rumours",
        "action": "BLOCK",
        "condition": {"==": [{"var": "tool"}, "rumour"]},
        "priority": 1000,
    }
    made = await owner.post(f"{API}/rules", json=rule)
    assert made.status_code == 201, made.text
    everything = await program(house, scope=EVERYTHING)
    reader = await program(house, scope={"tools": ["echo", "rumour", "post"]})
    async with everything.session(mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names >= {"echo", "post", "shred", "approval_wait", "approval_status"}
        assert "rumour" not in names
    async with reader.session(mode) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"echo", "approval_wait", "approval_status"}


@pytest.mark.req("MCP-02")
async def test_a_client_revoked_in_mid_session_is_out(house: Office, mode: str):
    robot = await program(house)
    async with robot.session(mode) as client:
        await client.call_tool("echo", {"text": "x"})
        await (await house.owner()).delete(f"{API}/clients/{robot.id}")
        with pytest.raises(MCPError):
            await client.call_tool("echo", {"text": "y"})


@pytest.mark.req("MCP-04")
async def test_a_call_that_asks_is_pending_and_its_outcome_can_be_waited_for(
    any_house: Office, mode: str, desk
):
    robot = await program(any_house, scope=EVERYTHING)
    async with robot.session(mode) as client:
        # Its schemas are checked by the client: what waits must fit them too.
        await client.list_tools()
        first = await client.call_tool("post", {"text": "letter"})
        assert first.is_error is False
        waiting = first.structured_content
        assert (waiting["status"], desk.done) == ("pending", [])
        assert waiting["expires_at"] > waiting["approval_id"][:0]
        id = {"approval_id": waiting["approval_id"]}
        assert "approval_wait" in first.content[0].text
        assert waiting["url"] == f"{any_house.origin}/approvals/{waiting['approval_id']}"
        status = await client.call_tool("approval_status", id)
        assert status.structured_content["status"] == "pending"
        short = await client.call_tool("approval_wait", {**id, "seconds": 1})
        assert short.structured_content["status"] == "pending"
        asking = asyncio.create_task(client.call_tool("approval_wait", {**id, "seconds": 50}))
        await answered(any_house, waiting["approval_id"])
        done = await asyncio.wait_for(asking, PATIENCE)
        assert done.structured_content == {"text": "letter"}
        assert desk.done == ["letter"]
        second = (await client.call_tool("post", {"text": "other"})).structured_content
        await answered(any_house, second["approval_id"], allow=False)
        refused = await client.call_tool("approval_status", {"approval_id": second["approval_id"]})
        assert refused.is_error is True
        assert desk.done == ["letter"]


@pytest.mark.req("MCP-04")
async def test_an_approval_of_another_client_does_not_exist(house: Office):
    robot, other = await program(house, scope=EVERYTHING), await program(house, scope=EVERYTHING)
    waiting = (await robot.call("post", text="x"))["structuredContent"]
    for tool in ("approval_wait", "approval_status"):
        refused = await other.call(tool, approval_id=waiting["approval_id"])
        assert refused["isError"] is True
        assert "does not exist" in refused["content"][0]["text"]
        for wrong in ({}, {"approval_id": 5}, {"approval_id": "x", "seconds": 0}, {"id": "x"}):
            if tool == "approval_status" or wrong:
                refused = await other.call(tool, **wrong)
                assert refused["structuredContent"]["code"] == "invalid_arguments", wrong
    too_long = await other.call("approval_wait", approval_id="x", seconds=51)
    assert "seconds" in too_long["structuredContent"]["fields"]


@pytest.mark.req("MCP-02", "MCP-04")
async def test_a_client_revoked_while_it_waits_does_not_get_the_outcome(house: Office):
    robot = await program(house, scope=EVERYTHING)
    id = (await robot.call("post", text="letter"))["structuredContent"]["approval_id"]
    asking = asyncio.create_task(robot.call("approval_wait", approval_id=id, seconds=50))
    await until(lambda: endpoint_of(house)._waiting)
    done, _ = await asyncio.wait({asking}, timeout=0.5)
    assert not done
    await (await house.owner()).delete(f"{API}/clients/{robot.id}")
    await answered(house, id, allow=False)
    answer = await asyncio.wait_for(asking, PATIENCE)
    assert answer["structuredContent"]["code"] == "authentication-required"


@pytest.mark.req("MCP-04")
async def test_a_client_that_can_show_pages_is_given_one_and_its_answer_is_no_approval(
    house: Office, desk, monkeypatch: pytest.MonkeyPatch
):
    robot = await program(house, scope=EVERYTHING)
    asked: list[Any] = []

    async def accepts_everything(_context, params):
        asked.append(params)
        return ElicitResult(action="accept")

    monkeypatch.setattr(calls, "_AFTER_PAGE_SECONDS", 0.1)
    async with robot.session("2026-07-28", elicitation_callback=accepts_everything) as client:
        result = await client.call_tool("post", {"text": "letter"})
        assert result.structured_content["status"] == "pending"
        assert desk.done == []
        [shown] = asked
        approval_id = result.structured_content["approval_id"]
        assert shown.url == f"{house.origin}/approvals/{approval_id}"
        assert "letter" not in shown.message
        await answered(house, approval_id)
        assert desk.done == ["letter"]
        listed = (await (await house.owner()).get(f"{API}/approvals")).json()
        assert listed["totalItems"] == 1


@pytest.mark.req("MCP-01")
async def test_progress_is_told_while_a_call_runs(house: Office, mode: str, desk, monkeypatch):
    from bailiwick.mcp import exchange

    monkeypatch.setattr(exchange, "_REPORT_EVERY_SECONDS", 0.01)
    robot = await program(house)
    told: list[float] = []
    sent = 0
    watch = exchange.Exchange._watch

    async def counted(self, task, report) -> None:
        """Here the client gets an answer as a whole, and only the server knows what it has told."""

        async def tell(seconds: float) -> None:
            nonlocal sent
            await report(seconds)
            sent += 1

        await watch(self, task, report and tell)

    monkeypatch.setattr(exchange.Exchange, "_watch", counted)

    async def progress(seconds: float, _total: float | None, message: str | None) -> None:
        told.append(seconds)
        assert message == "Still at it"

    async with robot.session(mode) as client:
        calling = asyncio.create_task(
            client.call_tool("slow", {"text": "x"}, progress_callback=progress)
        )
        await asyncio.wait_for(desk.started.wait(), PATIENCE)
        await until(lambda: sent > 1)
        assert not calling.done()
        desk.release.set()
        assert (await asyncio.wait_for(calling, PATIENCE)).structured_content == {"text": "at last"}
    assert len(told) > 1
    assert told == sorted(told)


@pytest.mark.req("GATE-16")
async def test_words_of_strangers_stand_in_the_content_alone(house: Office):
    robot = await program(house)
    answer = await robot.ask("tools/call", {"name": "rumour", "arguments": {"text": ""}})
    result = answer["result"]
    assert result["_meta"]["bailiwick/trust"] == "stranger"
    assert "IGNORE" in result["content"][0]["text"]
    del result["content"], result["structuredContent"]
    assert "IGNORE" not in json.dumps(answer)


@pytest.mark.req("GATE-16", "GATE-17")
async def test_what_a_client_has_read_counts_until_a_person_says_that_a_new_task_begins(
    any_house: Office, desk
):
    robot, owner = await program(any_house, scope=EVERYTHING), await any_house.owner()
    desk.release.set()
    assert "status" not in (await robot.call("slow_note", text="1"))["structuredContent"]
    await robot.call("rumour", text="")
    assert (await robot.call("slow_note", text="2"))["structuredContent"]["status"] == "pending"
    assert (await owner.post(f"{API}/clients/{robot.id}/fresh")).status_code == 204
    assert "status" not in (await robot.call("slow_note", text="3"))["structuredContent"]
    assert desk.done == ["1", "3"]


@pytest.mark.req("MCP-01")
async def test_a_call_with_a_key_is_made_once(any_house: Office, desk):
    robot = await program(any_house, scope=EVERYTHING)
    desk.release.set()
    call = {"name": "slow_note", "arguments": {"text": "once"}}
    for _ in range(2):
        meta = {"_meta": {"bailiwick/idempotencyKey": "k-1"}}
        answer = await robot.ask("tools/call", call | meta)
        assert answer["result"]["isError"] is False, answer
    assert desk.done == ["once"]
    for key in ("", "a b", "x" * 201, 5):
        meta = {"_meta": {"bailiwick/idempotencyKey": key}}
        answer = await robot.ask("tools/call", call | meta)
        assert answer["error"]["code"] == -32602, key


@pytest.mark.req("MCP-01")
@pytest.mark.parametrize("version", MODES)
async def test_the_short_way_answers_as_the_sdk_does(
    house: Office, version: str, monkeypatch: pytest.MonkeyPatch
):
    robot = await program(house, scope=EVERYTHING)
    robot.version = version
    asked = [
        ("tools/list", {}),
        ("tools/call", {"name": "echo", "arguments": {"text": "hällo"}}),
        ("tools/call", {"name": "letters", "arguments": {"text": "ab"}}),
        ("tools/call", {"name": "rumour", "arguments": {"text": ""}}),
        ("tools/call", {"name": "echo", "arguments": {"txt": "x"}}),
        ("tools/call", {"name": "echo"}),
        ("tools/call", {"name": "post", "arguments": {"text": "x"}}),
        ("tools/call", {"name": "fly", "arguments": {}}),
        ("tools/call", {"name": "approval_status", "arguments": {"approval_id": "x"}}),
    ]
    short = [await spoken(robot, *one) for one in asked]
    assert all(answer[0] is not None for answer in short)
    monkeypatch.setattr(lean, "read", lambda *_: None)
    for one, answer in zip(asked, short, strict=True):
        assert await spoken(robot, *one) == answer, one


async def spoken(robot: Program, method: str, params: dict[str, Any]) -> tuple[Any, ...]:
    headers: dict[str, str] = {}
    if robot.version == "2026-07-28":
        capabilities = {"elicitation": {"url": {}}} if params.get("name") == "post" else {}
        key = "io.modelcontextprotocol/clientCapabilities"
        params = {**params, "_meta": {**ENVELOPE, key: capabilities}}
        headers = {"Mcp-Method": method}
        if "name" in params:
            headers["Mcp-Name"] = params["name"]
    answer = await robot.post(
        {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, **headers
    )
    return answer.status_code, answer.headers["content-type"], answer.json()


@pytest.mark.req("MCP-01")
async def test_headers_that_contradict_the_message_are_refused(house: Office):
    robot = await program(house)
    robot.version = "2026-07-28"
    params = {"name": "echo", "arguments": {"text": "x"}, "_meta": ENVELOPE}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    good = {"Mcp-Method": "tools/call", "Mcp-Name": "echo"}
    assert (await robot.post(message, **good)).status_code == 200
    for wrong in (
        {"Mcp-Method": "tools/list"},
        {"Mcp-Name": "shred"},
        {"MCP-Protocol-Version": "2026-07-29"},
    ):
        answer = await robot.post(message, **{**good, **wrong})
        assert answer.status_code == 400, wrong
        assert answer.json()["error"]["message"]
    bare = {**message, "params": {"name": "echo", "arguments": {"text": "x"}}}
    assert (await robot.post(bare, **good)).status_code == 400


@pytest.mark.req("MCP-07")
async def test_accounts_have_virtual_ids_and_the_users_own_words(house: Office):
    robot = await program(house, scope=EVERYTHING)
    text = (await robot.call("list_accounts"))["content"][0]["text"]
    [account] = json.loads(text)["accounts"]
    assert account["id"].startswith("account_")
    assert "local" not in text


async def test_an_approval_wait_ends_when_the_server_stops(house: Office):
    robot = await program(house, scope=EVERYTHING)
    id = (await robot.call("post", text="x"))["structuredContent"]["approval_id"]
    params = {"name": "approval_wait", "arguments": {"approval_id": id, "seconds": 50}}
    asking = asyncio.create_task(robot.ask("tools/call", params))
    await until(lambda: endpoint_of(house)._waiting)
    done, _ = await asyncio.wait({asking}, timeout=0.5)
    assert not done
    endpoint_of(house).close()
    answer = await asyncio.wait_for(asking, PATIENCE)
    assert "stopping" in answer["error"]["message"]


async def test_the_home_of_the_client_is_the_only_one_it_reaches(house: Office):
    owner = await house.owner()
    other = (await owner.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    here, there = (
        await program(house, scope=EVERYTHING),
        await program(house, scope=EVERYTHING, workspaceId=other),
    )
    assert other != await workspace_id(owner)
    await here.call("create_task", title="here")
    listed = (await there.call("list_tasks"))["content"][0]["text"]
    assert "here" not in listed
