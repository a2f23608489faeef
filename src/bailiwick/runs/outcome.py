"""Telling what came of a run: to the run that asked for it, and to the task that it was for."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.trust import reads
from bailiwick.planner import queue as tasks
from bailiwick.runs import enqueue, repository, turns
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.steps import results
from bailiwick.tools.trust import Label


async def report(session: AsyncSession, run: Run) -> None:
    """Hand over what came of a run that has just ended."""
    if run.parent_id and run.parent_call:
        await answer_parent(session, run)
    if run.task_id:
        label: Label = await reads.label_of(session, run.id)
        said = await outcome(session, run)
        done = run.status == "completed"
        await tasks.reported(
            session, run.task_id, run_id=run.id, report=said, done=done, label=label
        )


async def outcome(session: AsyncSession, run: Run) -> str:
    """What a run has to say at its end."""
    if run.status != "completed":
        return run.error or "It did not come to an end."
    return await repository.last_words(session, run.id)


async def answer_parent(session: AsyncSession, run: Run) -> None:
    """Give the answer to the call that asked; what was read here counts as read there."""
    assert run.parent_id
    assert run.parent_call
    parent = await repository.locked(session, run.parent_id)
    call = await session.get(RunCall, (run.parent_id, run.parent_call), populate_existing=True)
    if parent is None or call is None or call.status != "waiting":
        return
    await reads.inherit(session, parent.id, of=run.id, words=False)
    call.status = "done" if run.status == "completed" else "failed"
    call.reason = run.error
    used = await repository.calls(session, run.id)
    results.settle(session, parent, call, turns.answer(run, await outcome(session, run), used))
    await go_on(session, parent)


async def go_on(session: AsyncSession, run: Run) -> None:
    """Let a waiting run go on, once nothing is left that it waits for."""
    if run.status != "waiting":
        return
    if await repository.calls(session, run.id, statuses=("waiting",)):
        return
    await enqueue.queue(session, run)
