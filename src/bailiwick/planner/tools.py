"""Tools for the workspace's own list of tasks."""

from collections.abc import Sequence

from bailiwick.office import Office
from bailiwick.planner.tasks import (
    CreateTask,
    ListTasks,
    OneTask,
    ShownTask,
    ShownTasks,
    Tasks,
    UpdateTask,
)
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool

_SHOWN = schema_of(ShownTask)


def tools(office: Office) -> Sequence[Tool]:
    """The tools of the planner."""
    tasks = Tasks(office)
    return [
        Tool(
            name="list_tasks",
            title="List tasks",
            description="List tasks of this workspace, those that are due first at the top.",
            arguments=ListTasks,
            output=schema_of(ShownTasks),
            effect="read",
            run=tasks.list,
        ),
        Tool(
            name="create_task",
            title="Create a task",
            description="Put a new task on the list of this workspace.",
            arguments=CreateTask,
            output=_SHOWN,
            effect="create",
            shared=True,
            run=tasks.create,
            undo=tasks.uncreate,
            undone_as="delete_task",
            preview=tasks.preview_create,
            targets={"title": "name", "notes": "name"},
        ),
        Tool(
            name="update_task",
            title="Change a task",
            description="Change a task's title, notes or due day. What is left out stays.",
            arguments=UpdateTask,
            output=_SHOWN,
            effect="edit",
            shared=True,
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
            arguments=OneTask,
            output=_SHOWN,
            effect="complete",
            shared=True,
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
            arguments=OneTask,
            output=_SHOWN,
            effect="delete",
            shared=True,
            run=tasks.delete,
            undo=tasks.restore,
            replay="lookup",
            lookup=tasks.deleted,
            preview=tasks.preview_delete,
            targets={"task_id": "task"},
            ids={"task_id": "task"},
        ),
    ]
