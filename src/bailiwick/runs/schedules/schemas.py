"""Wire forms of schedules."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.agents.schemas import (
    OfAgent,
)
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.runs.states import RunStatus
from bailiwick.workspaces.schemas import OfWorkspace

ScheduleId = Annotated[str, Path(pattern=ids.pattern("sch"))]
_Words = Annotated[
    str, StringConstraints(min_length=1, max_length=20_000, pattern=r"^[^\x00]*\S[^\x00]*$")
]
_Timing = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Zone = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]*$")]


class SchedulesQuery(Wire):
    """Which schedules are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: OfWorkspace | None = None
    agent_id: OfAgent | None = None


class SchedulePreviewIn(Wire):
    """A timing to try."""

    timing: _Timing
    time_zone: _Zone | None = Field(default=None, description="Left out: the office's")


class SchedulePreviewOut(Wire):
    """What a timing means."""

    in_words: str
    cron: str
    time_zone: str
    times: list[datetime] = Field(description="When it would be due next")


class AgentScheduleIn(Wire):
    """A schedule to make; it is on from the start."""

    workspace_id: OfWorkspace
    agent_id: OfAgent
    name: Name
    words: _Words = Field(description="What the agent shall do each time")
    timing: _Timing = Field(description='"every weekday at 8", or a cron line')
    time_zone: _Zone | None = Field(default=None, description="Left out: the office's")
    enabled: StrictFlag = True


class AgentSchedulePatch(Wire):
    """What to change; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    agent_id: OfAgent = Field(default_factory=str)
    name: Name = Field(default_factory=str)
    words: _Words = Field(default_factory=str)
    timing: _Timing = Field(default_factory=str)
    time_zone: _Zone | None = Field(default_factory=lambda: None)
    enabled: StrictFlag = Field(default_factory=lambda: True)


class AgentScheduleOut(Wire):
    """A schedule, when it is due next, and what came of it last."""

    id: str
    workspace_id: str
    agent_id: str
    agent_name: str
    name: str
    words: str
    timing: str = Field(description="As it was typed")
    in_words: str = Field(description="The timing as a person would say it")
    time_zone: str
    enabled: bool
    user_id: str | None = Field(description="In whose name it runs; null: the command line")
    user_name: str
    next_at: datetime | None = Field(description="Null: it is switched off")
    last_due_at: datetime | None
    last_run_id: str | None
    last_run_status: RunStatus | None
    last_error: str | None = Field(description="Why nothing was started when it was last due")
    created_at: datetime
    updated_at: datetime
