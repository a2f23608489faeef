"""Wire forms of tasks."""

from datetime import date, datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.agents.schemas import (
    OfAgent,
)
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire
from bailiwick.planner.repository import TaskListing
from bailiwick.runs.states import RunStatus
from bailiwick.tools.trust import Label
from bailiwick.workspaces.schemas import OfWorkspace

TaskId = Annotated[str, Path(pattern=ids.pattern("tsk"))]
# queued: its agent is at it; failed: it could not do it, and the report says why.
TaskState = Literal["open", "queued", "done", "failed"]
# The same bounds as the tools have.
_Title = Annotated[
    str,
    StringConstraints(
        min_length=1,
        max_length=500,
        pattern=r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$",
    ),
]
_Notes = Annotated[str, StringConstraints(max_length=20_000, pattern=r"^[^\x00]*$")]


class TasksQuery(Wire):
    """Which tasks are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: OfWorkspace | None = None
    status: TaskListing = Field(default="open", description="Those to do, those done, or all")
    assigned_to: OfAgent | None = Field(default=None, description="Only those of this agent")


class TaskIn(Wire):
    """A task to put on the list; given to an agent, it sets to work at once."""

    workspace_id: OfWorkspace
    title: _Title
    notes: _Notes = ""
    due: date | None = None
    assigned_to: OfAgent | None = Field(default=None, description="The agent that shall do it")


class TaskPatch(Wire):
    """What to change; what is left out stays. Completing and assigning are each sent alone."""

    # Factories, because a default in the document would read as "left out means this".
    title: _Title = Field(default_factory=str)
    notes: _Notes = Field(default_factory=str)
    due: date | None = Field(default_factory=lambda: None)
    completed: Literal[True] = Field(default_factory=lambda: True)
    assigned_to: OfAgent | None = Field(
        default_factory=lambda: None,
        description="The agent that shall do it, at once; null takes it back",
    )


class TaskOut(Wire):
    """A task, how it stands, and what its agent reported."""

    id: str
    workspace_id: str
    title: str
    notes: str
    due: date | None
    label: Label = Field(description="Whose words its title and notes hold")
    state: TaskState
    completed_at: datetime | None
    assigned_to: str | None = Field(description="The agent that it was given to")
    agent_name: str | None
    run_id: str | None = Field(description="Its latest run")
    run_status: RunStatus | None
    can_open_run: bool = Field(description="Whether the reader may look into the run")
    report: str | None = Field(description="What the agent said at the end, or why it failed")
    report_label: Label | None = Field(description="Whose words the agent had read by then")
    created_at: datetime
    updated_at: datetime


class TaskChangeOut(Wire):
    """What became of a wish to change something."""

    status: Literal["done", "pending"]
    task: TaskOut | None = Field(
        default=None, description="As it is now; null if it is deleted, or nothing is done yet"
    )
    action_id: str | None = Field(default=None, description="By which it can be undone")
    undoable: bool = False
    approval_id: str | None = None
    reason: str | None = Field(default=None, description="Why it waits for a person")
