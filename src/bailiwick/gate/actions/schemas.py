"""Wire forms of actions."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from bailiwick.gate.models import Action
from bailiwick.kit import ids
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.tools.effects import Effect
from bailiwick.tools.trust import Label

ActionId = Annotated[str, Path(pattern=ids.pattern("act"))]
ActionStatus = Literal["open", "done", "failed", "unknown"]


class ActorOut(Wire):
    """Who did it."""

    kind: Literal["user", "agent", "client"]
    id: str
    name: str


class ActionOut(Wire):
    """Something that was changed, or is about to be."""

    id: str
    workspace_id: str
    caller: ActorOut
    tool: str
    title: str = Field(description="The tool in words")
    effect: Effect
    arguments: dict[str, Any] = Field(description="As the caller gave them, redacted")
    status: ActionStatus
    summary: str | None
    error: str | None
    label: Label = Field(description="Whose words the caller had read by then")
    approval_id: str | None
    undoable: bool = Field(description="Whether it can be taken back now")
    undoes: str | None = Field(description="The action that this one took back")
    undone_by: str | None = Field(description="The action that took this one back")
    undo_approval_id: str | None = Field(
        default=None, description="The approval that taking it back waits for, just asked"
    )
    created_at: datetime
    finished_at: datetime | None

    @classmethod
    def of(cls, row: Action, *, title: str, arguments: dict[str, Any]) -> "ActionOut":
        """A row as it is shown."""
        special = ("caller", "title", "arguments", "undoable", "undo_approval_id")
        plain = {name: getattr(row, name) for name in cls.model_fields if name not in special}
        caller = ActorOut(
            kind=row.caller_kind,
            id=row.caller_id,
            name=row.caller_name,
        )
        undoable = row.undoable and row.undone_by is None and row.status == "done"
        return cls(**plain, caller=caller, title=title, arguments=arguments, undoable=undoable)


class SettleIn(Wire):
    """What a person found out about an action whose outcome nobody knows."""

    happened: StrictFlag
