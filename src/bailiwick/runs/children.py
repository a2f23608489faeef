"""Asking another agent: a run of its own, under the same person, with what was read handed on."""

import json

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.asking import AskAgent
from bailiwick.agents.models import Agent
from bailiwick.errors import BailiwickError
from bailiwick.gate.call import Delegate
from bailiwick.gate.trust import reads
from bailiwick.kit import clock
from bailiwick.runs import repository, sessions, start
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.segment import Segment
from bailiwick.runs.sessions import DEEPEST, NotAsked
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.runs.steps import results


async def ask(session: AsyncSession, segment: Segment, row: RunCall, request: Delegate) -> None:
    """Set the other agent going; its answer wakes this run."""
    try:
        async with session.begin_nested():
            child = await _child(session, segment, row, request)
            row.child_id = child.id
    except BailiwickError as error:
        reason = error.reason if isinstance(error, NotAsked) else "failed"
        row.status, row.reason, row.code = "failed", error.detail, reason
        told = {"error": error.detail, "reason": reason}
        results.settle(session, segment.run, row, json.dumps(told, ensure_ascii=False))


async def _child(session: AsyncSession, segment: Segment, row: RunCall, request: Delegate) -> Run:
    run, asked = segment.run, AskAgent.checked(request.arguments)
    agent = await agents.by_id(session, request.agent_id)
    if agent is None or not agent.active:
        gone = "was switched off" if agent and not agent.deleted_at else "was removed"
        raise NotAsked("gone", f"{agent.name if agent else 'That agent'} {gone}.")
    await _check_circle(session, run, agent)
    # Not a person's words: a model chose them.
    person = RunOwner(segment.person.id, segment.person.name, segment.person.scope, present=False)
    known = await sessions.found(session, run, agent, asked.session_id)
    only = asked.options.tools if asked.options else None
    if known is None:
        new = RunRequest(
            words=asked.input,
            kind="delegate",
            parent=run,
            parent_call=row.id,
            model_id=None if agent.model_id else run.model_id or segment.agent.model_id,
            only_tools=only,
        )
        return await start.start(session, agent, person, new, now=clock.now())
    known.parent_call, known.only_tools = row.id, only
    await reads.inherit(session, known.id, of=run.id, words=False)
    await start.say(session, known, agent, person, asked.input, now=clock.now())
    return known


async def _check_circle(session: AsyncSession, run: Run, agent: Agent) -> None:
    if run.depth >= DEEPEST:
        raise NotAsked("depth", f"Agents ask one another at most {DEEPEST} deep.")
    if agent.id in {each.agent_id for each in await repository.askers(session, run)}:
        raise NotAsked("circle", f"{agent.name} waits for this answer itself: that is a circle.")
