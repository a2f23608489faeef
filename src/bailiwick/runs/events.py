"""Events of runs, and who may see them: whoever started one."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.principal import OPERATOR
from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.runs.models import Run

STARTED, PROGRESSED, WAITING = "run.started", "run.progressed", "run.waiting"
COMPLETED, FAILED = "run.completed", "run.failed"
CANCELLED, EXPIRED = "run.cancelled", "run.expired"
# For our own jobs: there is something to do.
QUEUED = "run.queued"
# What a director's run means for its case.
_CASE = {
    STARTED: "case.working",
    WAITING: "case.changed",
    COMPLETED: "case.done",
    FAILED: "case.failed",
    EXPIRED: "case.failed",
    CANCELLED: "case.stopped",
}
ENDS = {"completed": COMPLETED, "failed": FAILED, "cancelled": CANCELLED, "expired": EXPIRED}


def viewers(run: Run) -> tuple[str, ...]:
    """Who may see a run."""
    return (audience.user(run.user_id or OPERATOR.id),)


def emit(session: AsyncSession, run: Run, type: str) -> None:
    """Say what became of a run, and of the case that it leads."""
    if run.case_id and run.account_id and run.parent_id is None and type in _CASE:
        _emit_case(session, run, _CASE[type])
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=viewers(run),
            workspace_id=run.workspace_id,
            actor_id=run.user_id or OPERATOR.id,
            subject_id=run.id,
            data={"agentId": run.agent_id, "status": run.status},
        ),
    )


def _emit_case(session: AsyncSession, run: Run, type: str) -> None:
    assert run.account_id
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(*viewers(run), audience.account(run.account_id)),
            workspace_id=run.workspace_id,
            actor_id=run.user_id or OPERATOR.id,
            subject_id=run.case_id,
            data={"directorId": run.agent_id, "runId": run.id},
        ),
    )


def enqueue(session: AsyncSession, run: Run) -> None:
    """Begin the next segment once this is committed."""
    eventlog.record(
        session,
        eventlog.Event(
            QUEUED,
            audience=(),
            subject_id=run.id,
            data={"agentId": run.agent_id, "segment": run.segment},
        ),
    )
