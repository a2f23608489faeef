"""Verbs of tasks. A change is undone as long as the task still is what it was made."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
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
    """What a task is made from."""

    title: str
    notes: str
    due: date | None


async def create(session: AsyncSession, context: ToolContext, new: NewTask) -> Task:
    """A new task; the same call tried again finds the one that it made."""
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


def change(task: Task, values: Values, *, label: Label) -> None:
    """Set some of a task's values."""
    new = {name: value for name, value in values.items() if getattr(task, name) != value}
    if not new:
        return
    for name, value in new.items():
        setattr(task, name, value)
    task.label = _label(task, new, label)
    _touch(task)


def complete(task: Task) -> None:
    """Tick a task off, unless it is already."""
    if task.completed_at is None:
        task.completed_at = clock.now()
        _touch(task)


def delete(task: Task) -> None:
    """Take a task off the list; it can be brought back."""
    task.deleted_at = clock.now()
    _touch(task)


def restore(task: Task, before: Values, *, after: Values) -> None:
    """Put earlier values back, unless someone changed the task since; done twice, it stays done."""
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
    """Refuse to undo what someone went on working with."""
    if snapshot(task) != after:
        raise Conflict(
            f'The task "{task.title[:80]}" was changed since. Nothing was undone; change it by '
            f"hand if you still want to."
        )


def snapshot(task: Task) -> dict[str, Any]:
    """All that a change can touch, as JSON."""
    return {name: plain(getattr(task, name)) for name in _KEPT}


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    return value.isoformat() if isinstance(value, date | datetime) else value


def _label(task: Task, new: Values, label: Label) -> Label:
    """Whose words the task holds now: of all whose words stand in it."""
    kept = [name for name in _TEXTS if name not in new and getattr(task, name)]
    known: Label = task.label  # pyright: ignore[reportAssignmentType]
    if not any(name in new for name in _TEXTS):
        return known if "due" not in new else lowest((known, label))
    return lowest((known, label)) if kept else label


def _touch(task: Task) -> None:
    task.revision += 1
    task.updated_at = clock.now()
