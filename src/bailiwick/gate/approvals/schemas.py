"""Wire forms of approvals."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.gate.models import Approval
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Line, Wire
from bailiwick.tools.effects import Effect
from bailiwick.tools.trust import Label

ApprovalId = Annotated[str, Path(pattern=ids.pattern("apv"))]
AttachmentNumber = Annotated[int, Path(ge=0, le=1000, description="Its place on the card")]
BindingText = Annotated[str, StringConstraints(max_length=64, pattern=r"^[0-9a-f]+$")]
ApprovalStatus = Literal["pending", "allowed", "denied", "expired", "done", "failed", "unknown"]


class AllowIn(Wire):
    """Let it through; with other arguments, if they were changed."""

    arguments: dict[str, Any] | None = Field(
        default=None, description="All arguments as they shall be; left out, as they were asked"
    )
    binding: BindingText | None = Field(
        default=None,
        description="Of the card that was looked at: if it has changed, nothing is allowed",
    )


class DenyIn(Wire):
    """Refuse it; the caller is told the note."""

    note: Line | None = None


class SourceOut(Wire):
    """Something that the caller had read before it asked."""

    label: Label
    about: str


class CallerOut(Wire):
    """Who asked."""

    kind: Literal["user", "agent", "client"]
    id: str
    name: str
    version: str


class ApprovalOut(Wire):
    """A call that waits for a person, or did."""

    id: str
    workspace_id: str
    status: ApprovalStatus
    caller: CallerOut
    tool: str
    title: str = Field(description="The tool in words")
    effect: Effect
    connector: str
    undoes: str | None = Field(description="The action that it takes back")
    arguments: dict[str, Any] = Field(description="As the caller gave them")
    edited: dict[str, Any] | None = Field(description="As a person changed them")
    preview: dict[str, Any] | None = Field(
        description="What would change, such as a diff, and the files that go with it"
    )
    binding: str = Field(description="Changes with anything that the card shows")
    reason: str = Field(description="Why a person is asked, in plain words")
    rule_id: str | None
    sources: list[SourceOut] = Field(description="Whose words it may rest on")
    undoable: bool = Field(description="Whether it can be taken back afterwards")
    can_answer: bool = Field(description="Whether the reader may answer")
    answered_by: str | None
    answered_at: datetime | None
    note: str | None
    action_id: str | None
    error: str | None
    created_at: datetime
    expires_at: datetime
    finished_at: datetime | None

    @classmethod
    def of(cls, row: Approval, *, title: str, undoable: bool, can_answer: bool) -> "ApprovalOut":
        """A row as it is shown."""
        plain = {
            name: getattr(row, name)
            for name in cls.model_fields
            if name not in ("caller", "title", "sources", "undoable", "can_answer")
        }
        caller = CallerOut(
            kind=row.caller_kind,
            id=row.caller_id,
            name=row.caller_name,
            version=row.caller_version,
        )
        sources = [SourceOut(label=label, about=about) for label, about in row.sources]
        return cls(
            **plain,
            caller=caller,
            title=title,
            sources=sources,
            undoable=undoable,
            can_answer=can_answer,
        )
