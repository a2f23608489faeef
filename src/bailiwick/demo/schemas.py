"""Wire forms of the sample office."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from bailiwick.gate.approvals.schemas import ApprovalStatus
from bailiwick.kit.http.wire import Wire

DemoState = Literal["absent", "fetching", "working", "ready", "failed"]


class DemoDirectorOut(Wire):
    """A director, and how much mail went to it."""

    agent_id: str
    name: str
    routed: int


class DemoFindingOut(Wire):
    """Something that the assistant wanted to do, and what the gate said."""

    kind: Literal["reply", "stopped"] = Field(
        description="A reply as it was asked for, or something that only a mail had asked for"
    )
    approval_id: str
    recipients: list[str]
    subject: str
    reason: str = Field(description="Why the gate asks a person")
    status: ApprovalStatus


class DemoOut(Wire):
    """How the sample data of a workspace is."""

    state: DemoState
    can_change: bool = Field(description="Whether the reader may bring it in and take it away")
    note: str = Field(description="What has to be known about the assistant")
    words: str = Field(description="What the assistant is asked to do")
    mails: int = Field(description="How many of its mails have come in")
    expected: int = Field(description="How many there are")
    routed: int
    directors: list[DemoDirectorOut]
    account_id: str | None
    assistant_id: str | None
    run_id: str | None
    findings: list[DemoFindingOut]
    problem: str | None = Field(description="What went wrong, if anything did")
    created_at: datetime | None
