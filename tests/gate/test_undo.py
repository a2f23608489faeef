"""What was done can be taken back, once, with conflicts shown and nothing lost."""

import pytest
from sqlalchemy import update

from bailiwick.gate.call import Result
from bailiwick.gate.models import Action
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.tools.trust import Source
from gate.conftest import Desk
from gate.post_office import PostOffice
from support.office import API

pytestmark = pytest.mark.req("GATE-19")


async def listed(desk: Desk) -> list[dict]:
    return (await desk.owner.get(f"{API}/actions")).json()["items"]


async def undo(desk: Desk, id: str):
    return await desk.owner.post(f"{API}/actions/{id}/undo")


async def test_a_write_is_taken_back_and_both_say_so(either_desk: Desk):
    desk, agent = either_desk, either_desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content="first")
    await desk.done(agent, "write_file", path="Files/a.txt", content="second")
    newest = (await listed(desk))[0]
    assert newest["undoable"]
    assert newest["title"]
    undone = await undo(desk, newest["id"])
    assert undone.status_code == 200, undone.text
    assert (await desk.done(agent, "read_file", path="Files/a.txt"))["content"] == "first"
    back, former, _ = await listed(desk)
    assert back["undoes"] == former["id"]
    assert former["undoneBy"] == back["id"]
    assert not former["undoable"]
    assert not back["undoable"]
    again = await undo(desk, newest["id"])
    assert again.status_code == 409


async def test_what_changed_since_is_a_conflict_and_nothing_is_lost(desk: Desk):
    agent = desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content="first")
    await desk.done(agent, "write_file", path="Files/a.txt", content="second")
    wanted = (await listed(desk))[0]
    await desk.done(agent, "write_file", path="Files/a.txt", content="third")
    refused = await undo(desk, wanted["id"])
    assert refused.status_code == 409
    assert (await desk.done(agent, "read_file", path="Files/a.txt"))["content"] == "third"
    (same,) = [item for item in await listed(desk) if item["id"] == wanted["id"]]
    assert same["undoable"]


@pytest.mark.parametrize(
    ("tool", "arguments", "look"),
    [
        ("create_file", {"path": "Files/new.txt", "content": "x"}, ("list_files", "Files")),
        ("create_task", {"title": "Call"}, ("list_tasks", None)),
        ("memory_add", {"content": "The roof leaks"}, ("memory_search", None)),
    ],
)
async def test_what_was_made_can_be_unmade(
    desk: Desk, tool: str, arguments: dict, look: tuple[str, str | None]
):
    agent, (looking, path) = desk.agent(), look
    word = next(iter(arguments.values())).rpartition("/")[2]

    async def is_there() -> bool:
        return word in str(await desk.done(agent, looking, **({"path": path} if path else {})))

    outcome = await desk.call(agent, tool, **arguments)
    assert isinstance(outcome, Result)
    assert outcome.undoable
    assert outcome.action_id
    assert await is_there()
    assert (await undo(desk, outcome.action_id)).status_code == 200
    assert not await is_there()


async def test_what_was_done_under_older_arguments_can_be_taken_back(desk: Desk):
    await desk.done(desk.agent(), "create_file", path="Files/old.txt", content="x")
    (made,) = await listed(desk)
    old = {"path": "Files/old.txt", "content": 7, "encoding": "latin-1"}
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Action).values(arguments=old))
    undone = await undo(desk, made["id"])
    assert undone.status_code == 200, undone.text
    shown = await desk.done(desk.agent(), "list_files", path="Files")
    assert shown["files"] == []


async def test_so_can_what_was_done_with_an_account(desk: Desk):
    PostOffice(desk)
    await desk.done(desk.agent(), "stamp_letter", account="Work")
    (made,) = await listed(desk)
    async with desk.office.product.storage.app.write() as session:
        await session.execute(update(Action).values(arguments={"account": "Work", "colour": 7}))
    undone = await undo(desk, made["id"])
    assert undone.status_code == 200, undone.text


async def test_who_may_only_read_cannot_undo(desk: Desk):
    await desk.done(desk.agent(), "create_task", title="Call")
    (action,) = await listed(desk)
    reader = await desk.office.member("rita")
    assert (await reader.post(f"{API}/actions/{action['id']}/undo")).status_code == 404
    body = {"email": "rita@example.com", "role": "read"}
    await desk.owner.post(f"{API}/workspaces/{desk.workspace_id}/members", json=body)
    assert (await reader.post(f"{API}/actions/{action['id']}/undo")).status_code == 403


