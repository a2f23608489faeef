"""Tools for the workspace's own list of tasks."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.hookspecs import hookimpl
from bailiwick.planner.tasks import Tasks
from bailiwick.tools.facts import Office
from bailiwick.tools.tool import Tool

_TITLE = {
    "type": "string",
    "minLength": 1,
    "maxLength": 500,
    "pattern": r"^[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$",
    "description": "What is to be done, in one line.",
}
_NOTES = {
    "type": "string",
    "maxLength": 20_000,
    "pattern": r"^[^\u0000]*$",
    "description": "Details, as plain text.",
}
_DUE = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    "description": "The day on which it is due, like 2026-03-31.",
}
_ID = {"type": "string", "maxLength": 64, "description": "The id of the task."}
_SHOWN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "notes": {"type": "string"},
        "due": {"type": ["string", "null"]},
        "status": {"enum": ["open", "done", "deleted"]},
        "completed_at": {"type": ["string", "null"]},
    },
    "required": ["id", "title", "notes", "due", "status", "completed_at"],
}


@hookimpl
def bailiwick_tools(office: Office) -> Sequence[Tool]:
    """The tools of the planner."""
    tasks = Tasks(office)
    by_id = _object({"task_id": _ID}, "task_id")
    return [
        Tool(
            name="list_tasks",
            title="List tasks",
            description="List tasks of this workspace, those that are due first at the top.",
            parameters=_object(
                {
                    "status": {
                        "enum": ["open", "done", "all"],
                        "default": "open",
                        "description": "Which tasks: open, done, or all.",
                    },
                    "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
                }
            ),
            output={
                "type": "object",
                "properties": {
                    "tasks": {"type": "array", "items": _SHOWN},
                    "more": {"type": "boolean", "description": "Whether there are more."},
                },
                "required": ["tasks", "more"],
            },
            effect="read",
            run=tasks.list,
        ),
        Tool(
            name="create_task",
            title="Create a task",
            description="Put a new task on the list of this workspace.",
            parameters=_object({"title": _TITLE, "notes": _NOTES, "due": _DUE}, "title"),
            output=_SHOWN,
            effect="create",
            run=tasks.create,
            undo=tasks.uncreate,
            preview=tasks.preview_create,
            targets={"title": "name", "notes": "name"},
        ),
        Tool(
            name="update_task",
            title="Change a task",
            description="Change a task's title, notes or due day. What is left out stays.",
            parameters=_object(
                {
                    "task_id": _ID,
                    "title": _TITLE,
                    "notes": _NOTES,
                    "due": {**_DUE, "type": ["string", "null"]},
                },
                "task_id",
            ),
            output=_SHOWN,
            effect="edit",
            run=tasks.update,
            undo=tasks.restore,
            replay="lookup",
            lookup=tasks.updated,
            preview=tasks.preview_update,
            targets={"task_id": "task"},
            ids={"task_id": "task"},
        ),
        Tool(
            name="complete_task",
            title="Complete a task",
            description="Tick a task off as done.",
            parameters=by_id,
            output=_SHOWN,
            effect="complete",
            run=tasks.complete,
            undo=tasks.restore,
            replay="lookup",
            lookup=tasks.completed,
            preview=tasks.preview_complete,
            targets={"task_id": "task"},
            ids={"task_id": "task"},
        ),
        Tool(
            name="delete_task",
            title="Delete a task",
            description="Take a task off the list. It can be brought back by undoing this.",
            parameters=by_id,
            output=_SHOWN,
            effect="delete",
            run=tasks.delete,
            undo=tasks.restore,
            replay="lookup",
            lookup=tasks.deleted,
            preview=tasks.preview_delete,
            targets={"task_id": "task"},
            ids={"task_id": "task"},
        ),
    ]


def _object(properties: Mapping[str, Any], *required: str) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
