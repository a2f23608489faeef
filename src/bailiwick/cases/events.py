"""Events of cases; what their runs mean for them is told with the runs' own."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.cases.models import Case
from bailiwick.instance import audience
from bailiwick.kit import eventlog

OPENED, FAILED, REMOVED, RESTORED = "case.opened", "case.failed", "case.removed", "case.restored"


def emit(session: AsyncSession, case: Case, type: str, *, by: str | None = None) -> None:
    """Say what became of a case."""
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.user(case.owner_id), audience.account(case.account_id)),
            workspace_id=case.workspace_id,
            actor_id=by,
            subject_id=case.id,
            data={"directorId": case.director_id, "messageId": case.message_id},
        ),
    )
