"""What is told of mail on its way out. Never a word of what is in it."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.mail.models import Outgoing

HELD, SENT, FAILED = "outbox.held", "outbox.sent", "outbox.failed"
CANCELLED, UNKNOWN = "outbox.cancelled", "outbox.unknown"
# For our own jobs: a message is due, now or later.
DUE = "outbox.due"


def emit(session: AsyncSession, row: Outgoing, type: str, *, actor: str | None = None) -> None:
    """The event of a message whose status has changed."""
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.account(row.account_id),),
            workspace_id=row.workspace_id,
            actor_id=actor or row.created_by,
            subject_id=row.id,
            data={"accountId": row.account_id, "status": row.status},
        ),
    )


def queue(session: AsyncSession, row: Outgoing) -> None:
    """Let the next job have it when it is due; a job that was begun before leaves it alone."""
    row.turn += 1
    eventlog.record(
        session,
        eventlog.Event(
            DUE,
            audience=(),
            subject_id=row.id,
            data={
                "turn": row.turn,
                "accountId": row.account_id,
                "dueAt": row.due_at.isoformat(),
            },
        ),
    )
