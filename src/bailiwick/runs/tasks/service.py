"""Tasks in people's hands: looked through here, changed through the gate like by everyone.

A person sees what is stored. A program with someone's token sees it as agents do: without what is
redacted, and whose words it has read is remembered before it can act on them.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import Invalid, NotFound
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.people import context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.identity.principal import Principal
from bailiwick.instance.changes import Values
from bailiwick.kit.http.pages import PageRequest, Rows
from bailiwick.office import Office
from bailiwick.planner.models import Task
from bailiwick.runs import service as runs
from bailiwick.runs.states import LIVE
from bailiwick.runs.tasks import assign as task_assign
from bailiwick.runs.tasks import removal, repository
from bailiwick.runs.tasks.repository import ListedTask, TaskQuery
from bailiwick.runs.tasks.schemas import TaskChangeOut, TaskIn, TaskOut, TaskState
from bailiwick.tools.tool import Ref
from bailiwick.tools.trust import Source
from bailiwick.workspaces.access import WorkspaceAccess

_ALONE = ("assigned_to", "completed")
_GIVEN = ("id", "workspace_id", "title", "notes", "due", "label", "completed_at", "assigned_to")
_REPORTED = ("report", "report_label", "created_at", "updated_at")


async def listed(
    office: Office, who: Principal, query: TaskQuery, page: PageRequest
) -> Rows[TaskOut]:
    """One page of tasks."""
    async with office.storage.app.read() as session:
        found = await repository.listed(session, query, page)
    shown = await shown_to(office, who, found.rows)
    return Rows(shown, token=found.token, total=found.total, size=found.size)


async def shown_to(office: Office, who: Principal, tasks: Sequence[Task]) -> list[TaskOut]:
    """Tasks as this person, or a program of theirs, may see them."""
    async with office.storage.app.read() as session:
        found = await repository.with_runs(session, tasks)
        reader = await reader_of(session, who)
    shown = [_out(each, reader) for each in found]
    context_id = context_of(who)
    if context_id is None:
        return shown
    for task in tasks:
        await _remember(office, context_id, task)
    return [await _redacted(office, each) for each in shown]


async def create(
    office: Office, who: Principal, access: WorkspaceAccess, body: TaskIn
) -> TaskChangeOut:
    """Put a task on the list; given to an agent, it sets to work once the task is there."""
    if body.assigned_to:
        async with office.storage.app.read() as session:
            await task_assign.worker(session, who, body.assigned_to, workspace_id=access.id)
    arguments: dict[str, Any] = {"title": body.title, "notes": body.notes}
    if body.due:
        arguments["due"] = body.due.isoformat()
    made = await _called(office, who, access, "create_task", arguments)
    if body.assigned_to and made.task:
        given = await assign(office, who, made.task.id, body.assigned_to)
        made.task = given.task
    return made


async def change(
    office: Office, who: Principal, access: WorkspaceAccess, task: Task, *, values: Values
) -> TaskChangeOut:
    """Change a task; each is one action, so that each can be undone."""
    for name in _ALONE:
        if name in values and len(values) > 1:
            field = {"assigned_to": "assignedTo"}.get(name, name)
            raise Invalid.field(field, "this is a change of its own: send it without the others")
    if not values:
        return TaskChangeOut(status="done", task=(await shown_to(office, who, [task]))[0])
    if "assigned_to" in values:
        return await assign(office, who, task.id, values["assigned_to"])
    named = {"task_id": await _name(office, who, access, task)}
    if "completed" in values:
        return await _called(office, who, access, "complete_task", named)
    plain = {n: v.isoformat() if isinstance(v, date) else v for n, v in values.items()}
    return await _called(office, who, access, "update_task", {**named, **plain})


async def delete(
    office: Office, who: Principal, access: WorkspaceAccess, task: Task
) -> TaskChangeOut:
    """Take a task off the list; what its agent is doing for it ends."""
    named = {"task_id": await _name(office, who, access, task)}
    done = await _called(office, who, access, "delete_task", named)
    await removal.stop_runs(office.storage)
    return done


async def assign(office: Office, who: Principal, id: str, agent_id: str | None) -> TaskChangeOut:
    """Give a task to an agent, or take it back."""
    now = await runs.office_now(office)
    async with office.storage.app.write() as session:
        await task_assign.assign(session, who, id, agent_id=agent_id, now=now)
    return TaskChangeOut(status="done", task=await _fresh(office, who, id))


async def run(office: Office, who: Principal, id: str) -> TaskOut:
    """Let the agent of a task set to work on it."""
    now = await runs.office_now(office)
    async with office.storage.app.write() as session:
        await task_assign.run(session, who, id, now=now)
    if shown := await _fresh(office, who, id):
        return shown
    raise NotFound("The task was deleted meanwhile.")


async def _called(
    office: Office, who: Principal, access: WorkspaceAccess, tool: str, arguments: Values
) -> TaskChangeOut:
    outcome = await own_name.act(office, who, access, tool, arguments)
    if isinstance(outcome, Pending):
        return TaskChangeOut(
            status="pending", approval_id=outcome.approval_id, reason=outcome.reason
        )
    id = await own_name.id_in(office, who, access, "task", outcome)
    return TaskChangeOut(
        status="done",
        task=await _fresh(office, who, id) if id else None,
        action_id=outcome.action_id,
        undoable=outcome.undoable,
    )


async def _name(office: Office, who: Principal, access: WorkspaceAccess, task: Task) -> str:
    return await own_name.name_of(office, who, access, Ref("task", task.id))


async def _fresh(office: Office, who: Principal, id: str) -> TaskOut | None:
    async with office.storage.app.read() as session:
        task = await repository.find(session, id)
    return (await shown_to(office, who, [task]))[0] if task else None


async def _remember(office: Office, context_id: str, task: Task) -> None:
    """What a program is shown of others' words counts as read."""
    about = f'the task "{task.title[:60]}"'
    parts: list[tuple[str | None, str, list[str]]] = [
        (task.label, about, [task.title, task.notes]),
        (task.report_label, f"the report on {about}", [task.report or ""]),
    ]
    for label, source, texts in parts:
        if label and label != "owner":
            await office[ReadStates].read(
                context_id,
                workspace_id=task.workspace_id,
                sources=[Source(label, source)],  # pyright: ignore[reportArgumentType]
                mentions=grounding.mentions(texts),
            )


async def _redacted(office: Office, shown: TaskOut) -> TaskOut:
    texts = {"title": shown.title, "notes": shown.notes, "report": shown.report}
    said, _ = await redacted(office[RedactorCache], texts)
    return shown.model_copy(update=said)


def _out(each: ListedTask, reader: Reader) -> TaskOut:
    task, run = each.task, each.run
    return TaskOut(
        **{name: getattr(task, name) for name in (*_GIVEN, *_REPORTED)},
        state=_state(each),
        agent_name=each.agent.name if each.agent else None,
        run_id=run.id if run else None,
        run_status=run.status if run else None,
        can_open_run=run is not None and reader.has(run.user_id),
    )


def _state(each: ListedTask) -> TaskState:
    if each.run and each.run.status in LIVE:
        return "queued"
    if each.task.completed_at:
        return "done"
    return "failed" if each.task.state == "failed" else "open"
