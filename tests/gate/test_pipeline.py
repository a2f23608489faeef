"""The gate as a whole: a call goes in, an outcome comes out, and the audit has it."""

import asyncio

import pytest

from bailiwick.gate import pipeline
from bailiwick.gate.call import Call, Denied, Result
from gate.conftest import READER, Desk


@pytest.mark.req("GATE-01")
def test_the_checks_are_in_the_order_that_the_product_promises():
    names = [check.__module__.rpartition(".")[2] for check in pipeline.CHECKS]
    assert names == [
        "audit",
        "halt",
        "schema",
        "virtual_ids",
        "provenance",
        "scope",
        "limits",
        "policy",
        "approval",
        "redaction",
        "intent",
    ]


@pytest.mark.req("LIB-01")
async def test_an_agent_creates_reads_and_finds_a_file(either_desk: Desk):
    desk, agent = either_desk, either_desk.agent()
    await desk.done(agent, "create_file", path="Files/plan.md", content="first the roof")
    read = await desk.done(agent, "read_file", path="Files/plan.md")
    assert read["content"] == "first the roof"
    found = await desk.done(agent, "search_content", query="roof")
    assert "plan.md" in str(found)


@pytest.mark.req("GATE-13")
async def test_every_call_leaves_a_line_allowed_or_not(desk: Desk):
    agent = desk.agent(scope=READER)
    await desk.done(agent, "list_files")
    await desk.denied(agent, "create_file", path="Files/a.txt", content="x")
    await desk.denied(agent, "no_such_tool")
    lines = [(line["tool"], line["decision"], line["status"]) for line in await desk.audit()]
    assert lines == [
        ("list_files", "ALLOW", "done"),
        ("create_file", "DENY", "denied"),
        ("no_such_tool", "DENY", "denied"),
    ]


@pytest.mark.req("GATE-15")
async def test_who_leaves_does_not_stop_a_write_halfway(desk: Desk):
    call = Call(desk.agent(), "create_file", {"path": "Files/left.txt", "content": "whole"})
    waiting = asyncio.create_task(desk.gate.call(call))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await desk.gate.close()
    assert (await desk.done(desk.agent(), "read_file", path="Files/left.txt"))["content"] == "whole"
    assert [action.status for action in await desk.actions()] == ["done"]


@pytest.mark.req("GATE-01")
async def test_a_person_by_rest_goes_through_the_gate_too(desk: Desk):
    made = await desk.use("create_task", title="Call the roofer")
    assert made.status_code == 200, made.text
    line = (await desk.audit())[-1]
    assert line["caller"]["kind"] == "user"
    assert line["status"] == "done"


@pytest.mark.req("MCP-05")
async def test_tools_that_a_caller_may_never_use_are_not_listed(desk: Desk):
    everything = {tool.name for tool in await desk.gate.tools(desk.agent())}
    reading = {tool.name for tool in await desk.gate.tools(desk.agent(scope=READER))}
    assert {"read_file", "list_tasks", "memory_search"} <= reading < everything
    assert not reading & {"write_file", "create_task", "delete_file"}


@pytest.mark.req("GATE-15")
async def test_the_same_key_is_the_same_call(either_desk: Desk):
    desk = either_desk
    call = Call(desk.agent(), "create_task", {"title": "Once"}, idempotency_key="k1")
    first, second = await desk.gate.call(call), await desk.gate.call(call)
    assert isinstance(first, Result)
    assert isinstance(second, Result)
    assert first.data == second.data
    assert len((await desk.done(desk.agent(), "list_tasks"))["tasks"]) == 1
    other = await desk.gate.call(
        Call(desk.agent(), "create_task", {"title": "Another"}, idempotency_key="k1")
    )
    assert isinstance(other, Denied)
    assert other.code == "conflict"
