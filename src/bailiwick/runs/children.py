"""Asking another agent: a run of its own, under the same person, with what was read handed on."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.callers import AskAgent
from bailiwick.agents.models import Agent
from bailiwick.errors import BailiwickError
from bailiwick.gate.call import Delegate
from bailiwick.gate.trust import reads
from bailiwick.kit import clock
from bailiwick.runs import repository, start
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.segment import Segment
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.runs.states import RESUMABLE
from bailiwick.runs.steps import results

DEEPEST = 3


async def ask(session: AsyncSession, segment: Segment, row: RunCall, request: Delegate) -> None:
    """Set the other agent going; its answer wakes this run."""
    try:
        async with session.begin_nested():
            child = await _child(session, segment, row, request)
            row.child_id = child.id
    except BailiwickError as error:
        row.status, row.reason, row.code = "failed", error.detail, "failed"
        results.settle(session, segment.run, row, f"It could not be asked: {error.detail}")


async def _child(session: AsyncSession, segment: Segment, row: RunCall, request: Delegate) -> Run:
    run, asked = segment.run, AskAgent.checked(request.arguments)
    agent = await agents.by_id(session, request.agent_id)
    if agent is None or not agent.active:
        raise BailiwickError("That agent is gone or switched off.")
    if run.depth >= DEEPEST:
        raise BailiwickError(f"Agents ask one another at most {DEEPEST} deep.")
    # Not a person's words: a model chose them.
    person = RunOwner(segment.person.id, segment.person.name, segment.person.scope, present=False)
    known = await _known(session, run, agent, asked.session_id)
    if known is None:
        new = RunRequest(
            words=asked.message,
            kind="delegate",
            parent=run,
            parent_call=row.id,
            model_id=None if agent.model_id else run.model_id or segment.agent.model_id,
        )
        return await start.start(session, agent, person, new, now=clock.now())
    known.parent_call = row.id
    await reads.inherit(session, known.id, of=run.id, words=False)
    await start.say(session, known, agent, person, asked.message, now=clock.now())
    return known


async def _known(
    session: AsyncSession, run: Run, agent: Agent, session_id: str | None
) -> Run | None:
    """What this run and that agent have spoken of before, if it can be taken up."""
    found = await repository.latest_child(session, run.id, agent.id, id=session_id)
    if session_id and found is None:
        raise BailiwickError(f"There is no session {session_id[:64]!r} with this agent here.")
    if found is None or found.status not in RESUMABLE:
        return None
    return found
