"""The line that a call leaves: who, what, under which rule, after which words, and the end."""

import time
from datetime import datetime
from typing import Any

import pytest
from structlog.testing import capture_logs

from bailiwick.gate.call import Delegate
from bailiwick.kit import clock
from bailiwick.kit.ledger import Ledger
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput
from gate.conftest import READER, Desk, desk_in
from gate.post_office import FRIEND, HOME, PostOffice
from gate.test_intent import Unwritable
from gate.test_policy import rule
from gate.test_protection import plant
from support.office import API, Office

pytestmark = pytest.mark.req("GATE-13")


@pytest.fixture
async def desk(office: Office) -> Desk:
    return await desk_in(office)


@pytest.fixture
def post(desk: Desk) -> PostOffice:
    return PostOffice(desk)


async def last(desk: Desk) -> dict[str, Any]:
    return (await desk.audit())[-1]


async def test_a_line_says_all_that_is_known_of_a_call(desk: Desk, post: PostOffice):
    before = clock.now()
    made = await rule(desk, "ALLOW", {"==": [{"var": "tool"}, "stamp_letter"]})
    await plant(desk)
    agent = desk.agent(version="7")
    await desk.done(agent, "read_file", path="Files/inbox/offer.txt")
    read = await last(desk)
    assert read["sources"] == [["stranger", "the file Files/inbox/offer.txt"]]
    assert read["label"] == "owner"
    waiting = await desk.pending(agent, "stamp_letter", to=[FRIEND])
    await desk.owner.post(f"{API}/approvals/{waiting.approval_id}/allow", json={})
    assert await desk.run_allowed(waiting.approval_id) == "done"
    *_, action = await desk.actions()
    asked, intent, line = (await desk.audit())[-3:]
    assert before <= datetime.fromisoformat(line.pop("at")) <= clock.now()
    assert line.pop("duration_ms") >= 0
    assert line.pop("call_id") == intent["call_id"] != asked["call_id"]
    trace = line.pop("trace_id")
    assert trace is None or isinstance(trace, str)
    assert line == {
        "phase": "call",
        "workspace_id": desk.workspace_id,
        "user_id": desk.owner_id,
        "owner_id": desk.owner_id,
        "caller": {"kind": "agent", "id": agent.id, "name": "Tester", "version": "7"},
        "connector": HOME.connector,
        "tool": "stamp_letter",
        "effect": "edit",
        "arguments": {"to": [FRIEND]},
        "decision": "REQUIRE_APPROVAL",
        "rule_id": made["id"],
        "rule_name": "Mine",
        "reason": waiting.reason,
        "redacted": [],
        "approval_id": waiting.approval_id,
        "approved_by": desk.owner_id,
        "action_id": action.id,
        "undoes": None,
        "label": "stranger",
        "sources": [],
        "summary": "posted",
        "status": "done",
        "code": None,
        "error": None,
    }
    assert (asked["status"], asked["decision"]) == ("pending", "REQUIRE_APPROVAL")
    assert (intent["phase"], intent["status"], intent["summary"]) == ("intent", "open", None)
    assert (intent["code"], intent["error"]) == (None, None)


async def test_a_refusal_says_its_code_and_why_and_whether_a_rule_blocked_it(desk: Desk):
    made = await rule(desk, "BLOCK", {"==": [{"var": "tool"}, "list_tasks"]})
    blocked = await desk.denied(desk.agent(), "list_tasks")
    line = await last(desk)
    assert (line["status"], line["decision"], line["code"]) == ("denied", "BLOCK", "blocked")
    assert (line["reason"], line["rule_id"]) == (blocked.reason, made["id"])
    scoped = await desk.denied(desk.agent(scope=READER), "create_task", title="x")
    line = await last(desk)
    assert (line["status"], line["decision"], line["code"]) == ("denied", "DENY", "out_of_scope")
    assert (line["reason"], line["rule_id"]) == (scoped.reason, None)


async def test_a_call_that_was_let_through_and_failed_says_how(desk: Desk, post: PostOffice):
    refused = await desk.denied(desk.agent(), "read_file", path="Files/none.txt")
    line = await last(desk)
    assert (line["status"], line["decision"], line["code"]) == ("failed", "ALLOW", "not_found")
    assert line["error"] == refused.reason
    await desk.done(desk.agent(), "create_file", path="Files/a.txt", content="A")
    refused = await desk.denied(desk.agent(), "create_file", path="Files/a.txt", content="A")
    line = await last(desk)
    assert (line["status"], line["code"], line["error"]) == ("failed", "conflict", refused.reason)


