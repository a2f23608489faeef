"""REST of desktop notifications. Whether a browser may show any, the browser itself keeps."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import Field

from bailiwick.identity.access import AUser
from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.notify.desktop.models import NotificationChoice

CHANGED = "notifications.changed"
NotifiedOf = Literal["done", "failed", "waiting"]
_ALL: list[NotifiedOf] = ["done", "failed", "waiting"]

router = APIRouter(prefix="/users/me/notifications", tags=["users"], route_class=IdempotentRoute)


class NotificationChoices(Wire):
    """What one wants to be told of on the desktop, in every browser that may show it."""

    desktop: StrictFlag = Field(description="Whether anything is shown at all")
    events: Annotated[list[NotifiedOf], Field(max_length=3)] = Field(
        description="A case is done, it failed, it waits for a person"
    )
    subjects: StrictFlag = Field(description="Whether a notification says which mail it is about")


@router.get("")
async def read_notifications(person: AUser, session: ReadSession) -> NotificationChoices:
    """What one has chosen; nothing is shown until one does."""
    row = await session.get(NotificationChoice, person.id)
    if row is None:
        return NotificationChoices(desktop=False, events=_ALL, subjects=False)
    return NotificationChoices.model_validate(row)


@router.put("")
async def choose_notifications(
    body: NotificationChoices, person: AUser, session: WriteSession
) -> NotificationChoices:
    """Choose what one is told of; every open page of one's own follows."""
    chosen = [event for event in _ALL if event in body.events]
    row = NotificationChoice(
        user_id=person.id, desktop=body.desktop, events=chosen, subjects=body.subjects
    )
    await session.merge(row)
    told = (audience.user(person.id),)
    event = eventlog.Event(CHANGED, audience=told, actor_id=person.id, subject_id=person.id)
    eventlog.record(session, event)
    return body.model_copy(update={"events": chosen})
