"""Wire forms of webhooks."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.notify.selection import TypePattern
from bailiwick.notify.webhooks.payloads import PayloadFormat
from bailiwick.workspaces.schemas import OfWorkspace

DeliveryStatus = Literal["waiting", "retrying", "delivered", "failed", "cancelled"]
WebhookId = Annotated[str, Path(pattern=ids.pattern("whk"))]
DeliveryId = Annotated[str, Path(pattern=ids.pattern("dlv"))]
Url = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2000),
    Field(examples=["https://hooks.example.com/bailiwick"]),
]
Types = Annotated[
    list[TypePattern],
    Field(
        min_length=1,
        max_length=50,
        description="Names of events, all of a kind (`workspace.*`), or everything (`*`)",
        examples=[["workspace.*", "user.created"]],
    ),
]


def _nothing() -> None:
    return None


def _standard() -> PayloadFormat:
    return "bailiwick"


class WebhookIn(Wire):
    """A webhook to make."""

    name: Name
    url: Url
    types: Types
    workspace_id: OfWorkspace | None = Field(
        default=None, description="Only events of this workspace"
    )
    format: PayloadFormat = Field(default="bailiwick", description="The form of what is sent")


class WebhookPatch(Wire):
    """What to change about a webhook; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    url: Url = Field(default_factory=str)
    types: Types = Field(default_factory=list)
    workspace_id: OfWorkspace | None = Field(default_factory=_nothing)
    format: PayloadFormat = Field(default_factory=_standard)
    active: StrictFlag = Field(default_factory=bool)


class LastDelivery(Wire):
    """How the newest delivery stands."""

    status: DeliveryStatus
    at: datetime


class WebhookOut(Wire):
    """A webhook; its secret is never shown again."""

    id: str
    name: str
    url: str
    types: list[str]
    workspace_id: str | None
    format: PayloadFormat
    active: bool
    disabled_reason: str | None = Field(description="Why it was switched off, if nobody did it")
    owner_id: str | None = Field(description="It sees what this user sees; null: the operator's")
    owner_name: str
    created_at: datetime
    last_delivery: LastDelivery | None


class NewWebhookOut(WebhookOut):
    """A webhook just made, with the secret that signs; it is shown once."""

    secret: str


class SecretOut(Wire):
    """A new secret; it is shown once, and the one before is valid for another 24 hours."""

    secret: str


class DeliveryOut(Wire):
    """One event on its way to one webhook."""

    id: str
    webhook_id: str
    event_id: str
    event_type: str
    status: DeliveryStatus
    attempts: int
    next_attempt_at: datetime | None
    created_at: datetime
    finished_at: datetime | None
    last_status: int | None
    last_error: str | None


class AttemptOut(Wire):
    """One try to deliver."""

    number: int
    at: datetime
    status: int | None
    milliseconds: int
    error: str | None
    response: str | None


class DeliveryDetailOut(DeliveryOut):
    """A delivery with what is sent, and every attempt."""

    payload: dict[str, Any] | None = Field(description="Shown to the webhook's owner only")
    log: list[AttemptOut]
