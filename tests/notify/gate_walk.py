"""The parts of the walk that go through the gate."""

from datetime import timedelta
from typing import Any

from sqlalchemy import update

from bailiwick.gate.actions import intents
from bailiwick.gate.approvals import service as approvals
from bailiwick.gate.approvals.job import ApprovalJobs
from bailiwick.gate.models import Action, Approval
from bailiwick.kit import clock
from notify.walking import Told, Walk, part, told_by
from support.office import API, user_id

RULE = {"name": "canary-rule", "action": "BLOCK", "condition": {"==": [{"var": "tool"}, "x"]}}
ALL = {"everyone", "admins"}


@part(
    "POST /rules",
    "PATCH /rules/{rule_id}",
    "PUT /rules/order",
    "DELETE /rules/{rule_id}",
    "POST /rules/check",
    "POST /rules/try",
    tells="rule.created rule.changed rule.reordered rule.deleted",
)
async def rules(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    answer, told = await walk(owner, "POST /rules", json=RULE)
    id = answer["id"]
    assert [event[:1] + event[2:4] for event in told] == [("rule.created", me, id)]
    _, told = await walk(owner, "PATCH /rules/{rule_id}", id, json={"enabled": False})
    assert [event[:1] + event[2:4] for event in told] == [("rule.changed", me, id)]
    order = [item["id"] for item in (await owner.get(f"{API}/rules")).json()["items"]]
    _, told = await walk(owner, "PUT /rules/order", json={"ids": order[::-1]})
    assert told == [Told("rule.reordered", ALL, me, "rules")]
    _, told = await walk(owner, "POST /rules/check", json={"condition": True})
    assert told == []
    _, told = await walk(owner, "POST /rules/try", json={"tool": "list_files"})
    assert told == []
    _, told = await walk(owner, "DELETE /rules/{rule_id}", id)
    assert [event[:1] + event[2:4] for event in told] == [("rule.deleted", me, id)]


@part(
    "POST /redactions",
    "PATCH /redactions/{redaction_id}",
    "DELETE /redactions/{redaction_id}",
    "POST /redactions/try",
    tells="redaction.created redaction.changed redaction.deleted",
)
async def redactions(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    body = {"name": "canary-pattern", "pattern": "canary[0-9]+", "replacement": "[x]"}
    answer, told = await walk(owner, "POST /redactions", json=body)
    id = answer["id"]
    assert [event[:1] + event[2:4] for event in told] == [("redaction.created", me, id)]
    _, told = await walk(owner, "POST /redactions/try", json={"text": "canary1"})
    assert told == []
    route = "PATCH /redactions/{redaction_id}"
    _, told = await walk(owner, route, id, json={"enabled": False})
    assert [event[:1] + event[2:4] for event in told] == [("redaction.changed", me, id)]
    _, told = await walk(owner, "DELETE /redactions/{redaction_id}", id)
    assert [event[:1] + event[2:4] for event in told] == [("redaction.deleted", me, id)]


@part(
    "POST /halt",
    "DELETE /halt",
    "POST /audit/verify",
    tells="halt.raised halt.released flag.raised",
)
async def stopping(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    _, told = await walk(owner, "POST /halt", json={"reason": "canary-reason"})
    assert told == [
        Told("flag.raised", set(), None, "halt"),
        Told("halt.raised", ALL, me, "halt"),
    ]
    _, told = await walk(owner, "POST /audit/verify")
    assert told == []
    _, told = await walk(owner, "DELETE /halt")
    assert told == [Told("halt.released", ALL, me, "halt")]


@part(
    "POST /workspaces/{workspace_id}/notebooks",
    "PATCH /workspaces/{workspace_id}/notebooks/{notebook_id}",
    "DELETE /workspaces/{workspace_id}/notebooks/{notebook_id}",
    tells="notebook.opened notebook.changed notebook.closed",
)
async def notebooks(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    route = "/workspaces/{workspace_id}/notebooks"
    answer, told = await walk(owner, f"POST {route}", space, json={"name": "canary-notes"})
    about = [event[:1] + event[2:5] for event in told]
    assert about == [("notebook.opened", me, answer["id"], space)]
    route += "/{notebook_id}"
    ids = (space, answer["id"])
    _, told = await walk(owner, f"PATCH {route}", *ids, json={"trusted": True})
    assert [event[:1] + event[2:4] for event in told] == [("notebook.changed", me, answer["id"])]
    _, told = await walk(owner, f"DELETE {route}", *ids)
    assert [event[:1] + event[2:4] for event in told] == [("notebook.closed", me, answer["id"])]


@part(
    "POST /workspaces/{workspace_id}/notebooks",
    "POST /workspaces/{workspace_id}/notebooks/{notebook_id}/scan",
    "POST /workspaces/{workspace_id}/tools/{tool}",
    tells="notebook.opened notebook.scanned notebook.scan_requested files.changed action.done",
)
async def scans(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    route = "/workspaces/{workspace_id}/notebooks"
    made, _ = await walk(owner, f"POST {route}", space, json={"name": "canary-notes"})
    ids = (space, made["id"])
    _, told = await walk(owner, f"POST {route}/{{notebook_id}}/scan", *ids, json={"action": "stop"})
    everyone = {f"workspace:{space}"}
    how_far = {"state": "stopped", "scanned": 0}
    assert told == [
        Told("notebook.scanned", everyone, None, made["id"], space, how_far),
        Told("notebook.scan_requested", set(), me, made["id"], space, {"action": "stop"}),
    ]
    body = {"arguments": {"path": "canary-notes/canary-file.md", "content": "canary-content"}}
    tool = "POST /workspaces/{workspace_id}/tools/{tool}"
    _, told = await walk(owner, tool, space, "create_file", json=body)
    (changed,) = [each for each in told if each.type == "files.changed"]
    counted = {"added": 1, "changed": 0, "removed": 0}
    assert changed == Told("files.changed", everyone, None, made["id"], space, counted)


@part(
    "POST /memory",
    "PATCH /memory/{memory_id}",
    "DELETE /memory/{memory_id}",
    tells="memory.added memory.changed memory.removed action.done",
)
async def memories(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    mine, everyone = {f"user:{me}"}, {f"workspace:{space}"}
    body, query = {"content": "canary-content", "tags": ["canary-tag"]}, {"workspaceId": space}
    answer, told = await walk(owner, "POST /memory", json=body, params=query)
    id = answer["memory"]["id"]
    done = Told("action.done", mine, me, answer["actionId"], space, {"tool": "memory_add"})
    assert told == [Told("memory.added", mine, me, id, space), done]
    route = "PATCH /memory/{memory_id}"
    _, told = await walk(owner, route, id, json={"content": "canary-other"})
    assert told[0] == Told("memory.changed", mine, me, id, space)
    _, told = await walk(owner, route, id, json={"content": "canary-other"})
    assert [event.type for event in told] == ["action.done"], "nothing was changed"
    _, told = await walk(owner, route, id, json={"reach": "global"})
    assert told[0] == Told("memory.changed", mine | everyone, me, id, space), "both are told"
    _, told = await walk(owner, "DELETE /memory/{memory_id}", id)
    assert told[0] == Told("memory.removed", everyone, me, id, space)


@part(
    "POST /clients",
    "PATCH /clients/{client_id}",
    "DELETE /clients/{client_id}",
    "POST /clients/{client_id}/fresh",
    "POST /clients/{client_id}/pass",
    "POST /clients/{client_id}/token",
    tells="client.created client.changed client.fresh client.revoked reading.fresh",
)
async def clients(walk: Walk) -> None:
    owner = await walk.office.owner()
    me = await user_id(owner)
    body = {"name": "canary-client", "workspaceId": await workspace(walk)}
    answer, told = await walk(owner, "POST /clients", json=body)
    id = answer["id"]
    assert [event[:1] + event[2:4] for event in told] == [("client.created", me, id)]
    changed = [("client.changed", me, id)]
    _, told = await walk(owner, "PATCH /clients/{client_id}", id, json={"askWrites": True})
    assert [event[:1] + event[2:4] for event in told] == changed
    _, told = await walk(owner, "POST /clients/{client_id}/token", id)
    assert [event[:1] + event[2:4] for event in told] == changed
    _, told = await walk(owner, "POST /clients/{client_id}/pass", id)
    assert told == []
    _, told = await walk(owner, "POST /clients/{client_id}/fresh", id)
    assert [event.type for event in told] == ["reading.fresh", "client.fresh"]
    _, told = await walk(owner, "DELETE /clients/{client_id}", id)
    assert [event[:1] + event[2:4] for event in told] == [("client.revoked", me, id)]


@part(
    "POST /workspaces/{workspace_id}/tools/{tool}",
    "POST /actions/{action_id}/undo",
    "POST /actions/{action_id}/settle",
    tells="action.done action.failed action.unknown",
)
async def actions(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    here = {f"workspace:{space}"}
    route = "POST /workspaces/{workspace_id}/tools/{tool}"
    body = {"arguments": {"title": "canary-title"}}
    answer, told = await walk(owner, route, space, "create_task", json=body)
    id = answer["actionId"]
    assert told == [Told("action.done", here, me, id, space, {"tool": "create_task"})]
    _, told = await walk(owner, "POST /actions/{action_id}/undo", id)
    (undone,) = told
    assert undone.data == {"tool": "create_task", "undoes": id}
    # What no request does: a process that ended on the way.
    async with walk.office.product.storage.app.write() as session:
        row = await session.get_one(Action, id)
        row.status, row.undone_by = "unknown", None
        intents.emit(session, row)
    *_, unknown = (told_by(row) for row in await walk.rows())
    assert unknown == Told("action.unknown", here, me, id, space, {"tool": "create_task"})
    walk.types.add(unknown.type)
    route = "POST /actions/{action_id}/settle"
    _, told = await walk(owner, route, id, json={"happened": False})
    assert told == [Told("action.failed", here, me, id, space, {"tool": "create_task"})]


@part(
    "POST /approvals/{approval_id}/allow",
    "POST /approvals/{approval_id}/deny",
    tells="approval.requested approval.allowed approval.denied approval.expired"
    " approval.finished action.done notebook.opened",
)
async def asking(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    program = await walk.office.token(owner, "read", "write")

    async def asked(to: str) -> tuple[Any, list[Told]]:
        before = {row.id for row in await walk.rows()}
        arguments = {"path": "Files/canary.txt", "to": f"Files/{to}.txt"}
        path = f"{API}/workspaces/{space}/tools/move_file"
        answer = await program.post(path, json={"arguments": arguments})
        return answer.json()["approvalId"], [
            told_by(row) for row in await walk.rows() if row.id not in before
        ]

    def told_of(type: str, id: str, status: str) -> Told:
        about = {"tool": "move_file", "status": status}
        return Told(type, {f"user:{me}"}, me, id, space, about)

    body = {"arguments": {"path": "Files/canary.txt", "content": "canary"}}
    await owner.post(f"{API}/workspaces/{space}/tools/create_file", json=body)
    id, told = await asked("one")
    assert told == [told_of("approval.requested", id, "pending")]
    _, told = await walk(owner, "POST /approvals/{approval_id}/allow", id, json={})
    assert told == [told_of("approval.allowed", id, "allowed")]
    await walk.office.product[ApprovalJobs].call(id)
    *_, finished = (told_by(row) for row in await walk.rows())
    assert finished == told_of("approval.finished", id, "done")
    id, _ = await asked("two")
    _, told = await walk(owner, "POST /approvals/{approval_id}/deny", id, json={})
    assert told == [told_of("approval.denied", id, "denied")]
    id, _ = await asked("three")
    async with walk.office.product.storage.app.write() as session:
        ago = clock.now() - timedelta(hours=1)
        await session.execute(update(Approval).where(Approval.id == id).values(expires_at=ago))
        await approvals.expire(session, await walk.office.product.changeable.current())
    *_, expired = (told_by(row) for row in await walk.rows())
    assert expired == told_of("approval.expired", id, "expired")
    walk.types |= {row.type for row in await walk.rows() if row.workspace_id == space}


async def workspace(walk: Walk) -> str:
    owner = await walk.office.owner()
    return (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