async def test_undoing_is_audited_like_any_other_act(desk: Desk):
    await desk.done(desk.agent(), "create_task", title="Call")
    (action,) = await listed(desk)
    await undo(desk, action["id"])
    line = (await desk.audit())[-1]
    assert (line["caller"]["kind"], line["undoes"], line["status"]) == (
        "user",
        action["id"],
        "done",
    )


async def add_member(desk: Desk, name: str, role: str = "write"):
    person = await desk.office.member(name)
    body = {"email": f"{name}@example.com", "role": role}
    await desk.owner.post(f"{API}/workspaces/{desk.workspace_id}/members", json=body)
    return person


async def test_a_program_that_unmakes_a_thing_is_asked_as_for_deleting_it(either_desk: Desk):
    desk = either_desk
    made = (await desk.use("create_file", path="Files/a.txt", content="A")).json()["actionId"]
    program = await desk.office.token(desk.owner, "read", "write")
    waits = (await program.post(f"{API}/actions/{made}/undo")).json()
    assert waits["undoneBy"] is None
    id = waits["undoApprovalId"]
    shown = (await desk.owner.get(f"{API}/approvals/{id}")).json()
    assert (shown["undoes"], shown["effect"], shown["undoable"]) == (made, "delete", False)
    assert shown["title"].startswith("Take back")
    # Saying yes takes it back; it does not do it once more.
    assert (await desk.owner.post(f"{API}/approvals/{id}/allow", json={})).status_code == 200
    assert await desk.run_allowed(id) == "done"
    assert (await desk.done(desk.agent(), "list_files", path="Files"))["files"] == []
    back, former = await listed(desk)
    assert (back["undoes"], back["effect"]) == (made, "delete")
    assert former["undoneBy"] == back["id"]


async def test_what_is_taken_back_cannot_be_edited_into_something_else(desk: Desk):
    made = (await desk.use("create_file", path="Files/a.txt", content="A")).json()["actionId"]
    program = await desk.office.token(desk.owner, "read", "write")
    id = (await program.post(f"{API}/actions/{made}/undo")).json()["undoApprovalId"]
    body = {"arguments": {"path": "Files/b.txt", "content": "B"}}
    edited = await desk.owner.post(f"{API}/approvals/{id}/allow", json=body)
    assert (edited.status_code, [*edited.json()["errors"]]) == (400, ["arguments"])


async def test_a_rule_about_deleting_holds_for_undoing_too(desk: Desk):
    rule = {
        "name": "Files stay",
        "action": "BLOCK",
        "condition": {"==": [{"var": "tool"}, "delete_file"]},
        "priority": 10_000,
    }
    assert (await desk.owner.post(f"{API}/rules", json=rule)).status_code == 201
    made = (await desk.use("create_file", path="Files/a.txt", content="A")).json()["actionId"]
    refused = await undo(desk, made)
    assert refused.status_code == 403, refused.text
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "A"


async def test_a_program_that_has_read_a_stranger_is_asked_before_it_undoes(desk: Desk):
    await desk.use("create_file", path="Files/a.txt", content="first")
    edited = (await desk.use("write_file", path="Files/a.txt", content="second")).json()["actionId"]
    program = await desk.office.token(desk.owner, "read", "write")
    (token,) = (await desk.owner.get(f"{API}/tokens")).json()["items"]
    await desk.office.product[ReadStates].read(
        f"token:{token['id']}",
        workspace_id=desk.workspace_id,
        sources=[Source("stranger", "a mail")],
        mentions=[],
    )
    waits = (await program.post(f"{API}/actions/{edited}/undo")).json()
    assert waits["undoApprovalId"]
    assert (await desk.done(desk.agent(), "read_file", path="Files/a.txt"))["content"] == "second"


async def test_a_member_cannot_take_back_what_another_keeps_for_themselves(desk: Desk):
    member = await add_member(desk, "mia")
    kept = (await desk.use("memory_add", content="My PIN hint")).json()["actionId"]
    assert (await member.post(f"{API}/actions/{kept}/undo")).status_code == 404
    agent = desk.agent()
    outcome = await desk.call(agent, "memory_add", content="The owner's own plan")
    assert isinstance(outcome, Result)
    assert (await member.post(f"{API}/actions/{outcome.action_id}/undo")).status_code == 404
    found = (await desk.owner.get(f"{API}/memory?workspaceId={desk.workspace_id}")).json()["items"]
    assert {each["content"] for each in found} == {"My PIN hint", "The owner's own plan"}
    assert (await undo(desk, outcome.action_id or "")).status_code == 200
