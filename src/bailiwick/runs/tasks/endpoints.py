"""REST of tasks: the workspace's list, and who works on what."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bailiwick.errors import NotFound
from bailiwick.gate.people import Visible
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import TheOffice
from bailiwick.planner.models import Task
from bailiwick.runs.tasks import repository, service
from bailiwick.runs.tasks.repository import TaskQuery
from bailiwick.runs.tasks.schemas import (
    TaskChangeOut,
    TaskId,
    TaskIn,
    TaskOut,
    TaskPatch,
    TasksQuery,
)
from bailiwick.workspaces.access import WorkspaceAccess, WorkspaceRole, enter

router = APIRouter(prefix="/tasks", tags=["tasks"], route_class=IdempotentRoute)
_GONE = "There is no such task. List the tasks to see what there is."


@dataclass(frozen=True, slots=True)
class HeldTask:
    """A task in a workspace that the caller may enter."""

    task: Task
    access: WorkspaceAccess


# Each ends its own short transaction: the gate must never run inside one.
async def _held(
    id: str, who: SignedIn, *, stores: Stores, seen: Visible, need: WorkspaceRole
) -> HeldTask:
    async with stores.app.read() as session:
        task = await repository.find(session, id)
        if task is None or task.workspace_id not in seen:
            raise NotFound(_GONE)
        return HeldTask(task, await enter(session, who, task.workspace_id, need=need))


async def _seen(task_id: TaskId, who: SignedIn, stores: Stores, seen: Visible) -> HeldTask:
    return await _held(task_id, who, stores=stores, seen=seen, need="read")


async def _own(task_id: TaskId, who: SignedIn, stores: Stores, seen: Visible) -> HeldTask:
    return await _held(task_id, who, stores=stores, seen=seen, need="write")


SeenTask = Annotated[HeldTask, Depends(_seen)]
ChangeableTask = Annotated[HeldTask, Depends(_own)]


@router.get("")
async def list_tasks(
    who: SignedIn,
    seen: Visible,
    office: TheOffice,
    page: PageQuery,
    query: Annotated[TasksQuery, Query()],
) -> Page[TaskOut]:
    """Tasks that one may see: open ones by the day they are due, others newest first."""
    spaces = [id for id in seen if query.workspace_id in (None, id)]
    if query.workspace_id and not spaces:
        raise NotFound("That workspace does not exist, or you are not a member of it.")
    chosen = TaskQuery(spaces, query.status, query.assigned_to)
    return (await service.listed(office, who, chosen, page)).map(lambda shown: shown)


@router.post("")
async def create_task(
    body: TaskIn, who: SignedIn, stores: Stores, office: TheOffice
) -> TaskChangeOut:
    """Put a task on the list, through the gate like everyone; an agent may be given it at once."""
    async with stores.app.read() as session:
        access = await enter(session, who, body.workspace_id, need="write")
    return await service.create(office, who, access, body)


@router.get("/{task_id}")
async def read_task(held: SeenTask, who: SignedIn, office: TheOffice) -> TaskOut:
    """One task."""
    return (await service.shown_to(office, who, [held.task]))[0]


@router.patch("/{task_id}")
async def change_task(
    body: TaskPatch, held: ChangeableTask, who: SignedIn, office: TheOffice
) -> TaskChangeOut:
    """Change a task, complete it, or give it to an agent, which sets to work at once."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    return await service.change(office, who, held.access, held.task, values=values)


@router.delete("/{task_id}")
async def delete_task(held: ChangeableTask, who: SignedIn, office: TheOffice) -> TaskChangeOut:
    """Take a task off the list: a run for it ends; undoing the action brings the task back."""
    return await service.delete(office, who, held.access, held.task)


@router.post("/{task_id}/run", status_code=202)
async def run_task(held: ChangeableTask, who: SignedIn, office: TheOffice) -> TaskOut:
    """Let the agent of the task set to work on it, again if it was at it before."""
    return await service.run(office, who, held.task.id)
