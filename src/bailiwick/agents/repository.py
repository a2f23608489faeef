"""All SQL of agents."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.agents.models import Agent, AgentCredential
from bailiwick.errors import NotFound
from bailiwick.identity import users
from bailiwick.identity.models import User
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.workspaces.models import Member

_IN_ORDER = (Agent.position, Agent.name, Agent.id)
_GONE = "That agent does not exist, or you may not see it."


@dataclass(frozen=True, slots=True)
class ListedAgent:
    """An agent, with what is shown beside it."""

    agent: Agent
    owner_name: str
    role: str  # the reader's, in its workspace
    credentials: Sequence[str]


async def listed(
    session: AsyncSession, who: Principal, *, workspace_id: str | None = None
) -> list[ListedAgent]:
    """Agents that someone may see: their own, shared ones, and all where they are an admin."""
    conditions: list[ColumnElement[bool]] = [Agent.deleted_at.is_(None)]
    if workspace_id:
        conditions.append(Agent.workspace_id == workspace_id)
    return await _found(session, who, conditions)


async def get(session: AsyncSession, who: Principal, id: str) -> ListedAgent:
    """An agent that someone may see, or `NotFound`."""
    found = await _found(session, who, [Agent.id == id, Agent.deleted_at.is_(None)])
    if not found:
        raise NotFound(_GONE)
    return found[0]


async def by_id(session: AsyncSession, id: str, *, lock: bool = False) -> Agent | None:
    """An agent, whoever asks; also one that was removed."""
    statement = select(Agent).where(Agent.id == id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def colleagues(session: AsyncSession, agent: Agent) -> Sequence[Agent]:
    """The agents that one may ask: in its workspace, switched on, its owner's or shared."""
    if not agent.colleagues:
        return []
    statement = select(Agent).where(
        Agent.id.in_(agent.colleagues),
        Agent.workspace_id == agent.workspace_id,
        Agent.active,
        Agent.deleted_at.is_(None),
        or_(Agent.shared, Agent.owner_id == agent.owner_id),
    )
    found = {row.id: row for row in await session.scalars(statement)}
    return [found[id] for id in dict.fromkeys(agent.colleagues) if id in found]


async def these(session: AsyncSession, ids: Collection[str]) -> Sequence[Agent]:
    """Some agents, whoever asks."""
    return (await session.scalars(select(Agent).where(Agent.id.in_(ids)))).all()


async def readable(session: AsyncSession, agent: Agent, ids: Collection[str]) -> set[str]:
    """Those of some agents that are in the same workspace, and of the same owner or shared."""
    statement = select(Agent.id).where(
        Agent.id.in_(ids),
        Agent.workspace_id == agent.workspace_id,
        Agent.deleted_at.is_(None),
        or_(Agent.shared, Agent.owner_id == agent.owner_id),
    )
    return set((await session.scalars(statement)).all())


async def next_position(session: AsyncSession, workspace_id: str) -> int:
    """The place behind all agents of a workspace."""
    statement = select(func.max(Agent.position)).where(Agent.workspace_id == workspace_id)
    return (await session.scalar(statement) or 0) + 1


async def credentials(session: AsyncSession, agent_id: str) -> Sequence[AgentCredential]:
    """The secrets of an agent."""
    statement = (
        select(AgentCredential)
        .where(AgentCredential.agent_id == agent_id)
        .order_by(AgentCredential.name)
    )
    return (await session.scalars(statement)).all()


async def names(session: AsyncSession, ids: Collection[str]) -> dict[str, str]:
    """What agents are called."""
    if not ids:
        return {}
    found = await session.execute(select(Agent.id, Agent.name).where(Agent.id.in_(ids)))
    return {row[0]: row[1] for row in found}


async def directors(
    session: AsyncSession, workspace_id: str, ids: Collection[str]
) -> dict[str, str]:
    """Those of some agents that mail of a workspace can be given to, and what they are called."""
    if not ids:
        return {}
    statement = select(Agent.id, Agent.name).where(
        Agent.id.in_(ids),
        Agent.workspace_id == workspace_id,
        Agent.kind == "director",
        Agent.deleted_at.is_(None),
    )
    return {row[0]: row[1] for row in await session.execute(statement)}


async def taking(session: AsyncSession, account: Account, ids: Collection[str]) -> set[str]:
    """Those of some directors that mail of an account may reach.

    A director has the accounts that it names. One that names none has its owner's, and if it is
    shared those of everyone in its workspace.
    """
    statement = select(Agent).where(
        Agent.id.in_(ids),
        Agent.workspace_id == account.workspace_id,
        Agent.kind == "director",
        Agent.deleted_at.is_(None),
    )
    owner = await users.owner_id(session)
    # What the operator made at the command line is the owner's.
    own = {OPERATOR.id, owner} if account.owner_id in (OPERATOR.id, owner) else {account.owner_id}
    return {
        row.id
        for row in await session.scalars(statement)
        if (account.id in row.accounts if row.accounts else row.shared or row.owner_id in own)
    }


async def using_model(session: AsyncSession, model_id: str) -> Sequence[str]:
    """The names of the agents that a model was given to."""
    statement = select(Agent.name).where(Agent.model_id == model_id, Agent.deleted_at.is_(None))
    return (await session.scalars(statement.order_by(Agent.name))).all()


async def is_taken(session: AsyncSession, workspace_id: str, name: str, *, but: str) -> bool:
    """Whether another agent of the workspace has this name."""
    statement = select(func.count()).where(
        Agent.workspace_id == workspace_id,
        func.lower(Agent.name) == name.lower(),
        Agent.id != but,
        Agent.deleted_at.is_(None),
    )
    return bool(await session.scalar(statement))


async def _found(
    session: AsyncSession, who: Principal, conditions: Sequence[ColumnElement[bool]]
) -> list[ListedAgent]:
    statement = select(Agent, User.name).join(User, User.id == Agent.owner_id, isouter=True)
    if who.user_id is None:
        roles = statement.where(*conditions).order_by(*_IN_ORDER)
        rows = [(row[0], row[1], "admin") for row in await session.execute(roles)]
    else:
        member = and_(Member.workspace_id == Agent.workspace_id, Member.user_id == who.user_id)
        seen = or_(Agent.shared, Agent.owner_id == who.user_id, Member.role == "admin")
        joined = statement.add_columns(Member.role).join(Member, member).where(seen, *conditions)
        found = await session.execute(joined.order_by(*_IN_ORDER))
        rows = [(row[0], row[1], row[2]) for row in found]
    secrets = await _secrets(session, [row[0].id for row in rows])
    return [
        ListedAgent(agent, owner or "someone who left", role, secrets.get(agent.id, []))
        for agent, owner, role in rows
    ]


async def _secrets(session: AsyncSession, ids: Collection[str]) -> dict[str, list[str]]:
    statement = select(AgentCredential.agent_id, AgentCredential.name).where(
        AgentCredential.agent_id.in_(ids)
    )
    found: dict[str, list[str]] = {}
    for agent_id, name in await session.execute(statement.order_by(AgentCredential.name)):
        found.setdefault(agent_id, []).append(name)
    return found
