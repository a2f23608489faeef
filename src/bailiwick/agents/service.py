"""Verbs of agents.

An agent is changed by its owner or an admin of its workspace, in person; nothing that an agent can
call reaches here, so none can widen itself. Sharing it with the workspace is for an admin.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_for
from bailiwick.agents import repository
from bailiwick.agents.models import Agent, AgentCredential
from bailiwick.agents.repository import ListedAgent
from bailiwick.errors import Conflict, Forbidden, Invalid, NotFound, RuleViolated
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.instance import changes
from bailiwick.instance.changes import Actor, Values
from bailiwick.kit import clock, ids
from bailiwick.kit.vault import Vault
from bailiwick.llm import addresses
from bailiwick.workspaces.access import enter

MOST = 500
CREATED, CHANGED, REMOVED = "agent.created", "agent.changed", "agent.removed"
REORDERED = "agent.reordered"
_RECORDED = (
    "name",
    "description",
    "kind",
    "model_id",
    "prompt_id",
    "prompt",
    "imprint",
    "scope",
    "limits",
    "ask_writes",
    "ask_tools",
    "colleagues",
    "accounts",
    "memory_access",
    "step_limit",
    "timeout_seconds",
    "tokens_per_run",
    "money_per_run",
    "active",
    "shared",
)


async def create(
    session: AsyncSession, who: Principal, workspace_id: str, values: Values
) -> ListedAgent:
    """A new agent of one's own."""
    access = await enter(session, who, workspace_id, need="write")
    if len(await repository.listed(session, who, workspace_id=workspace_id)) >= MOST:
        raise RuleViolated(f"There are {MOST} agents already. Remove one first.")
    _may_share(access.role, values, shared=False)
    agent = await add(session, who.actor, access.id, owner_id=who.id, values=values)
    return await repository.get(session, who, agent.id)


async def add(
    session: AsyncSession, actor: Actor, workspace_id: str, *, owner_id: str, values: Values
) -> Agent:
    """A new agent that belongs to someone, whoever makes it."""
    now = clock.now()
    agent = Agent(
        id=ids.new("agt"),
        workspace_id=workspace_id,
        owner_id=owner_id,
        position=await repository.next_position(session, workspace_id),
        revision=1,
        created_at=now,
        updated_at=now,
        **values,
    )
    await _check(session, agent)
    session.add(agent)
    await session.flush()
    changes.record_in_workspace(session, actor, CREATED, agent, after=described(agent))
    return agent


async def change(
    session: AsyncSession, who: Principal, id: str, *, values: Values, revision: int | None
) -> ListedAgent:
    """Make an agent what the values say."""
    found = await editable(session, who, id)
    agent = found.agent
    if revision is not None and revision != agent.revision:
        raise Conflict(
            f"{agent.name} was changed since you opened it. Look at the newer one; yours is kept "
            f"where you typed it."
        )
    _may_share(found.role, values, shared=agent.shared)
    before = described(agent)
    for name, value in values.items():
        setattr(agent, name, value)
    await _check(session, agent)
    if (after := described(agent)) != before:
        agent.revision += 1
        agent.updated_at = clock.now()
        changes.record_in_workspace(session, who.actor, CHANGED, agent, before=before, after=after)
    return found


async def reorder(
    session: AsyncSession, who: Principal, workspace_id: str, *, order: Sequence[str]
) -> None:
    """Put the agents of a workspace that someone sees into another order; others keep theirs."""
    access = await enter(session, who, workspace_id, need="write")
    rows = {row.agent.id: row.agent for row in await _seen_in(session, who, access.id)}
    if {*order} != rows.keys() or len({*order}) != len(order):
        raise Conflict("Name every agent of the workspace once. Load them again: some changed.")
    before = list(rows)
    if before == list(order):
        return
    for place, id in zip(sorted(_places(rows.values())), order, strict=True):
        rows[id].position = place
    changes.record(
        session,
        who.actor,
        action=REORDERED,
        subject=access.id,
        before={"order": before},
        after={"order": list(order)},
        workspace=access.id,
    )


async def _seen_in(session: AsyncSession, who: Principal, workspace_id: str) -> list[ListedAgent]:
    return await repository.listed(session, who, workspace_id=workspace_id)


def _places(agents: Iterable[Agent]) -> list[int]:
    """Places for agents, of which no two are the same."""
    places: list[int] = []
    for place in sorted(agent.position for agent in agents):
        places.append(max(place, places[-1] + 1) if places else place)
    return places


async def remove(session: AsyncSession, who: Principal, id: str) -> Agent:
    """Take an agent away; what its runs did is kept."""
    agent = (await editable(session, who, id)).agent
    agent.deleted_at, agent.active = clock.now(), False
    for credential in await repository.credentials(session, agent.id):
        await session.delete(credential)
    changes.record_in_workspace(session, who.actor, REMOVED, agent, before=described(agent))
    return agent


