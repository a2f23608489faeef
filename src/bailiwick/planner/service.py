"""Verbs of tasks. A change can be undone while the task is as the change left it."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.identity.principal import OPERATOR
from bailiwick.instance.changes import Values
from bailiwick.kit import clock, ids
from bailiwick.planner import repository
from bailiwick.planner.models import Task
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label, lowest

_TEXTS = ("title", "notes")
_KEPT = (*_TEXTS, "due", "label", "completed_at", "deleted_at")


@dataclass(frozen=True, slots=True)
class NewTask:
    """The values of a new task."""

    title: str
    notes: str
    due: date | None


async def create(session: AsyncSession, context: ToolContext, new: NewTask) -> Task:
    """Make a task; a repeated call finds the one that it made."""
    if made := await repository.made_by(session, context.workspace_id, context.key):
        return made
    now = clock.now()
    task = Task(
        id=ids.new("tsk"),
        workspace_id=context.workspace_id,
        title=new.title,
        notes=new.notes,
        due=new.due,
        label=context.label,
        revision=1,
        created_by=context.actor_id,
        created_key=context.key,
        created_at=now,
        updated_at=now,
    )
    session.add(task)
    return task


def label_for(task: Task, user_id: str | None) -> Label:
    """Whose words a task is for someone: the owner's only if they made it themselves."""
    known: Label = task.label  # pyright: ignore[reportAssignmentType]
    return known if task.created_by == (user_id or OPERATOR.id) else lowest((known, "contact"))


def change(task: Task, values: Values, *, label: Label, actor_id: str) -> None:
    """Set some of a task's values; what another than its maker writes is not the maker's word."""
    new = {name: value for name, value in values.items() if getattr(task, name) != value}
    if not new:
        return
    for name, value in new.items():
        setattr(task, name, value)
    if actor_id != task.created_by:
        label = lowest((label, "contact"))
    task.label = _label(task, new, label)
    _touch(task)


def complete(task: Task) -> None:
    """Complete a task, unless it is done already."""
    if task.completed_at is None:
        task.completed_at = clock.now()
        _touch(task)


def delete(task: Task) -> None:
    """Delete a task; it can be restored."""
    task.deleted_at = clock.now()
    _touch(task)


def restore(task: Task, before: Values, *, after: Values) -> None:
    """Restore earlier values, unless somebody changed it since; a second call does nothing."""
    if snapshot(task) == before:
        return
    require_same(task, after)
    task.due = before["due"] and date.fromisoformat(before["due"])
    for name in ("completed_at", "deleted_at"):
        setattr(task, name, before[name] and datetime.fromisoformat(before[name]))
    for name in (*_TEXTS, "label"):
        setattr(task, name, before[name])
    _touch(task)


def require_same(task: Task, after: Values) -> None:
    """Refuse to undo a change that somebody built on."""
    if snapshot(task) != after:
        raise Conflict(
            f'The task "{task.title[:80]}" was changed since. Nothing was undone; change it by '
            f"hand if you still want to."
        )


def snapshot(task: Task) -> dict[str, Any]:
    """All values that a change can touch, as JSON."""
    return {name: plain(getattr(task, name)) for name in _KEPT}


def plain(value: Any) -> Any:
    """A value as JSON."""
    return value.isoformat() if isinstance(value, date | datetime) else value


def _label(task: Task, new: Values, label: Label) -> Label:
    """The trust label of a task: the lowest of all that its text comes from."""
    kept = [name for name in _TEXTS if name not in new and getattr(task, name)]
    known: Label = task.label  # pyright: ignore[reportAssignmentType]
    if not any(name in new for name in _TEXTS):
        return known if "due" not in new else lowest((known, label))
    return lowest((known, label)) if kept else label


def _touch(task: Task) -> None:
    task.revision += 1
    task.updated_at = clock.now()
