"""The wire form of events, the same for everyone who may see them."""

from datetime import UTC, datetime
from typing import Any

from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog.chunks import Chunk
from bailiwick.kit.http.wire import Wire


class EventOut(Wire):
    """Something that happened: ids, no content."""

    id: str
    position: int
    type: str
    timestamp: datetime
    workspace_id: str | None
    actor_id: str | None
    subject_id: str | None
    data: dict[str, Any]


class EventsOut(Wire):
    """Events in order, and where to go on from."""

    items: list[EventOut]
    position: int
    has_more: bool


class EventTypeOut(Wire):
    """A type of event that a webhook can be told of."""

    type: str
    description: str


def event_out(event: Recorded) -> EventOut:
    """The wire form of an event."""
    return EventOut(
        id=event.id,
        position=event.position,
        type=event.type,
        timestamp=event.at,
        workspace_id=event.workspace_id,
        actor_id=event.actor_id,
        subject_id=event.subject_id,
        data=dict(event.data),
    )


def event_frame(event: Recorded) -> dict[str, Any]:
    """The wire form for a stream, built by hand because it is made thousands of times a second."""
    return {
        "id": event.id,
        "position": event.position,
        "type": event.type,
        "timestamp": timestamp(event.at),
        "workspaceId": event.workspace_id,
        "actorId": event.actor_id,
        "subjectId": event.subject_id,
        "data": event.data,
    }


def expanded_frame(event: Recorded, carried: dict[str, Any]) -> dict[str, Any]:
    """The same with what the event is about; `status` as the stream of a thread has it."""
    status = {"status": event.data["status"]} if "status" in event.data else {}
    return {**event_frame(event), **status, **carried}


def chunk_frame(chunk: Chunk) -> dict[str, Any]:
    """A piece of text that is being written."""
    return {
        "type": "chunk",
        "channel": chunk.channel,
        "attempt": chunk.attempt,
        "offset": chunk.offset,
        "text": chunk.text,
        "done": chunk.done,
    }


def timestamp(moment: datetime) -> str:
    """RFC 3339 in UTC, with a Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
