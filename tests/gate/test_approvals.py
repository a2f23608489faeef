"""Approvals: parked, bound, answered once, and run once."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update

from bailiwick.errors import NotFound
from bailiwick.gate.approvals.service import key_of
from bailiwick.gate.call import Call, Caller, Denied, Pending, Result
from bailiwick.gate.models import Action, Approval
from bailiwick.kit import clock
from gate.conftest import Desk
from support.office import API

pytestmark = pytest.mark.req("GATE-09")


async def asked(desk: Desk) -> Pending:
    """A move waits for the owner."""
    agent = desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content="A")
    return await desk.pending(agent, "move_file", path="Files/a.txt", to="Files/b.txt")


async def answer(desk: Desk, id: str, verb: str, body: dict | None = None):
    return await desk.owner.post(f"{API}/approvals/{id}/{verb}", json=body or {})


async def test_what_needs_a_person_waits_and_happens_once_after_yes(either_desk: Desk):
    desk = either_desk
    waiting = await asked(desk)
    listed = (await desk.owner.get(f"{API}/approvals?status=pending")).json()["items"]
    assert [item["id"] for item in listed] == [waiting.approval_id]
    assert listed[0]["canAnswer"]
    assert (await answer(desk, waiting.approval_id, "allow")).status_code == 200
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert isinstance(await desk.gate.approval(desk.agent(), waiting.approval_id), Result)
    assert (await desk.done(desk.agent(), "read_file", path="Files/b.txt"))["content"] == "A"
    assert [a.tool for a in await desk.actions()] == ["create_file", "move_file"]


async def test_a_denied_call_never_runs_and_says_what_the_person_said(desk: Desk):
    waiting = await asked(desk)
    denied = await answer(desk, waiting.approval_id, "deny", {"note": "Leave it there."})
    assert denied.json()["status"] == "denied"
    assert await desk.run_allowed(waiting.approval_id) == "denied"
    outcome = await desk.gate.approval(desk.agent(), waiting.approval_id)
    assert isinstance(outcome, Denied)
    assert "Leave it there." in outcome.reason
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "A"


@pytest.mark.parametrize(
    ("first", "second", "status"), [("deny", "allow", "denied"), ("allow", "deny", "allowed")]
)
async def test_answering_twice_or_late_is_a_clear_conflict(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, first: str, second: str, status: str
):
    waiting = await asked(desk)
    await answer(desk, waiting.approval_id, first)
    again = await answer(desk, waiting.approval_id, second)
    assert again.status_code == 409
    assert "answered already" in again.json()["detail"]
    shown = (await desk.owner.get(f"{API}/approvals/{waiting.approval_id}")).json()
    assert (shown["status"], shown["note"]) == (status, None)
    late = await desk.pending(desk.agent(), "move_file", path="Files/a.txt", to="Files/c.txt")
    over = clock.now() + timedelta(seconds=1)
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Approval).values(expires_at=over))
    monkeypatch.setattr(clock, "now", lambda: over)
    refused = await answer(desk, late.approval_id, second)
    assert refused.status_code == 409
    assert "expired" in refused.json()["detail"]
    shown = (await desk.owner.get(f"{API}/approvals/{late.approval_id}")).json()
    assert (shown["status"], shown["answeredBy"]) == ("pending", None)


async def test_of_those_who_answer_at_the_same_time_one_is_heard(either_desk: Desk):
    desk = either_desk
    waiting = await asked(desk)
    verbs = ("allow", "deny") * 3
    answers = await asyncio.gather(*(answer(desk, waiting.approval_id, verb) for verb in verbs))
    assert sorted(each.status_code for each in answers) == [200, *[409] * 5]


async def test_edited_arguments_run_instead_and_bad_ones_are_refused_by_field(desk: Desk):
    waiting = await asked(desk)
    bad = await answer(desk, waiting.approval_id, "allow", {"arguments": {"path": 7}})
    assert bad.status_code == 400
    assert bad.json()["errors"]["path"] == ["must be a text"]
    edited = {"path": "Files/a.txt", "to": "Files/chosen.txt"}
    good = await answer(desk, waiting.approval_id, "allow", {"arguments": edited})
    assert good.json()["edited"] == edited
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert (await desk.done(desk.agent(), "read_file", path="Files/chosen.txt"))["content"] == "A"


async def test_an_edit_goes_through_the_gate_again(desk: Desk):
    waiting = await asked(desk)
    edited = {"path": "Files/a.txt", "to": "../../etc/passwd"}
    await answer(desk, waiting.approval_id, "allow", {"arguments": edited})
    assert await desk.run_allowed(waiting.approval_id) == "failed"
    shown = (await desk.owner.get(f"{API}/approvals/{waiting.approval_id}")).json()
    assert ".." in shown["error"]


async def test_rules_that_changed_since_make_the_person_look_again(desk: Desk):
    waiting = await asked(desk)
    rule = {"name": "Another", "action": "ALLOW", "condition": {"==": [{"var": "tool"}, "x"]}}
    made = await desk.owner.post(f"{API}/rules", json=rule)
    assert made.status_code == 201, made.text
    stale = await answer(desk, waiting.approval_id, "allow")
    assert stale.status_code == 409
    assert "Look at it again" in stale.json()["detail"]
    assert (await answer(desk, waiting.approval_id, "allow")).status_code == 200


async def test_a_rule_made_after_the_yes_still_stops_the_call(desk: Desk):
    waiting = await asked(desk)
    await answer(desk, waiting.approval_id, "allow")
    rule = {
        "name": "No moves",
        "action": "BLOCK",
        "condition": {"==": [{"var": "effect"}, "move"]},
        "priority": 10_000,
    }
    assert (await desk.owner.post(f"{API}/rules", json=rule)).status_code == 201
    assert await desk.run_allowed(waiting.approval_id) == "failed"
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "A"


async def test_an_approval_lets_only_its_own_call_of_its_own_caller_through(desk: Desk):
    waiting = await asked(desk)
    id, move = waiting.approval_id, {"path": "Files/a.txt", "to": "Files/b.txt"}

    async def claim(caller: Caller, key: str | None = key_of(id), **changed: str) -> str:
        call = Call(
            caller, "move_file", move | changed, context_id="c", idempotency_key=key, approval_id=id
        )
        outcome = await desk.gate.call(call)
        assert isinstance(outcome, Denied), outcome
        assert outcome.code == "approval_void"
        return outcome.reason

    assert "not given" in await claim(desk.agent())
    await answer(desk, id, "allow")
    assert "not given, or was used" in await claim(desk.agent(), key="another")
    assert "another caller" in await claim(desk.agent("agt-other"))
    assert "another caller" in await claim(desk.client("agt-tester"))
    assert "changed after" in await claim(desk.agent(), to="Files/elsewhere.txt")
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "A"
    assert await desk.run_allowed(id) == "done"


async def test_the_same_wish_waits_once(desk: Desk):
    first = await asked(desk)
    second = await desk.pending(desk.agent(), "move_file", to="Files/b.txt", path="Files/a.txt")
    assert first.approval_id == second.approval_id


async def test_what_was_allowed_happens_once_though_its_end_was_not_stored(desk: Desk):
    waiting = await asked(desk)
    await answer(desk, waiting.approval_id, "allow")
    assert await desk.run_allowed(waiting.approval_id) == "done"
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Approval).values(status="allowed"))
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert [a.tool for a in await desk.actions()] == ["create_file", "move_file"]


async def test_another_callers_approval_does_not_exist(desk: Desk):
    waiting = await asked(desk)
    with pytest.raises(NotFound):
        await desk.gate.approval(desk.client(), waiting.approval_id)


async def test_who_has_no_right_cannot_answer(desk: Desk):
    waiting = await asked(desk)
    stranger = await desk.office.member("ines")
    paths = [f"{API}/approvals/{waiting.approval_id}/{verb}" for verb in ("allow", "deny")]
    assert [(await stranger.post(path, json={})).status_code for path in paths] == [404, 404]
    body = {"email": "ines@example.com", "role": "admin"}
    await desk.owner.post(f"{API}/workspaces/{desk.workspace_id}/members", json=body)
    assert [(await stranger.post(path, json={})).status_code for path in paths] == [404, 404]
    program = await desk.office.token(desk.owner, "read", "write", "admin")
    assert [(await program.post(path, json={})).status_code for path in paths] == [403, 403]


@pytest.mark.req("GATE-23")
async def test_an_agent_can_be_made_to_ask_before_every_write(desk: Desk):
    careful = desk.agent(ask_writes=True)
    await desk.pending(careful, "create_file", path="Files/a.txt", content="A")
    await desk.done(careful, "list_files")
    picky = desk.agent(ask_tools=("create_*",))
    await desk.pending(picky, "create_task", title="x")


async def test_a_person_is_their_own_approval_and_a_program_with_their_token_is_not(desk: Desk):
    await desk.use("create_file", path="Files/a.txt", content="A")
    moved = await desk.use("move_file", path="Files/a.txt", to="Files/b.txt")
    assert moved.json()["status"] == "done"
    program = await desk.office.token(desk.owner, "read", "write")
    path = f"{API}/workspaces/{desk.workspace_id}/tools/move_file"
    body = {"arguments": {"path": "Files/b.txt", "to": "Files/c.txt"}}
    assert (await program.post(path, json=body)).json()["status"] == "pending"


async def test_what_a_change_would_do_is_part_of_the_yes(either_desk: Desk):
    desk = either_desk
    careful = desk.agent(ask_writes=True)
    await desk.use("create_file", path="Files/a.txt", content="one")
    waiting = await desk.pending(careful, "write_file", path="Files/a.txt", content="two")
    assert (await answer(desk, waiting.approval_id, "allow")).status_code == 200
    await desk.use("write_file", path="Files/a.txt", content="one, and a day of work")
    assert await desk.run_allowed(waiting.approval_id) == "pending"
    outcome = await desk.gate.approval(careful, waiting.approval_id)
    assert isinstance(outcome, Pending)
    assert "changed since" in outcome.reason
    line = (await desk.audit())[-1]
    assert (line["approval_id"], line["status"]) == (waiting.approval_id, "pending")
    assert (await desk.done(careful, "read_file", path="Files/a.txt"))["content"].endswith("work")
    assert (await answer(desk, waiting.approval_id, "allow")).status_code == 200
    assert await desk.run_allowed(waiting.approval_id) == "done"


async def test_what_a_crash_cut_short_is_not_asked_again_for_its_own_work(desk: Desk):
    waiting = await asked(desk)
    await answer(desk, waiting.approval_id, "allow")
    assert await desk.run_allowed(waiting.approval_id) == "done"
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Approval).values(status="allowed"))
        await session.execute(
            update(Action)
            .where(Action.approval_id == waiting.approval_id)
            .values(status="open", executor="prc-dead")
        )
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert [a.tool for a in await desk.actions()] == ["create_file", "move_file"]
