"""Intents: on disk before the act, once for each key, and brought to a known end after a crash."""

import asyncio

import pytest
from sqlalchemy import update

from bailiwick.gate.call import Call, Denied, Result
from bailiwick.gate.models import Action
from bailiwick.kit.ledger import Ledger, LedgerUnwritable
from bailiwick.tools import registry
from bailiwick.tools.arguments import ToolArguments
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput
from gate.conftest import Desk
from support.office import API

pytestmark = pytest.mark.req("GATE-15")


class Numbered(ToolArguments):
    n: int = 0


class Effects:
    """A tool of every replay kind, with what it did to the world."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.happened: list[str] = []
        self.known: list[tuple[str, str]] = []  # what was on record when it happened
        self.crash: BaseException | None = None
        tools = [
            Tool("plain", "Plain", "", Numbered, "create", self.run, replay="idempotent"),
            Tool(
                "seen", "Seen", "", Numbered, "create", self.run, replay="lookup", lookup=self.look
            ),
            Tool("once", "Once", "", Numbered, "create", self.run, replay="ask"),
        ]
        own = desk.office.product[registry.Registry]
        own._tools = registry.Registry([*own, *tools])._tools

    async def run(self, context: ToolContext, arguments: Numbered) -> ToolOutput:
        self.happened.append(context.key)
        self.known = [(line["phase"], line["status"]) for line in await self.desk.audit()]
        self.known += [("action", action.status) for action in await self.desk.actions()]
        if self.crash:
            raise self.crash
        return ToolOutput({"n": len(self.happened)}, summary="done")

    async def look(self, context: ToolContext, arguments: Numbered) -> ToolOutput | None:
        return ToolOutput({"found": True}, summary="found") if self.happened else None


@pytest.fixture
def effects(desk: Desk) -> Effects:
    return Effects(desk)


async def left_open(desk: Desk, tool: str) -> None:
    """An intent whose process was killed."""
    await desk.done(desk.agent(), tool, n=1)
    async with desk.office.product.storage.app.write() as session:
        values = {"status": "open", "executor": "a process that ended", "result": None}
        await session.execute(update(Action).values(**values))


async def test_the_intent_is_in_the_audit_before_the_act_and_its_end_after(
    desk: Desk, effects: Effects
):
    await desk.done(desk.agent(), "plain", n=1)
    assert effects.known == [("intent", "open"), ("action", "open")]
    lines = [(line["phase"], line["status"]) for line in await desk.audit()]
    assert lines == [("intent", "open"), ("call", "done")]


@pytest.mark.parametrize(
    ("tool", "status", "runs"), [("plain", "done", 2), ("seen", "done", 1), ("once", "unknown", 1)]
)
async def test_what_was_left_open_is_settled_as_the_tool_allows(
    desk: Desk, effects: Effects, tool: str, status: str, runs: int
):
    await left_open(desk, tool)
    assert await desk.gate.recover() == 1
    (action,) = await desk.actions()
    assert action.status == status
    assert len(effects.happened) == runs
    assert len(set(effects.happened)) == 1, "the key is the same when it is tried again"
    assert (await desk.audit())[-1]["phase"] == "recovery"
    assert await desk.gate.recover() == 0


async def test_a_lookup_that_finds_nothing_says_that_it_did_not_happen(
    desk: Desk, effects: Effects
):
    await left_open(desk, "seen")
    effects.happened.clear()
    await desk.gate.recover()
    (action,) = await desk.actions()
    assert action.status == "failed"
    assert action.error
    assert "Nothing was changed" in action.error
    assert effects.happened == []


async def test_a_person_decides_about_what_nobody_knows(desk: Desk, effects: Effects):
    await left_open(desk, "once")
    await desk.gate.recover()
    (action,) = (await desk.owner.get(f"{API}/actions?status=unknown")).json()["items"]
    path = f"{API}/actions/{action['id']}/settle"
    settled = await desk.owner.post(path, json={"happened": True})
    assert settled.json()["status"] == "done"
    assert (await desk.owner.post(path, json={"happened": False})).status_code == 409


@pytest.mark.parametrize(("tool", "runs"), [("plain", 2), ("seen", 1), ("once", 1)])
async def test_a_caller_who_tries_again_after_a_crash_does_not_double_it(
    desk: Desk, effects: Effects, tool: str, runs: int
):
    call = Call(desk.agent(), tool, {"n": 1}, idempotency_key="k")
    await desk.gate.call(call)
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Action).values(status="open", executor="gone"))
    outcome = await desk.gate.call(call)
    assert len(effects.happened) == runs
    assert isinstance(outcome, Denied if tool == "once" else Result), outcome


async def test_a_call_that_is_still_under_way_is_not_begun_again(desk: Desk, effects: Effects):
    call = Call(desk.agent(), "plain", {"n": 1}, idempotency_key="k")
    outcomes = await asyncio.gather(*(desk.gate.call(call) for _ in range(5)))
    assert len(effects.happened) == 1
    assert sum(isinstance(outcome, Result) for outcome in outcomes) >= 1


@pytest.mark.parametrize(("tool", "status"), [("plain", "failed"), ("once", "unknown")])
async def test_a_bug_in_a_tool_propagates_and_is_recorded(
    desk: Desk, effects: Effects, tool: str, status: str
):
    effects.crash = RuntimeError("a bug")
    with pytest.raises(RuntimeError, match="a bug"):
        await desk.call(desk.agent(), tool, n=1)
    (action,) = await desk.actions()
    assert action.status == status
    assert (await desk.audit())[-1]["status"] == "failed"


async def test_a_failed_call_may_be_tried_again_under_its_key(desk: Desk, effects: Effects):
    effects.crash = TimeoutError()
    call = Call(desk.agent(), "plain", {"n": 1}, idempotency_key="k")
    assert isinstance(await desk.gate.call(call), Denied)
    effects.crash = None
    assert isinstance(await desk.gate.call(call), Result)


class Unwritable:
    """An audit whose disk is full, for so many lines if it is said."""

    def __init__(self, real: object, *, after: int, lines: int = 1000) -> None:
        self.real, self.left, self.lines = real, after, lines

    async def append(self, body: object) -> None:
        self.left -= 1
        if -self.lines <= self.left < 0:
            raise LedgerUnwritable("The disk is full.")
        await self.real.append(body)


@pytest.mark.parametrize(("after", "happens"), [(0, 0), (1, 1)])
async def test_what_cannot_be_recorded_is_not_done(
    desk: Desk, effects: Effects, monkeypatch: pytest.MonkeyPatch, after: int, happens: int
):
    full = Unwritable(desk.office.product[Ledger], after=after)
    object.__setattr__(desk.gate._dependencies, "ledger", full)
    refused = await desk.denied(desk.agent(), "plain", n=1)
    assert refused.code == "audit_failed"
    assert len(effects.happened) == happens
    assert len(await desk.actions()) == happens
    object.__setattr__(desk.gate._dependencies, "ledger", full.real)
    await desk.done(desk.agent(), "plain", n=1)


async def test_a_write_whose_intent_cannot_be_recorded_is_refused_though_the_end_can(
    desk: Desk, effects: Effects
):
    full = Unwritable(desk.office.product[Ledger], after=0, lines=1)
    object.__setattr__(desk.gate._dependencies, "ledger", full)
    refused = await desk.denied(desk.agent(), "plain", n=1)
    assert refused.code == "audit_failed"
    assert "nothing was done" in refused.reason
    assert effects.happened == []
    (line,) = await desk.audit()
    assert (line["status"], line["code"]) == ("denied", "audit_failed")
    assert line["action_id"] is None


async def test_a_read_that_cannot_be_recorded_gives_nothing_away(desk: Desk):
    full = Unwritable(desk.office.product[Ledger], after=0)
    object.__setattr__(desk.gate._dependencies, "ledger", full)
    assert (await desk.denied(desk.agent(), "list_files")).code == "audit_failed"
