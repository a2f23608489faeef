"""The code of the planner's tools, each beside its inverse."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from bailiwick.errors import Invalid
from bailiwick.office import Office
from bailiwick.planner import repository, service
from bailiwick.planner.models import Task
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.texts import NOT_BLANK, ONE_LINE, PLAIN
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, Source

Title = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description="What is to be done, in one line.",
        examples=["Call the printer"],
    ),
    ONE_LINE,
    NOT_BLANK,
]
Notes = Annotated[str, Field(max_length=20_000, description="Details, as plain text."), PLAIN]
TaskIdArgument = Annotated[
    str, Field(max_length=64, description="The id of the task.", examples=["task_1"])
]
_DUE = "The day on which it is due, like 2026-03-31."


class ListTasks(ToolArguments):
    """Which tasks to list."""

    status: Literal["open", "done", "all"] = Field(
        "open", description="Which tasks: open, done, or all.", examples=["open"]
    )
    limit: int = Field(50, ge=1, le=200, description="How many at most.")


class CreateTask(ToolArguments):
    """A new task."""

    title: Title
    notes: Notes = ""
    due: Omittable[date] = Field(None, description=_DUE, examples=["2026-03-31"])


class UpdateTask(ToolArguments):
    """What to change in a task; a due day that is null is taken away."""

    task_id: TaskIdArgument
    title: Omittable[Title] = None
    notes: Omittable[Notes] = None
    due: date | None = Field(None, description=_DUE)

    @property
    def values(self) -> dict[str, Any]:
        """The values that were given."""
        given = [name for name in ("title", "notes", "due") if name in self.model_fields_set]
        if not given:
            raise Invalid.field("task_id", "say what to change: a title, notes or a due day")
        return {name: getattr(self, name) for name in given}


class OneTask(ToolArguments):
    """The task that it is about."""

    task_id: TaskIdArgument


class ShownTask(BaseModel):
    """A task as callers see it."""

    id: str
    title: str
    notes: str
    due: str | None
    status: Literal["open", "done", "deleted"]
    completed_at: str | None


class ShownTasks(BaseModel):
    """A list of tasks."""

    tasks: list[ShownTask]
    more: bool = Field(description="Whether there are more.")


class Tasks:
    """The code of the planner's tools."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def list(self, context: ToolContext, arguments: ListTasks) -> ToolOutput:
        """List tasks, each with its trust label."""
        limit = arguments.limit
        async with self._app.read() as session:
            found = await repository.listed(
                session,
                context.workspace_id,
                status=arguments.status,
                limit=limit + 1,
            )
        shown = found[:limit]
        return ToolOutput(
            {"tasks": [_shown(task) for task in shown], "more": len(found) > limit},
            summary=f"{len(shown)} tasks",
            sources=tuple(
                _source(task, service.label_for(task, context.user_id)) for task in shown
            ),
        )

    async def create(self, context: ToolContext, arguments: CreateTask) -> ToolOutput:
        """Make a task."""
        new = service.NewTask(arguments.title, arguments.notes, arguments.due)
        async with self._app.write() as session:
            task = await service.create(session, context, new)
        return _output(context, task, "created", _receipt(task, {}))

    async def uncreate(
        self, context: ToolContext, arguments: CreateTask, receipt: Receipt
    ) -> ToolOutput:
        """Delete the task that was made."""
        async with self._changing(context, receipt["task"], deleted=True) as task:
            if task.deleted_at is None:
                service.require_same(task, receipt["after"])
                service.delete(task)
        return _output(context, task, "taken off again")

    async def update(self, context: ToolContext, arguments: UpdateTask) -> ToolOutput:
        """Change a task."""
        values = arguments.values
        async with self._changing(context, arguments.task_id) as task:
            before = service.snapshot(task)
            service.change(task, values, label=context.label, actor_id=context.actor_id)
        return _output(context, task, "changed", _receipt(task, before))

    async def updated(self, context: ToolContext, arguments: UpdateTask) -> ToolOutput | None:
        """Whether the change took effect; the values before are unknown."""
        task = await self._find(context, arguments)
        if task.deleted_at or any(getattr(task, n) != v for n, v in arguments.values.items()):
            return None
        return _output(context, task, "changed")

    async def complete(self, context: ToolContext, arguments: OneTask) -> ToolOutput:
        """Complete a task."""
        async with self._changing(context, arguments.task_id) as task:
            before = service.snapshot(task)
            service.complete(task)
        return _output(context, task, "completed", _receipt(task, before))

    async def completed(self, context: ToolContext, arguments: OneTask) -> ToolOutput | None:
        """Whether the task is done."""
        return await self._took_effect(context, arguments, "completed_at", "completed")

    async def delete(self, context: ToolContext, arguments: OneTask) -> ToolOutput:
        """Delete a task."""
        async with self._changing(context, arguments.task_id) as task:
            before = service.snapshot(task)
            service.delete(task)
        return _output(context, task, "deleted", _receipt(task, before))

    async def deleted(self, context: ToolContext, arguments: OneTask) -> ToolOutput | None:
        """Whether the task is deleted."""
        return await self._took_effect(context, arguments, "deleted_at", "deleted")

    async def restore(
        self, context: ToolContext, arguments: UpdateTask | OneTask, receipt: Receipt
    ) -> ToolOutput:
        """Restore a task's earlier values."""
        async with self._changing(context, receipt["task"], deleted=True) as task:
            service.restore(task, receipt["before"], after=receipt["after"])
        return _output(context, task, "put back")

    async def preview_create(
        self, context: ToolContext, arguments: CreateTask
    ) -> Mapping[str, Any]:
        """The task to be made."""
        lines = (arguments.title, service.plain(arguments.due), arguments.notes)
        return {"kind": "text", "text": "\n".join(filter(None, lines))[:5000]}

    async def preview_update(
        self, context: ToolContext, arguments: UpdateTask
    ) -> Mapping[str, Any]:
        """The changed values, before and after."""
        task = await self._find(context, arguments, deleted=False)
        fields = {
            name: {"before": service.plain(getattr(task, name)), "after": service.plain(value)}
            for name, value in arguments.values.items()
            if getattr(task, name) != value
        }
        return {"kind": "fields", "title": task.title, "fields": fields}

    async def preview_complete(self, context: ToolContext, arguments: OneTask) -> Mapping[str, Any]:
        """The task to be completed."""
        task = await self._find(context, arguments, deleted=False)
        return {"kind": "note", "text": f'Marks the task "{task.title}" as done.'}

    async def preview_delete(self, context: ToolContext, arguments: OneTask) -> Mapping[str, Any]:
        """The task to be deleted."""
        task = await self._find(context, arguments, deleted=False)
        return {"kind": "note", "text": f'Deletes the task "{task.title}". This can be undone.'}

    @asynccontextmanager
    async def _changing(
        self, context: ToolContext, id: str, *, deleted: bool = False
    ) -> AsyncGenerator[Task]:
        async with self._app.write() as session:
            yield await repository.get(
                session, context.workspace_id, id, deleted=deleted, lock=True
            )

    async def _find(
        self, context: ToolContext, arguments: UpdateTask | OneTask, *, deleted: bool = True
    ) -> Task:
        async with self._app.read() as session:
            return await repository.get(
                session, context.workspace_id, arguments.task_id, deleted=deleted
            )

    async def _took_effect(
        self, context: ToolContext, arguments: OneTask, moment: str, what: str
    ) -> ToolOutput | None:
        task = await self._find(context, arguments)
        if getattr(task, moment) is None:
            return None
        return _output(
            context, task, what, _receipt(task, {**service.snapshot(task), moment: None})
        )


def _receipt(task: Task, before: service.Values) -> Receipt | None:
    after = service.snapshot(task)
    return {"task": task.id, "before": before, "after": after} if before != after else None


def _shown(task: Task) -> dict[str, Any]:
    status = "deleted" if task.deleted_at else "done" if task.completed_at else "open"
    return {
        "id": Ref("task", task.id),
        "title": task.title,
        "notes": task.notes,
        "due": service.plain(task.due),
        "status": status,
        "completed_at": service.plain(task.completed_at),
    }


def _source(task: Task, label: Label) -> Source:
    return Source(label, f'the task "{task.title[:60]}"')


def _output(
    context: ToolContext, task: Task, what: str, receipt: Receipt | None = None
) -> ToolOutput:
    # Whoever made it knows its words already.
    maker = task.created_by if task.created_by == context.actor_id else context.user_id
    source = _source(task, service.label_for(task, maker))
    return ToolOutput(_shown(task), summary=f"task {what}", sources=(source,), receipt=receipt)
