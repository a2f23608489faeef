"""Events of conversations, and who may see them: the owner, and with whom they share it."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.chat.models import Thread, ThreadMessage
from bailiwick.instance import audience
from bailiwick.kit import eventlog

CREATED, CHANGED, ARCHIVED, DELETED = (
    "thread.created",
    "thread.changed",
    "thread.archived",
    "thread.deleted",
)
SHARED, UNSHARED = "thread.shared", "thread.unshared"
SAID, UPDATED = "message.created", "message.updated"
STORED = "attachment.stored"
REACTED, UNREACTED = "reaction.added", "reaction.removed"
THINKING, RESPONSE = "assistant.thinking", "assistant.response"


def emit(
    session: AsyncSession,
    thread: Thread,
    type: str,
    *,
    by: str | None,
    message: ThreadMessage | None = None,
    **data: Any,
) -> None:
    """Say what became of a thread, or of a message in it."""
    told: dict[str, Any] = {"threadId": thread.id, **data}
    # Whoever is let in, or no longer, hears that too.
    about = (audience.user(data["userId"]),) if "userId" in data else ()
    if message:
        told["messageId"] = message.id
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.user(thread.owner_id), audience.thread(thread.id), *about),
            workspace_id=thread.workspace_id,
            actor_id=by,
            subject_id=message.id if message else thread.id,
            data=told,
        ),
    )
