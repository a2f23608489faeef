"""All SQL of the planner."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.planner.models import Task

TaskListing = Literal["open", "done", "all"]


async def get(
    session: AsyncSession, workspace_id: str, id: str, *, deleted: bool = False, lock: bool = False
) -> Task:
    """A task of this workspace, or `NotFound`."""
    statement = select(Task).where(Task.id == id, Task.workspace_id == workspace_id)
    if lock:
        statement = statement.with_for_update()
    task = (await session.scalars(statement)).one_or_none()
    if task is None or (task.deleted_at and not deleted):
        raise NotFound("There is no such task. List the tasks to see what there is.")
    return task


async def made_by(session: AsyncSession, workspace_id: str, key: str) -> Task | None:
    """The task that a call with this key made."""
    statement = select(Task).where(Task.created_key == key, Task.workspace_id == workspace_id)
    return (await session.scalars(statement)).one_or_none()


async def listed(
    session: AsyncSession, workspace_id: str, *, status: TaskListing, limit: int
) -> Sequence[Task]:
    """Tasks, those with a due day first."""
    statement = select(Task).where(Task.workspace_id == workspace_id, Task.deleted_at.is_(None))
    if status == "open":
        statement = statement.where(Task.completed_at.is_(None))
    elif status == "done":
        statement = statement.where(Task.completed_at.is_not(None))
    ordered = statement.order_by(Task.due.is_(None), Task.due, Task.created_at, Task.id)
    return (await session.scalars(ordered.limit(limit))).all()
