"""Sessions with agents that another agent asks: open between two questions, until they end.

A run has at most one open session with each agent. It stays open for `session_timeout_minutes`
after an answer, and ends with the run that asks. Nothing looks for what is late: it is known when
somebody speaks or reads, and the housekeeping writes it down.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.errors import BailiwickError
from bailiwick.instance import settings
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.runs import repository
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.states import LIVE

log = structlog.stdlib.get_logger("bailiwick.runs")
SessionStatus = Literal["ongoing", "completed", "failed", "expired"]
AskRefusal = Literal["expired", "completed", "unknown", "gone", "circle", "depth", "busy", "failed"]
DEEPEST = 3


class NotAsked(BailiwickError):
    """The agent was not asked, and why, in a word and in a sentence."""

    def __init__(self, reason: AskRefusal, message: str) -> None:
        super().__init__(message)
        self.reason: AskRefusal = reason


async def found(session: AsyncSession, run: Run, agent: Agent, id: str | None) -> Run | None:
    """The open session of a run with an agent, locked; None if a new one shall begin."""
    if id is None:
        open_one = await repository.open_child(session, run.id, agent.id)
        return _idle(open_one, agent) if open_one and _is_open(open_one) else None
    known = await repository.asked_before(session, run, agent.id, id)
    if known is None:
        raise NotAsked("unknown", f"There is no session {id[:64]!r} with {agent.name} here.")
    if known.parent_id != run.id and not await repository.is_parent_over(session, known):
        raise NotAsked("unknown", f"The session {id!r} is one of another run.")
    match status(known, clock.now()):
        case "expired":
            log.info("agent session expired", run=run.id, session=id, agent=agent.id)
            raise NotAsked("expired", f"{_THIS} has expired. {_ANEW}")
        case "ongoing" | "failed" if known.parent_id == run.id and _is_open(known):
            return _idle(known, agent)
        case _:
            raise NotAsked("completed", f"{_THIS} is over. {_ANEW}")


_THIS = "This session with the agent"
_ANEW = "Ask without sessionId to begin another one."


def status(run: Run, now: datetime) -> SessionStatus:
    """How a run stands as a session."""
    if run.status in LIVE:
        return "ongoing"
    late = run.expires_at is not None and run.expires_at <= (run.ended_at or now)
    if late or run.status == "expired":
        return "expired"
    if run.status != "completed":
        return "failed"
    return "ongoing" if run.parent_id and run.ended_at is None else "completed"


def _is_open(run: Run) -> bool:
    """Whether an agent can be spoken to again in its session."""
    if run.ended_at is not None or run.status == "cancelled":
        return False
    return run.expires_at is None or run.expires_at > clock.now()


def _idle(run: Run, agent: Agent) -> Run:
    if run.status in LIVE:
        raise NotAsked("busy", f"{agent.name} is at work on an earlier question. Ask it later.")
    return run


def is_busy(tool: str, calls: Sequence[RunCall]) -> bool:
    """Whether the agent behind a tool is at work on an earlier question of the same run."""
    return any(call.tool == tool and call.status == "waiting" and call.child_id for call in calls)


async def turn_ended(session: AsyncSession, run: Run) -> None:
    """Let a session stay open for a while after the agent's answer, or end it with its asker."""
    minutes = (await settings.stored(session)).session_timeout_minutes
    now = clock.now()
    run.expires_at = now + timedelta(minutes=minutes)
    run.only_tools = None
    if run.status == "cancelled" or await repository.is_parent_over(session, run):
        run.ended_at = now
        await _end_below(session, run, now)


async def asker_ended(session: AsyncSession, run: Run) -> None:
    """End the sessions that a run had with agents, and those that these had in turn."""
    await _end_below(session, run, clock.now())


async def _end_below(session: AsyncSession, run: Run, now: datetime) -> None:
    # A session that is at work ends itself when its turn does: it must not wait for us meanwhile.
    ids = [run.id]
    for _ in range(DEEPEST):
        if not (ids := await repository.end_sessions(session, ids, now)):
            return


async def end_expired(session: AsyncSession, _: RuntimeSettings) -> None:
    """Write down which sessions are over because nobody spoke in time."""
    await repository.end_expired(session, clock.now())


async def director(session: AsyncSession, run: Run) -> str | None:
    """The agent who leads the work that a run is part of; None if nobody asked for it."""
    if run.parent_id is None:
        return None
    return (await repository.askers(session, run))[-1].agent_id


async def payer(session: AsyncSession, run: Run, agent: Agent) -> str:
    """The agent whose key a run uses: its own, or its asker's where it has neither key nor model.

    Whoever inherits a model inherits the key that it is used with.
    """
    above = run
    while not agent.model_id and not await agents.credentials(session, agent.id):
        if above.parent_id is None:
            break
        parent = await session.get(Run, above.parent_id)
        asker = await agents.by_id(session, parent.agent_id) if parent else None
        if parent is None or asker is None:
            break
        above, agent = parent, asker
    return agent.id
