"""REST of events: a stream, and pages for those who poll."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Response

from bailiwick.identity.access import SignedIn
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.openapi import UNAVAILABLE
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.notify import viewers
from bailiwick.notify.selection import Selected
from bailiwick.notify.streams import Streams, StreamViewer, not_here
from bailiwick.notify.viewers import EventViewer
from bailiwick.notify.webhooks.types import CATALOGUE
from bailiwick.notify.wire import EventsOut, EventTypeOut, event_out
from bailiwick.office import TheOffice

router = APIRouter(prefix="/events", tags=["events"])
_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events as they happen, each with its position as id",
        "content": {
            "text/event-stream": {
                "schema": {
                    "type": "object",
                    "required": ["data"],
                    "properties": {
                        "id": {"type": "string", "description": "The position, to resume after"},
                        "data": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "contentSchema": {"$ref": "#/components/schemas/EventOut"},
                        },
                    },
                }
            }
        },
    }
}


async def _streams(office: TheOffice) -> Streams:
    streams = office.find(Streams)
    if streams is None:
        raise not_here()
    return streams


@router.get("")
async def list_events(
    who: SignedIn,
    session: ReadSession,
    selection: Selected,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    size: Annotated[int, Query(alias="PageSize", ge=1, le=500)] = 100,
) -> EventsOut:
    """What happened after a position, in order; ask again from `position` on."""
    viewer = StreamViewer(
        EventViewer.of(who), keys=await viewers.keys_of(session, EventViewer.of(who))
    )
    events = await eventlog.after(session, after, limit=size)
    seen = [event for event in events if viewer.sees(event.audience) and selection.takes(event)]
    return EventsOut(
        items=[event_out(event) for event in seen],
        position=events[-1].position if events else after,
        has_more=len(events) == size,
    )


@router.get("/types")
async def list_event_types(_: SignedIn, page: PageQuery) -> Page[EventTypeOut]:
    """What can happen here, and what webhooks can be told of."""
    shown = [EventTypeOut(type=type, description=text) for type, text in CATALOGUE.items()]
    return page_of(shown, page, by=lambda one: one.type)


@router.get(
    "/stream", response_class=Response, responses=_STREAM, openapi_extra={"responses": UNAVAILABLE}
)
async def stream_events(
    who: SignedIn,
    streams: Annotated[Streams, Depends(_streams)],
    selection: Selected,
    after: Annotated[int | None, Query(ge=0, le=2**53)] = None,
    last_event_id: Annotated[int | None, Header(alias="Last-Event-ID", ge=0, le=2**53)] = None,
) -> Response:
    """Events as they happen, from a position (or `Last-Event-ID`) on, without a gap."""
    start = after if last_event_id is None else last_event_id
    selection = replace(selection, in_person=who.is_person_present)
    return await streams.open(who, selection, after=start)
