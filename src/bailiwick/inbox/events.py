"""Events of the inbox; the members of its workspace hear them."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.inbox.models import GuidelineProposal, Judgement, Suggestion
from bailiwick.instance import audience
from bailiwick.kit import eventlog

SUGGESTED, RESOLVED, EXPIRED = "suggestion.created", "suggestion.resolved", "suggestion.expired"
REOPENED = "suggestion.reopened"
JUDGED = "inbox.judged"
PROPOSED, ANSWERED = "guideline.proposed", "guideline.answered"


def emit(session: AsyncSession, row: Suggestion, type: str, *, by: str | None = None) -> None:
    """Say what became of a suggestion."""
    _record(session, row, type, {"fileId": row.file_id, "status": row.status}, by)


def emit_judgement(session: AsyncSession, row: Judgement) -> None:
    """Say how far looking at a file has come."""
    data = {"fileId": row.file_id, "status": row.status}
    if row.next_at and row.status == "waiting":
        data["nextAt"] = row.next_at.isoformat()
    _record(session, row, JUDGED, data, None)


def emit_proposal(
    session: AsyncSession, row: GuidelineProposal, type: str, *, by: str | None = None
) -> None:
    """Say what became of a proposed guideline."""
    _record(session, row, type, {"notebookId": row.notebook_id, "status": row.status}, by)


def _record(
    session: AsyncSession,
    row: Suggestion | Judgement | GuidelineProposal,
    type: str,
    data: dict[str, str],
    by: str | None,
) -> None:
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.workspace(row.workspace_id),),
            workspace_id=row.workspace_id,
            actor_id=by,
            subject_id=row.id,
            data=data,
        ),
    )
