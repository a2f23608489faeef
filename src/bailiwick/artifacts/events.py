"""Events of artifacts: ids alone, and only to those who may see what they belong to."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts.models import Artifact
from bailiwick.instance import audience
from bailiwick.kit import eventlog

ADDED, CHANGED, REMOVED = "item.added", "item.changed", "item.removed"


def emit(session: AsyncSession, artifact: Artifact, type: str, *, by: str) -> None:
    """Say what became of an artifact."""
    shared = (audience.account(artifact.account_id),) if artifact.account_id else ()
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.user(artifact.owner_id), *shared),
            workspace_id=artifact.workspace_id,
            actor_id=by,
            subject_id=artifact.id,
            data={"caseId": artifact.case_id, "revision": artifact.revision},
        ),
    )
