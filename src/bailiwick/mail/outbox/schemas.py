"""Wire forms of the outbox."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field

from bailiwick.kit import ids
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.mail.models import Outgoing
from bailiwick.tools.trust import Label

OutgoingId = Annotated[str, Path(pattern=ids.pattern("out"))]
OutgoingStatus = Literal["held", "sending", "sent", "failed", "cancelled", "unknown"]


class OutgoingOut(Wire):
    """A message on its way out."""

    id: str
    workspace_id: str
    account_id: str
    status: OutgoingStatus = Field(
        description="`unknown`: handed over, and nobody can tell whether it was taken"
    )
    sender: str
    to: list[str]
    cc: list[str]
    bcc: list[str]
    subject: str
    snippet: str
    reply_to_id: str | None = Field(description="The mail that it answers")
    label: Label = Field(description="Whose words it rests on")
    created_by: str
    created_by_name: str
    attempts: int
    problem: str | None = Field(description="Why it is not sent yet, failed or is unknown")
    note: str | None = Field(description="What did not work besides, though it was sent")
    due_at: datetime = Field(description="Until then it can be taken back, or is not tried again")
    handed_over_at: datetime | None
    sent_at: datetime | None
    created_at: datetime

    @classmethod
    def of(cls, row: Outgoing) -> "OutgoingOut":
        """As people see it."""
        return cls(**_plain(row))


class OutgoingDetail(OutgoingOut):
    """A message on its way out, with what is in it."""

    text: str
    attachments: list[str] = Field(description="Their names")

    @classmethod
    def with_content(cls, row: Outgoing, *, text: str, attachments: list[str]) -> "OutgoingDetail":
        """The whole of it."""
        return cls(**_plain(row), text=text, attachments=attachments)


class ResolveIn(Wire):
    """What a person found in the mailbox."""

    sent: StrictFlag = Field(description="Whether it was sent; if not, it is sent now")


def _plain(row: Outgoing) -> dict[str, Any]:
    plain = OutgoingOut.model_fields.keys() - {"to", "cc", "bcc"}
    return {**{name: getattr(row, name) for name in plain}, **row.recipients}