async def test_a_tool_that_did_not_end_in_time_failed(desk: Desk, post: PostOffice):
    async def never(_: ToolContext, __: NoArguments) -> ToolOutput:
        raise TimeoutError

    post.put(Tool("wait", "Wait", "", NoArguments, "read", never))
    await desk.denied(desk.agent(), "wait")
    line = await last(desk)
    assert (line["status"], line["code"]) == ("failed", "unknown_outcome")


async def test_a_tool_that_cannot_go_on_failed(desk: Desk, post: PostOffice):
    await desk.denied(desk.agent(), "stamp_letter", to=["unpaid"])
    line = await last(desk)
    assert (line["status"], line["code"], line["error"]) == ("failed", "failed", "Pay first.")


async def test_a_bug_before_the_rules_were_asked_is_recorded_as_not_allowed(
    desk: Desk, post: PostOffice
):
    post.bug = RuntimeError("of ours: secret")
    with pytest.raises(RuntimeError):
        await desk.call(desk.agent(), "stamp_letter")
    line = await last(desk)
    assert (line["phase"], line["status"], line["code"]) == ("call", "failed", "failed")
    assert line["decision"] == "DENY"
    assert line["error"] == "RuntimeError: an error inside; the log has it"
    assert "secret" not in str(line)


async def test_a_bug_that_cannot_be_recorded_is_still_the_bug(desk: Desk, post: PostOffice):
    post.bug = RuntimeError("of ours")
    full = Unwritable(desk.office.product[Ledger], after=0)
    object.__setattr__(desk.gate._dependencies, "ledger", full)
    with capture_logs() as said, pytest.raises(RuntimeError, match="of ours"):
        await desk.call(desk.agent(), "stamp_letter")
    assert "a failed call could not be recorded" in [line["event"] for line in said]


async def test_what_members_share_is_theirs_to_see_once_it_is_done_and_a_refusal_is_not(desk: Desk):
    await desk.done(desk.agent(), "create_task", title="Call")
    intent, done = await desk.audit()
    assert (intent["owner_id"], done["owner_id"]) == (desk.owner_id, "*")
    await desk.denied(desk.agent(scope=READER), "create_task", title="Call")
    assert (await last(desk))["owner_id"] == desk.owner_id
    await desk.done(desk.agent(), "memory_search", query="roof")
    assert (await last(desk))["owner_id"] == desk.owner_id


async def test_who_is_not_told_the_end_is_told_where_to_look(desk: Desk, post: PostOffice):
    full = Unwritable(desk.office.product[Ledger], after=1)
    object.__setattr__(desk.gate._dependencies, "ledger", full)
    refused = await desk.denied(desk.agent(), "stamp_letter")
    (action,) = await desk.actions()
    assert refused.code == "audit_failed"
    assert f"It was begun as {action.id}" in refused.reason
    with capture_logs() as said:
        nothing = await desk.denied(desk.agent(), "list_tasks")
    assert ("the audit cannot be written", "The disk is full.") in [
        (line["event"], line.get("reason")) for line in said
    ]
    assert nothing.code == "audit_failed"
    assert "nothing is done" in nothing.reason


async def test_asking_another_agent_is_recorded_as_passed_on(desk: Desk):
    tool = Tool("agent__clerk", "", "", NoArguments, "read", run=None, delegates_to="agt-clerk")  # pyright: ignore
    assert isinstance(await desk.call(desk.agent(own_tools=(tool,)), "agent__clerk"), Delegate)
    assert (await last(desk))["status"] == "delegated"
    await rule(desk, "REQUIRE_APPROVAL", {"==": [{"var": "tool"}, "agent__clerk"]})
    await desk.denied(desk.agent(own_tools=(tool,)), "agent__clerk")
    line = await last(desk)
    assert (line["status"], line["decision"]) == ("denied", "BLOCK")


async def test_a_name_without_end_is_cut(desk: Desk):
    await desk.denied(desk.agent(), "x" * 500)
    line = await last(desk)
    assert (line["tool"], line["effect"]) == ("x" * 128, None)


async def test_a_line_says_in_milliseconds_how_long_it_took(
    desk: Desk, post: PostOffice, monkeypatch: pytest.MonkeyPatch
):
    real, million = time.perf_counter, 1_000_000

    async def lasts(_: ToolContext, __: NoArguments) -> ToolOutput:
        monkeypatch.setattr(time, "perf_counter", lambda: real() + million)
        return ToolOutput({}, summary="")

    post.put(Tool("last", "Last", "", NoArguments, "read", lasts))
    await desk.done(desk.agent(), "last")
    took = (await last(desk))["duration_ms"]
    assert 0 <= took - million * 1000 < 600_000
    assert took == round(took, 2)
