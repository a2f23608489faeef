"""The parts of the walk that give work to agents: tasks and schedules."""

from datetime import UTC, datetime
from typing import Any

from bailiwick.runs.schedules.due import due
from notify.gate_walk import workspace
from notify.walking import Told, Walk, part, told_by
from support.office import API, user_id


@part(
    "POST /tasks",
    "PATCH /tasks/{task_id}",
    "DELETE /tasks/{task_id}",
    "POST /tasks/{task_id}/run",
    tells="action.done task.changed run.started run.cancelled",
)
async def tasks(walk: Walk) -> None:
    owner = await walk.office.owner()
    space = await workspace(walk)
    agent = await _agent(walk, space)
    body = {"workspaceId": space, "title": "canary-title", "notes": "canary-notes"}
    answer, told = await walk(owner, "POST /tasks", json=body)
    assert [event.type for event in told] == ["action.done"]
    id, route = answer["task"]["id"], "PATCH /tasks/{task_id}"
    _, told = await walk(owner, route, id, json={"title": "canary-other"})
    assert [event.type for event in told] == ["action.done"]
    _, told = await walk(owner, route, id, json={"assignedTo": agent})
    assert _types(told) == {"run.started", "task.changed"}
    assert Told("task.changed", {f"workspace:{space}"}, None, id, space) in told
    _, told = await walk(owner, route, id, json={"assignedTo": None})
    assert _types(told) == {"run.cancelled", "task.changed"}
    given = await owner.patch(f"{API}/tasks/{id}", json={"assignedTo": agent})
    await owner.post(f"{API}/sessions/{given.json()['task']['runId']}/cancel")
    _, told = await walk(owner, "POST /tasks/{task_id}/run", id)
    assert _types(told) == {"run.started", "task.changed"}
    _, told = await walk(owner, "DELETE /tasks/{task_id}", id)
    assert _types(told) == {"action.done", "run.cancelled", "task.changed"}
    await _without_our_own(walk)


@part(
    "POST /schedules",
    "POST /schedules/preview",
    "PATCH /schedules/{schedule_id}",
    "DELETE /schedules/{schedule_id}",
    "POST /schedules/{schedule_id}/run",
    tells="schedule.created schedule.changed schedule.removed schedule.failed run.started",
)
async def schedules(walk: Walk) -> None:
    owner = await walk.office.owner()
    me, space = await user_id(owner), await workspace(walk)
    seen = {f"user:{me}"}
    _, told = await walk(owner, "POST /schedules/preview", json={"timing": "every hour"})
    assert told == []
    broken = [{"role": "system", "content": "{{canary}}"}]
    body = {"name": "canary-name", "words": "canary-words", "timing": "0 8 * * *"}
    body |= {"workspaceId": space, "timeZone": "UTC"}
    body["agentId"] = agent = await _agent(walk, space, prompt=broken)
    answer, told = await walk(owner, "POST /schedules", json=body)
    id, route = answer["id"], "PATCH /schedules/{schedule_id}"
    assert told == [Told("schedule.created", seen, me, id, space)]
    # What no request does: the time comes.
    await due(walk.office.product, id, datetime(2027, 1, 1, 8, tzinfo=UTC))
    *_, failed = (told_by(row) for row in await walk.rows())
    assert failed == Told("schedule.failed", seen, None, id, space, {"agentId": agent})
    walk.types.add(failed.type)
    changed = [Told("schedule.changed", seen, me, id, space)]
    other = {"agentId": await _agent(walk, space, name="canary-2")}
    assert (await walk(owner, route, id, json=other))[1] == changed
    assert (await walk(owner, route, id, json=other))[1] == []
    _, told = await walk(owner, "POST /schedules/{schedule_id}/run", id)
    assert _types(told) == {"run.started"}
    _, told = await walk(owner, "DELETE /schedules/{schedule_id}", id)
    assert told == [Told("schedule.removed", seen, me, id, space)]
    await _without_our_own(walk)


async def _agent(walk: Walk, space: str, **more: Any) -> str:
    body = {"workspaceId": space, "name": "canary-agent", **more}
    return (await (await walk.office.owner()).post(f"{API}/agents", json=body)).json()["id"]


def _types(told: list[Told]) -> set[str]:
    return {event.type for event in told if event.audience}


async def _without_our_own(walk: Walk) -> None:
    """What processes tell each other is shown to nobody."""
    walk.types -= {row.type for row in await walk.rows() if not row.audience}
