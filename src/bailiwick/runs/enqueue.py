"""Setting a run going: a new segment, whose time counts from when it begins."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import clock
from bailiwick.kit.engine import flags
from bailiwick.kit.engine.engine import Queue
from bailiwick.runs import events, states
from bailiwick.runs.models import Run

QUEUE = Queue("runs", per_partition=8, per_process=16, poll_seconds=0.1)


async def queue(session: AsyncSession, run: Run) -> None:
    """Let the run go on; it must be held by this transaction, and not be running."""
    run.segment += 1
    states.move(run, "pending")
    run.why, run.error, run.completed_at = None, None, None
    run.expires_at, run.finalized = None, False
    run.holder = None
    run.updated_at = clock.now()
    run.deadline_at = None
    await flags.lower(session, flag(run.id))
    events.emit(session, run, events.STARTED)
    events.enqueue(session, run)


def flag(run_id: str) -> str:
    """What a step under way watches."""
    return f"run:{run_id}"
