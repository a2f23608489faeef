"""How a workspace's inbox is organised: its own settings, and those of its organiser."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents import service as agent_service
from bailiwick.agents import wire
from bailiwick.agents.models import Agent
from bailiwick.agents.presets import ORGANISER
from bailiwick.inbox import repository
from bailiwick.inbox.models import InboxSettings
from bailiwick.instance import audience, changes
from bailiwick.instance.changes import Actor

CHANGED = "inbox.changed"
OWN = ("agent_enabled", "auto_organize", "min_confidence", "never_touch", "new_folders")
# What is a setting of the organiser's own, as an agent.
OF_AGENT = {
    "model_id": "model_id",
    "max_turns": "step_limit",
    "time_limit_seconds": "timeout_seconds",
}
TURNS, SECONDS, TOKENS = 10, 60, 4096
_CALLS_PER_HOUR = 5_000  # it makes some for every paper


async def of(session: AsyncSession, workspace_id: str) -> InboxSettings:
    """The settings of a workspace's inbox; the defaults where nobody chose any."""
    return await session.get(InboxSettings, workspace_id) or _usual(workspace_id)


async def change(
    session: AsyncSession, actor: Actor, workspace_id: str, values: Mapping[str, Any]
) -> InboxSettings:
    """Change what is given, of the inbox and of its organiser."""
    row = await _kept(session, workspace_id)
    before = described(row)
    for name in OWN:
        if name in values:
            setattr(row, name, values[name])
    theirs = {OF_AGENT[name]: values[name] for name in OF_AGENT if name in values}
    if theirs or "max_tokens" in values:
        agent = await organiser(session, workspace_id)
        for name, value in theirs.items():
            setattr(agent, name, value)
        if "max_tokens" in values:
            agent.limits = {**agent.limits, "tokens_per_request": values["max_tokens"]}
        agent.revision += 1
    changes.record(
        session,
        actor,
        action=CHANGED,
        subject=workspace_id,
        before=before,
        after={**described(row), **theirs},
        to=(audience.workspace(workspace_id),),
        workspace=workspace_id,
    )
    return row


async def organiser(session: AsyncSession, workspace_id: str) -> Agent:
    """The agent that organises this workspace's inbox; it is made where there is none."""
    row = await _kept(session, workspace_id)
    if row.agent_id:
        agent = await agents.by_id(session, row.agent_id)
        if agent and not agent.deleted_at:
            return agent
    agent = await repository.shared_organiser(session, workspace_id) or await _made(session, row)
    row.agent_id = agent.id
    return agent


async def has_organiser(session: AsyncSession, workspace_id: str) -> bool:
    """Whether anyone organises this workspace's inbox already."""
    row = await of(session, workspace_id)
    return row.agent_id is not None or bool(
        await repository.shared_organiser(session, workspace_id)
    )


async def is_own(session: AsyncSession, agent: Agent, *, notebook_id: str | None) -> bool:
    """Whether an organiser is as it was made, and looked at nothing but this notebook's papers."""
    others = await repository.judged_elsewhere(session, agent.workspace_id, notebook_id)
    return agent.revision == 1 and not others


async def leave(session: AsyncSession, agent: Agent) -> None:
    """Its organiser goes; settings that nobody chose go with it."""
    row = await session.get(InboxSettings, agent.workspace_id)
    if row is None or row.agent_id != agent.id:
        return
    row.agent_id = None
    if described(row) == described(_usual(agent.workspace_id)):
        await session.delete(row)


async def _kept(session: AsyncSession, workspace_id: str) -> InboxSettings:
    row = await session.get(InboxSettings, workspace_id)
    if row is None:
        row = _usual(workspace_id)
        session.add(row)
    row.owner_id = row.owner_id or await repository.first_admin(session, workspace_id)
    return row


def _usual(workspace_id: str) -> InboxSettings:
    return InboxSettings(
        workspace_id=workspace_id,
        agent_enabled=True,
        auto_organize=True,
        min_confidence=0.7,
        never_touch=[],
        new_folders=False,
        agent_id=None,
        owner_id=None,
    )


async def _made(session: AsyncSession, row: InboxSettings) -> Agent:
    config = wire.preset(ORGANISER).config.model_copy(
        update={
            "max_requests_per_hour": _CALLS_PER_HOUR,
            "max_tokens_per_request": TOKENS,
            "step_limit": TURNS,
            "timeout_seconds": SECONDS,
        }
    )
    values = await wire.values(session, config, workspace_id=row.workspace_id)
    values |= {"shared": True, "name": await _free_name(session, row.workspace_id, config.name)}
    owner = row.owner_id or changes.SYSTEM.id
    return await agent_service.add(
        session, changes.SYSTEM, row.workspace_id, owner_id=owner, values=values
    )


async def _free_name(session: AsyncSession, workspace_id: str, name: str) -> str:
    given, number = name, 2
    while await agents.is_taken(session, workspace_id, given, but=""):
        given, number = f"{name} {number}", number + 1
    return given


def described(row: InboxSettings) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(row, name) for name in OWN}
