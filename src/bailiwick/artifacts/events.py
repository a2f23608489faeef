"""Events of artifacts: ids alone, and only to those who may see what they belong to.

Those of a case are its items, and are told of as such.
"""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts.models import Artifact
from bailiwick.instance import audience
from bailiwick.kit import eventlog

ADDED, CHANGED, REMOVED = "added", "changed", "removed"
# Something that it was made of has changed; a message shows it.
OUTDATED, LINKED = "outdated", "linked"
_ITEM = {ADDED: "item.added", CHANGED: "item.changed", REMOVED: "item.removed"}
_ARTIFACT = {
    ADDED: "artifact.added",
    CHANGED: "artifact.changed",
    REMOVED: "artifact.removed",
    OUTDATED: "artifact.outdated",
    LINKED: "artifact.linked",
}


def emit(
    session: AsyncSession, artifact: Artifact, what: str, *, by: str | None, **data: Any
) -> None:
    """Say what became of an artifact."""
    shared = (audience.account(artifact.account_id),) if artifact.account_id else ()
    if artifact.thread_id:
        shared = (audience.thread(artifact.thread_id),)
    type = _ARTIFACT[what] if artifact.thread_id else _ITEM[what]
    place = {"threadId": artifact.thread_id} if artifact.thread_id else {"caseId": artifact.case_id}
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.user(artifact.owner_id), *shared),
            workspace_id=artifact.workspace_id,
            actor_id=by,
            subject_id=artifact.id,
            data={**place, "revision": artifact.revision, **data},
        ),
    )
