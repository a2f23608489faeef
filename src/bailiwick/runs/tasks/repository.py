"""All SQL of the task queue."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from sqlalchemy import ColumnElement, Select, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents.models import Agent
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.planner.models import Task
from bailiwick.planner.repository import TaskListing
from bailiwick.runs import repository as runs
from bailiwick.runs.models import Run
from bailiwick.runs.states import LIVE

AgentOrRun = TypeVar("AgentOrRun", Agent, Run)
_NEVER = date.max


@dataclass(frozen=True, slots=True)
class TaskQuery:
    """Which tasks, in which workspaces."""

    workspaces: Collection[str]
    status: TaskListing
    agent_id: str | None = None


@dataclass(frozen=True, slots=True)
class ListedTask:
    """A task, with its agent and its latest run."""

    task: Task
    agent: Agent | None
    run: Run | None


async def find(session: AsyncSession, id: str) -> Task | None:
    """A task that is not deleted, whoever asks."""
    return (await session.scalars(_there().where(Task.id == id))).one_or_none()


async def held(session: AsyncSession, id: str) -> tuple[Task, Run | None] | None:
    """A task and its latest run, both held. The run comes first, as when a run ends."""
    known = await find(session, id)
    run = await runs.locked(session, known.run_id) if known and known.run_id else None
    statement = _there().where(Task.id == id).with_for_update()
    found = await session.scalars(statement.execution_options(populate_existing=True))
    task = found.one_or_none()
    if task is None:
        return None
    # It got another run in between: that one is as good as its own answer, and is left alone.
    return task, run if run and run.id == task.run_id else None


async def listed(session: AsyncSession, query: TaskQuery, page: PageRequest) -> Rows[Task]:
    """Open tasks by the day they are due; those that are done, or all, newest first."""
    statement = _there().where(Task.workspace_id.in_(query.workspaces))
    if query.agent_id:
        statement = statement.where(Task.assigned_to == query.agent_id)
    if query.status == "open":
        return await _by_due(session, statement.where(Task.completed_at.is_(None)), page)
    if query.status == "done":
        statement = statement.where(Task.completed_at.is_not(None))
    return await paginate(session, statement, page, by=(Task.created_at, Task.id))


async def _by_due(session: AsyncSession, statement: Select[Task], page: PageRequest) -> Rows[Task]:
    total = await session.scalar(select(func.count()).select_from(statement.subquery()))
    due = func.coalesce(Task.due, _NEVER)
    if position := page.position():
        statement = statement.where(_behind(due, *position))
    ordered = statement.order_by(due, Task.created_at.desc(), Task.id.desc())
    rows = list((await session.scalars(ordered.limit(page.size + 1))).all())
    more, rows = len(rows) > page.size, rows[: page.size]
    last = rows[-1] if more else None
    place = last and json.dumps([(last.due or _NEVER).isoformat(), last.id])
    token = page.token_after(last.created_at, place) if last and place else None
    return Rows(rows, token=token, total=total or 0, size=page.size)


def _behind(due: ColumnElement[date], at: object, place: str) -> ColumnElement[bool]:
    day, id = json.loads(place)
    same = and_(due == date.fromisoformat(day), tuple_(Task.created_at, Task.id) < tuple_(at, id))
    return or_(due > date.fromisoformat(day), same)


async def with_runs(session: AsyncSession, tasks: Sequence[Task]) -> list[ListedTask]:
    """Tasks, each with its agent and its latest run."""
    agents = await _by_id(session, Agent, {task.assigned_to for task in tasks})
    latest = await _by_id(session, Run, {task.run_id for task in tasks})
    return [
        ListedTask(task, agents.get(task.assigned_to or ""), latest.get(task.run_id or ""))
        for task in tasks
    ]


async def runs_of_deleted(session: AsyncSession) -> Sequence[str]:
    """Runs that are under way for tasks that are gone."""
    statement = (
        select(Run.id)
        .join(Task, Task.run_id == Run.id)
        .where(Task.deleted_at.is_not(None), Run.status.in_(LIVE))
    )
    return (await session.scalars(statement)).all()


async def _by_id(
    session: AsyncSession, kind: type[AgentOrRun], ids: Collection[str | None]
) -> dict[str, AgentOrRun]:
    wanted = [id for id in ids if id]
    found = await session.scalars(select(kind).where(kind.id.in_(wanted))) if wanted else []
    return {row.id: row for row in found}


def _there() -> Select[Task]:
    return select(Task).where(Task.deleted_at.is_(None))
