"""Agents as callers of the gate: within their own scope, and that of whoever started them."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository
from bailiwick.agents.asking import PREFIX, asking
from bailiwick.agents.discovery import DISCOVERY
from bailiwick.agents.models import Agent
from bailiwick.gate.call import Caller
from bailiwick.tools.effects import CAPABILITIES
from bailiwick.tools.scope import Limits, Scope


def caller(
    agent: Agent,
    person: Caller,
    colleagues: Sequence[Agent],
    *,
    only: Sequence[str] | None = None,
    director_id: str | None = None,
) -> Caller:
    """An agent that works for a person: never with more rights than they have.

    `only` are the patterns of the tools that its asker leaves it; None: all. `director_id` is who
    leads the run that it works in, if that is another.
    """
    return Caller(
        kind="agent",
        id=agent.id,
        name=agent.name,
        workspace_id=agent.workspace_id,
        user_id=person.user_id,
        roles=person.roles,
        scope=within(scope_of(agent), person.scope),
        limits=Limits.model_validate(agent.limits),
        ask_writes=agent.ask_writes,
        ask_tools=tuple(agent.ask_tools),
        agent_kind=agent.kind,
        own_tools=tuple(asking(colleagues)),
        only_tools=None if only is None else tuple(only),
        director_id=director_id or (agent.id if agent.kind == "director" else None),
        memory_access=tuple(agent.memory_access) if agent.kind == "director" else (),
    )


def scope_of(agent: Agent) -> Scope:
    """An agent's own scope; whom it may ask needs no mention among its tools.

    Nor does what a director finds out with.
    """
    scope = Scope.model_validate(agent.scope)
    more = DISCOVERY if agent.kind == "director" else ()
    return scope.model_copy(update={"tools": (*scope.tools, f"{PREFIX}*", *more)})


def within(scope: Scope, person: Scope) -> Scope:
    """What is left of a scope for someone who may do less; people are never bound by patterns."""
    off = {flag: False for flag in CAPABILITIES if not person.has(flag)}
    return scope.model_copy(update=off)


async def colleagues_of(session: AsyncSession, agent: Agent) -> Sequence[Agent]:
    """The agents that one may ask now."""
    return await repository.colleagues(session, agent)