async def restore(session: AsyncSession, who: Principal, id: str) -> ListedAgent:
    """Bring an agent back that was taken away; its credentials have to be set again."""
    agent = await repository.by_id(session, id, lock=True)
    if agent is None or agent.deleted_at is None:
        raise NotFound("There is no such agent to bring back.")
    access = await enter(session, who, agent.workspace_id, need="write")
    if access.role != "admin" and agent.owner_id != who.id:
        raise Forbidden("Only its owner, or an admin of the workspace, can bring an agent back.")
    agent.deleted_at, agent.active = None, True
    await _check(session, agent)
    await session.flush()
    changes.record_in_workspace(session, who.actor, CREATED, agent, after=described(agent))
    return await repository.get(session, who, id)


async def set_credential(
    session: AsyncSession, who: Principal, id: str, *, name: str, value: SecretStr, vault: Vault
) -> AgentCredential:
    """Keep a secret for an agent; one of the same name is replaced."""
    agent = (await editable(session, who, id)).agent
    known = {row.name: row for row in await repository.credentials(session, id)}
    row = known.get(name) or AgentCredential(id=ids.new("crd"), agent_id=id, name=name)
    if name == "api_base" and not who.is_admin:
        # The server calls it: whoever chooses the address sees what is behind the firewall.
        raise Forbidden("Only an admin of the office chooses where a model is called.")
    if name == "api_base":
        value = SecretStr(addresses.checked_base_url(value.get_secret_value()))
    if name == "api_base" and "api_key" not in known:
        raise Invalid.field("value", "set the agent's own api_key first: it goes to that address")
    row.value = vault.drawer("agent_credentials").seal(value, column="value", row=row.id)
    row.created_at = clock.now()
    session.add(row)
    agent.revision += 1
    changes.record_in_workspace(session, who.actor, CHANGED, agent, after={"new_credential": name})
    return row


async def drop_credential(session: AsyncSession, who: Principal, id: str, name: str) -> None:
    """Forget a secret; without its own key an agent has no address of its own either."""
    agent = (await editable(session, who, id)).agent
    known = {row.name: row for row in await repository.credentials(session, id)}
    if name not in known:
        raise NotFound(f"{agent.name} has no credential {name!r}.")
    for each in [name, *(["api_base"] if name == "api_key" else [])]:
        if row := known.get(each):
            await session.delete(row)
    agent.revision += 1
    changes.record_in_workspace(
        session, who.actor, CHANGED, agent, after={"dropped_credential": name}
    )


async def secrets_of(session: AsyncSession, id: str, vault: Vault) -> dict[str, SecretStr]:
    """An agent's secrets, for its own calls of the model."""
    drawer = vault.drawer("agent_credentials")
    return {
        row.name: drawer.open(row.value, column="value", row=row.id)
        for row in await repository.credentials(session, id)
    }


async def editable(session: AsyncSession, who: Principal, id: str) -> ListedAgent:
    """An agent that someone may change, held until the transaction ends."""
    found = await repository.get(session, who, id)
    if not can_edit(found, who):
        raise Forbidden("Only its owner, or an admin of the workspace, can change an agent.")
    await repository.by_id(session, id, lock=True)
    return found


def can_edit(found: ListedAgent, who: Principal) -> bool:
    """Whether someone may change an agent."""
    return found.role == "admin" or (found.role == "write" and found.agent.owner_id == who.id)


def described(agent: Agent) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(agent, name) for name in _RECORDED}


def _may_share(role: str, values: Values, *, shared: bool) -> None:
    if values.get("shared", shared) != shared and role != "admin":
        raise Forbidden("Only an admin of the workspace shares an agent with its members.")


async def _check(session: AsyncSession, agent: Agent) -> None:
    if await repository.is_taken(session, agent.workspace_id, agent.name, but=agent.id):
        raise Invalid.field("name", f"there is an agent called {agent.name!r} already")
    colleagues: Sequence[str] = agent.colleagues
    if agent.id in colleagues:
        raise Invalid.field("colleagues", "an agent cannot ask itself")
    await _check_director(session, agent)
    known = {each.id for each in await repository.colleagues(session, agent)}
    if unknown := [id for id in colleagues if id not in known]:
        raise Invalid.field(
            "colleagues",
            f"{unknown[0]} is no agent of this workspace that is switched on and shared or yours",
        )


async def _check_director(session: AsyncSession, agent: Agent) -> None:
    """What a director is given must be open to its owner."""
    accounts: Sequence[str] = agent.accounts
    if accounts:
        owner = None if agent.owner_id == OPERATOR.id else agent.owner_id
        reader = await reader_for(session, owner)
        if unknown := [id for id in accounts if not reader.may(id, "read")]:
            raise Invalid.field("accounts", f"{unknown[0]} is not open to the director's owner")
    access: Sequence[str] = agent.memory_access
    known = await repository.readable(session, agent, access) if access else set[str]()
    if unknown := [id for id in access if id not in known]:
        raise Invalid.field(
            "memoryAccess", f"{unknown[0]} is no agent of this workspace that is shared or yours"
        )
