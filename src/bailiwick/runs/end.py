"""How a run ends: its transcript is left whole, and whoever waits for it is told."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.kit import clock
from bailiwick.runs import events, outcome, repository, sessions, states, transcript
from bailiwick.runs.models import Run
from bailiwick.runs.states import OVER, EndReason, RunStatus


async def end(
    session: AsyncSession, run: Run, status: RunStatus, why: EndReason, message: str | None = None
) -> None:
    """End a run that this transaction holds; one that is over already stays as it is."""
    if run.status in OVER:
        return
    states.move(run, status)
    run.why, run.error = why, message
    run.completed_at = run.updated_at = clock.now()
    run.holder = None
    agent = await agents.by_id(session, run.agent_id)
    run.finalized = (
        status == "completed" and run.parent_id is None and agent and agent.kind == "director"
    ) or False
    await _close_calls(session, run)
    if message:
        transcript.add(session, run, "system", f"[{message}]", kind="note")
    events.emit(session, run, events.ENDS[status])
    await outcome.report(session, run)
    if run.parent_id:
        await sessions.turn_ended(session, run)
    else:
        await sessions.asker_ended(session, run)


async def _close_calls(session: AsyncSession, run: Run) -> None:
    """Every call has its answer, or the transcript could not be taken up again."""
    for call in await repository.calls(session, run.id, statuses=("wanted", "waiting")):
        call.status, call.finished_at = "skipped", clock.now()
        call.reason = "The run ended before this was done."
        transcript.add(
            session, run, "tool", f"Not done: {call.reason}", call_id=call.id, failed=True
        )
