"""What is asked of a person: the card, who may answer it, and what is said of its life."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from bailiwick.gate.call import Delegate, Pending
from bailiwick.gate.feature import feature
from bailiwick.gate.models import Approval
from bailiwick.kit import clock
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.tool import Tool
from gate.conftest import Desk
from gate.post_office import FRIEND, HOME, WORK, PostOffice
from gate.test_approvals import answer, asked
from gate.test_policy import rule
from support.office import API, user_id

pytestmark = pytest.mark.req("GATE-09")


@pytest.fixture
def post(desk: Desk) -> PostOffice:
    return PostOffice(desk)


async def card(who: httpx.AsyncClient, waiting: Pending) -> dict[str, Any]:
    shown = await who.get(f"{API}/approvals/{waiting.approval_id}")
    assert shown.status_code == 200, shown.text
    return shown.json()


async def test_a_card_says_what_is_asked_by_whom_and_why(desk: Desk, post: PostOffice):
    made = await rule(desk, "REQUIRE_APPROVAL", {"==": [{"var": "effect"}, "send"]})
    agent = desk.agent(version="7")
    waiting = await desk.pending(agent, "post_letter", to=[FRIEND])
    shown = await card(desk.owner, waiting)
    created, expires = (
        datetime.fromisoformat(shown.pop(f"{at}At")) for at in ("created", "expires")
    )
    assert expires - created == timedelta(days=7)
    assert shown.pop("binding")
    assert shown == {
        "id": waiting.approval_id,
        "workspaceId": desk.workspace_id,
        "status": "pending",
        "caller": {"kind": "agent", "id": agent.id, "name": "Tester", "version": "7"},
        "tool": "post_letter",
        "title": "Post a letter",
        "effect": "send",
        "connector": HOME.connector,
        "undoes": None,
        "arguments": {"to": [FRIEND]},
        "edited": None,
        "preview": {"text": f"Dear {FRIEND}"},
        "reason": "The rule “Mine” asks a person first.",
        "ruleId": made["id"],
        "sources": [],
        "undoable": False,
        "canAnswer": True,
        "answeredBy": None,
        "answeredAt": None,
        "note": None,
        "actionId": None,
        "error": None,
        "finishedAt": None,
    }


async def test_a_card_says_why_there_is_nothing_to_look_at(desk: Desk, post: PostOffice):
    nobody = await desk.pending(desk.agent(), "post_letter")
    assert (await card(desk.owner, nobody))["preview"] == {"note": "It goes to nobody yet."}
    plain = await desk.pending(desk.agent(), "post_reply")
    assert (await card(desk.owner, plain))["preview"] is None


async def test_a_card_says_whether_it_can_be_taken_back(desk: Desk):
    assert (await card(desk.owner, await asked(desk)))["undoable"]


async def test_of_a_tool_that_is_gone_the_card_stays_and_can_only_be_denied(
    desk: Desk, post: PostOffice
):
    waiting = await desk.pending(desk.agent(), "post_letter", to=[FRIEND])
    post.take_away("post_letter")
    shown = await card(desk.owner, waiting)
    assert (shown["title"], shown["undoable"]) == ("post_letter", False)
    refused = await answer(desk, waiting.approval_id, "allow")
    assert refused.status_code == 409
    assert "is gone" in refused.json()["detail"]
    assert (await answer(desk, waiting.approval_id, "deny")).status_code == 200


async def test_a_tool_that_changed_since_makes_the_person_look_again(desk: Desk, post: PostOffice):
    waiting = await desk.pending(desk.agent(), "post_letter", to=[FRIEND])
    tool = post.registry.get("post_letter")
    assert tool
    post.put(replace(tool, description="Post it abroad"))
    stale = await answer(desk, waiting.approval_id, "allow")
    assert stale.status_code == 409
    assert "Look at it again" in stale.json()["detail"]
    assert (await card(desk.owner, waiting))["status"] == "pending"
    assert (await answer(desk, waiting.approval_id, "allow")).status_code == 200
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert post.sent == [f"Home: {FRIEND}"]


async def test_a_yes_holds_for_the_account_that_was_on_the_card(desk: Desk, post: PostOffice):
    waiting = await desk.pending(desk.agent(), "post_letter", to=[FRIEND])
    await answer(desk, waiting.approval_id, "allow")
    post.usual = WORK
    assert await desk.run_allowed(waiting.approval_id) == "failed"
    assert "account changed" in (await card(desk.owner, waiting))["error"]
    assert post.sent == []


async def test_who_changes_the_arguments_may_change_the_account_too(desk: Desk, post: PostOffice):
    waiting = await desk.pending(desk.agent(), "post_letter", to=[FRIEND])
    edited = {"to": [FRIEND], "account": "Work"}
    await answer(desk, waiting.approval_id, "allow", {"arguments": edited})
    assert await desk.run_allowed(waiting.approval_id) == "done"
    assert post.sent == [f"Work: {FRIEND}"]


async def may(who: httpx.AsyncClient, waiting: Pending) -> tuple[bool, int]:
    """Whether the card says that they may answer, and what becomes of their answer."""
    shown = await card(who, waiting)
    denied = await who.post(f"{API}/approvals/{waiting.approval_id}/deny", json={})
    if denied.status_code == 200:
        assert not (await card(who, waiting))["canAnswer"]
    return shown["canAnswer"], denied.status_code


async def test_the_one_in_whose_name_it_is_answers_unless_they_may_only_read(desk: Desk):
    ines = await desk.office.member("ines")
    agent = desk.agent(user_id=await user_id(ines))
    member = f"{API}/workspaces/{desk.workspace_id}/members/{agent.user_id}"
    await desk.done(agent, "create_file", path="Files/a.txt", content="A")
    waiting = await desk.pending(agent, "delete_file", path="Files/a.txt")
    for role, answered in (("read", (False, 403)), ("write", (True, 200))):
        assert (await desk.owner.put(member, json={"role": role})).status_code < 300
        assert await may(ines, waiting) == answered, role


async def test_the_owner_of_the_account_answers_and_not_who_asked_for_it(
    desk: Desk, post: PostOffice
):
    post.usual = replace(HOME, owner_id=desk.owner_id)
    ines = await desk.office.member("ines")
    agent = desk.agent(user_id=await user_id(ines))
    member = f"{API}/workspaces/{desk.workspace_id}/members/{agent.user_id}"
    await desk.owner.put(member, json={"role": "write"})
    waiting = await desk.pending(agent, "post_letter", to=[FRIEND])
    assert await may(ines, waiting) == (False, 403)
    assert await may(desk.owner, waiting) == (True, 200)


async def test_asking_another_agent_is_refused_where_it_would_wait_for_a_person(desk: Desk):
    tool = Tool(
        "agent__clerk", "Clerk", "", NoArguments, "read", run=None, delegates_to="agt-clerk"
    )  # pyright: ignore
    agent = desk.agent(own_tools=(tool,))
    assert await desk.call(agent, "agent__clerk") == Delegate("agt-clerk", {})
    made = await rule(desk, "REQUIRE_APPROVAL", {"==": [{"var": "tool"}, "agent__clerk"]})
    refused = await desk.denied(agent, "agent__clerk")
    assert (refused.code, refused.rule_id) == ("blocked", made["id"])
    assert "does not wait for a person" in refused.reason
    assert (await desk.owner.get(f"{API}/approvals")).json()["items"] == []


async def test_the_audit_names_who_allowed_it(desk: Desk):
    for who, name in ((desk.owner, desk.owner_id), (desk.office.operator, "operator")):
        waiting = await asked(desk) if who is desk.owner else await again(desk)
        allowed = await who.post(f"{API}/approvals/{waiting.approval_id}/allow", json={})
        assert allowed.json()["answeredBy"] == name
        assert await desk.run_allowed(waiting.approval_id) == "done"
        line = (await desk.audit())[-1]
        assert (line["tool"], line["approved_by"]) == ("move_file", name)
        assert line["approval_id"] == waiting.approval_id


async def again(desk: Desk) -> Pending:
    return await desk.pending(desk.agent(), "move_file", path="Files/b.txt", to="Files/c.txt")


async def test_members_are_told_of_each_step_in_the_life_of_a_question(desk: Desk):
    start = (await desk.owner.get(f"{API}/events", params={"PageSize": 500})).json()["position"]
    allowed = await asked(desk)
    await answer(desk, allowed.approval_id, "allow")
    await desk.run_allowed(allowed.approval_id)
    denied = await again(desk)
    await answer(desk, denied.approval_id, "deny")
    late = await again(desk)
    async with desk.office.product.storage.app.write() as session:
        ago = clock.now() - timedelta(hours=1)
        await session.execute(
            update(Approval).where(Approval.id == late.approval_id).values(expires_at=ago)
        )
    (tidy,) = [each for each in feature.tidies if each.name == "approvals"]
    await tidy.tidy(desk.office.product)
    assert (await card(desk.owner, late))["status"] == "expired"
    assert (await card(desk.owner, late))["finishedAt"]

    async def told(who: httpx.AsyncClient) -> list[tuple[str, ...]]:
        asked = {"after": start, "PageSize": 500}
        items = (await who.get(f"{API}/events", params=asked)).json()["items"]
        return [
            (item["type"], item["subjectId"], item["actorId"], *item["data"].values())
            for item in items
            if item["type"].startswith("approval.")
            and item["workspaceId"] == desk.workspace_id
            and list(item["data"]) == ["tool", "status"]
        ]

    ids = [each.approval_id for each in (allowed, denied, late)]
    agent, owner = "agt-tester", desk.owner_id
    assert await told(desk.owner) == [
        ("approval.requested", ids[0], agent, "move_file", "pending"),
        ("approval.allowed", ids[0], owner, "move_file", "allowed"),
        ("approval.finished", ids[0], owner, "move_file", "done"),
        ("approval.requested", ids[1], agent, "move_file", "pending"),
        ("approval.denied", ids[1], owner, "move_file", "denied"),
        ("approval.requested", ids[2], agent, "move_file", "pending"),
        ("approval.expired", ids[2], agent, "move_file", "expired"),
    ]
    assert await told(await desk.office.member("sam")) == []
