"""The payloads of deliveries: our own format, or a CloudEvent."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from bailiwick.kit import clock, ids
from bailiwick.kit.eventlog import Recorded
from bailiwick.notify.webhooks.types import TEST
from bailiwick.notify.wire import timestamp

PayloadFormat = Literal["bailiwick", "cloudevents"]
Payload = dict[str, Any]
# Who listens for these is a coordination service, which knows no other form.
_ALWAYS_CLOUD_EVENTS = frozenset({"attachment.stored"})


def test_event(*, webhook_id: str, actor_id: str) -> Recorded:
    """A test event, which is in no log and has no other audience."""
    return Recorded(
        position=0,
        id=ids.new("evt"),
        type=TEST,
        at=clock.now(),
        audience=(),
        workspace_id=None,
        actor_id=actor_id,
        subject_id=webhook_id,
        data={},
        trace_id="",
    )


def make(event: Recorded, *, webhook_id: str, format: str, origin: str) -> Payload:
    """The payload for one webhook, at the first attempt."""
    if format == "cloudevents" or event.type in _ALWAYS_CLOUD_EVENTS:
        return _cloud_event(event, webhook_id, origin)
    return {
        "event_id": event.id,
        "event_type": event.type,
        "timestamp": timestamp(event.at),
        **({"thread_id": event.data["threadId"]} if "threadId" in event.data else {}),
        "user_id": event.actor_id,
        "workspace_id": event.workspace_id,
        "subject_id": event.subject_id,
        "data": dict(event.data),
        "webhook_id": webhook_id,
        "delivery_attempt": 1,
    }


def numbered(payload: Mapping[str, Any], attempt: int) -> Payload:
    """The payload with the number of this attempt."""
    name = "deliveryattempt" if _is_cloud_event(payload) else "delivery_attempt"
    return {**payload, name: attempt}


def encoded(payload: Mapping[str, Any]) -> tuple[bytes, str]:
    """The body, and its media type."""
    kind = "cloudevents+json" if _is_cloud_event(payload) else "json"
    return json.dumps(payload, separators=(",", ":")).encode(), f"application/{kind}"


def _cloud_event(event: Recorded, webhook_id: str, origin: str) -> Payload:
    # Attributes without a value are left out, as the specification wants it.
    optional = {
        "subject": event.subject_id,
        "userid": event.actor_id,
        "workspaceid": event.workspace_id,
    }
    return {
        "specversion": "1.0",
        "id": event.id,
        "source": origin,
        "type": event.type,
        "time": timestamp(event.at),
        **{name: value for name, value in optional.items() if value},
        "datacontenttype": "application/json",
        "data": dict(event.data),
        "webhookid": webhook_id,
        "deliveryattempt": 1,
    }


def _is_cloud_event(payload: Mapping[str, Any]) -> bool:
    return "specversion" in payload
