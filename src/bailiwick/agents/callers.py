"""Agents as callers of the gate: within their own scope, and that of whoever started them."""

import re
from collections.abc import Sequence

from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository
from bailiwick.agents.models import Agent
from bailiwick.gate.call import Caller
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.effects import CAPABILITIES
from bailiwick.tools.scope import Limits, Scope
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput

PREFIX = "agent__"


class AskAgent(ToolArguments):
    """What another agent is asked."""

    message: str = Field(
        min_length=1,
        max_length=50_000,
        description="What the agent shall do, with all that it needs to know.",
        examples=["Summarise Files/reports/june.md in three sentences."],
    )
    session_id: Omittable[str] = Field(
        None,
        alias="sessionId",
        max_length=64,
        description="To go on with what it did before: the sessionId that it answered with.",
    )


def caller(agent: Agent, person: Caller, colleagues: Sequence[Agent]) -> Caller:
    """An agent that works for a person: never with more rights than they have."""
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
        own_tools=tuple(asking(each) for each in colleagues),
    )


def scope_of(agent: Agent) -> Scope:
    """An agent's own scope; whom it may ask needs no mention among its tools."""
    scope = Scope.model_validate(agent.scope)
    return scope.model_copy(update={"tools": (*scope.tools, f"{PREFIX}*")})


def within(scope: Scope, person: Scope) -> Scope:
    """What is left of a scope for someone who may do less; people are never bound by patterns."""
    off = {flag: False for flag in CAPABILITIES if not person.has(flag)}
    return scope.model_copy(update=off)


def asking(agent: Agent) -> Tool:
    """Another agent, as a tool."""
    about = agent.description.strip() or f"The agent {agent.name}."
    return Tool(
        name=tool_name(agent),
        title=f"Ask {agent.name}",
        description=f"{about[:800]} Give it a message; it answers when it is done.",
        arguments=AskAgent,
        effect="read",
        run=_never,
        delegates_to=agent.id,
    )


def tool_name(agent: Agent) -> str:
    """The name under which an agent is asked: its own name, and enough of its id to be the only."""
    slug = re.sub(r"[^a-z0-9]+", "_", agent.name.lower()).strip("_")[:40]
    return f"{PREFIX}{slug or 'agent'}_{agent.id[-4:]}"


async def colleagues_of(session: AsyncSession, agent: Agent) -> Sequence[Agent]:
    """The agents that one may ask now."""
    return await repository.colleagues(session, agent)


async def _never(_: ToolContext, __: AskAgent) -> ToolOutput:
    raise AssertionError("an agent is asked by the loop, not run as a tool")
