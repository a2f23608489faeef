"""REST of agents."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import SecretStr

from bailiwick.agents import presets, repository, service, wire
from bailiwick.agents.schemas import (
    AgentId,
    AgentIn,
    AgentOrderIn,
    AgentOut,
    AgentPut,
    AgentsOut,
    CredentialIn,
    CredentialName,
    CredentialOut,
    PresetOut,
)
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.llm.adapter import Models
from bailiwick.llm.endpoints import TheModels
from bailiwick.office import TheOffice, TheVault
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/agents", tags=["agents"], route_class=IdempotentRoute)


AgentsInPerson = Annotated[Principal, in_person("a token cannot make or change agents")]


async def sees_agent(agent_id: AgentId, who: SignedIn, session: ReadSession) -> None:
    """Refuse whoever may not see the agent, before anything is said of what they sent."""
    await repository.get(session, who, agent_id)


SEEN = [Depends(sees_agent)]


@router.get("")
async def list_agents(
    who: SignedIn,
    session: ReadSession,
    models: TheModels,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[AgentOut]:
    """One's own agents, shared ones, and all of the workspaces that one is an admin of."""
    rows = await repository.listed(session, who, workspace_id=workspace_id)
    return page_of(await wire.shown(rows, who, models), page, by=lambda agent: agent.id)


@router.get("/presets")
async def list_agent_presets(_: SignedIn, page: PageQuery) -> Page[PresetOut]:
    """Ready-made agents to start from."""
    shown = [wire.preset(each) for each in presets.PRESETS]
    return page_of(shown, page, by=lambda preset: preset.slug)


@router.post("", status_code=201, openapi_extra=IN_PERSON)
async def create_agent(
    body: AgentIn, who: AgentsInPerson, session: WriteSession, models: TheModels
) -> AgentOut:
    """Make an agent of one's own."""
    values = await wire.values(session, body, workspace_id=body.workspace_id)
    made = await service.create(session, who, body.workspace_id, values)
    return await _one(made, who, models)


@router.put("/order", openapi_extra=IN_PERSON)
async def order_agents(
    body: AgentOrderIn, who: AgentsInPerson, session: WriteSession, models: TheModels
) -> AgentsOut:
    """Say in which order the agents of a workspace are shown; name all that one sees."""
    await service.reorder(session, who, body.workspace_id, order=body.ids)
    rows = await repository.listed(session, who, workspace_id=body.workspace_id)
    return AgentsOut(items=await wire.shown(rows, who, models))


@router.get("/{agent_id}")
async def read_agent(
    agent_id: AgentId, who: SignedIn, session: ReadSession, models: TheModels
) -> AgentOut:
    """One agent."""
    return await _one(await repository.get(session, who, agent_id), who, models)


@router.put("/{agent_id}", openapi_extra=IN_PERSON, dependencies=SEEN)
async def update_agent(
    agent_id: AgentId, body: AgentPut, who: AgentsInPerson, session: WriteSession, models: TheModels
) -> AgentOut:
    """Make an agent what the body says."""
    found = await service.editable(session, who, agent_id)
    values = await wire.values(session, body, workspace_id=found.agent.workspace_id)
    changed = await service.change(session, who, agent_id, values=values, revision=body.revision)
    return await _one(changed, who, models)


@router.delete("/{agent_id}", status_code=204, openapi_extra=IN_PERSON)
async def remove_agent(
    agent_id: AgentId, who: AgentsInPerson, session: WriteSession, office: TheOffice
) -> None:
    """Take an agent away: its runs end and say why, what they did is kept."""
    await service.remove(session, who, agent_id)
    await office.removing("agent", session, who.actor, agent_id)


@router.post("/{agent_id}/restore", openapi_extra=IN_PERSON)
async def restore_agent(
    agent_id: AgentId, who: AgentsInPerson, session: WriteSession, models: TheModels
) -> AgentOut:
    """Bring an agent back that was taken away."""
    return await _one(await service.restore(session, who, agent_id), who, models)


@router.post("/{agent_id}/activate", openapi_extra=IN_PERSON, dependencies=SEEN)
async def activate_agent(
    agent_id: AgentId,
    who: AgentsInPerson,
    session: WriteSession,
    models: TheModels,
    active: Annotated[bool, Query()] = True,
) -> AgentOut:
    """Switch an agent on or off; one that is off starts nothing and goes on with nothing."""
    values: dict[str, Any] = {"active": active}
    changed = await service.change(session, who, agent_id, values=values, revision=None)
    return await _one(changed, who, models)


@router.get("/{agent_id}/credentials")
async def list_agent_credentials(
    agent_id: AgentId, who: SignedIn, session: ReadSession, page: PageQuery
) -> Page[CredentialOut]:
    """The names of the secrets that are set."""
    await repository.get(session, who, agent_id)
    rows = await repository.credentials(session, agent_id)
    shown = [CredentialOut.model_validate(row) for row in rows]
    return page_of(shown, page, by=lambda credential: credential.name)


@router.post("/{agent_id}/credentials", status_code=201, openapi_extra=IN_PERSON, dependencies=SEEN)
async def set_agent_credential(
    agent_id: AgentId,
    body: CredentialIn,
    who: AgentsInPerson,
    session: WriteSession,
    vault: TheVault,
) -> CredentialOut:
    """Set a secret: the agent's own key for its model, and the address that it goes to."""
    row = await service.set_credential(
        session, who, agent_id, name=body.name, value=SecretStr(body.value), vault=vault
    )
    return CredentialOut.model_validate(row)


@router.delete(
    "/{agent_id}/credentials/{key}",
    status_code=204,
    openapi_extra=IN_PERSON,
    dependencies=SEEN,
)
async def drop_agent_credential(
    agent_id: AgentId, key: CredentialName, who: AgentsInPerson, session: WriteSession
) -> None:
    """Forget a secret."""
    await service.drop_credential(session, who, agent_id, key)


async def _one(found: repository.ListedAgent, who: Principal, models: Models) -> AgentOut:
    (shown,) = await wire.shown([found], who, models)
    return shown
