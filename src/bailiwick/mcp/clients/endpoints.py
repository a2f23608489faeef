"""REST of outside clients."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.trust.reads import strangers
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.mcp.clients import configuration, repository, service
from bailiwick.mcp.clients.repository import ListedClient
from bailiwick.mcp.clients.schemas import (
    ClientId,
    ClientIn,
    ClientOut,
    ClientPatch,
    ClientTokenOut,
    ConfigurationOut,
    LimitsWire,
    NewClientOut,
    PassOut,
    ScopeWire,
)
from bailiwick.office import TheOffice
from bailiwick.tools.scope import Limits, Scope
from bailiwick.workspaces.schemas import OfWorkspace

router = APIRouter(prefix="/clients", tags=["clients"], route_class=IdempotentRoute)


ClientsInPerson = Annotated[Principal, in_person("a token cannot make or change clients")]


@router.get("")
async def list_clients(
    who: SignedIn,
    session: ReadSession,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[ClientOut]:
    """One's own clients, and those of workspaces that one is an admin of."""
    rows = await repository.listed(session, who, workspace_id=workspace_id)
    return page_of(await _shown(session, rows), page, by=lambda client: client.id)


@router.post("", status_code=201, openapi_extra=IN_PERSON)
async def create_client(
    body: ClientIn, who: ClientsInPerson, session: WriteSession, office: TheOffice
) -> NewClientOut:
    """Make a client. It acts in one's own name; its token is shown in this answer alone."""
    new = service.NewClient(
        name=body.name,
        workspace_id=body.workspace_id,
        scope=_scope(body.scope),
        limits=_limits(body.limits),
        ask_writes=body.ask_writes,
        ask_tools=body.ask_tools,
        expires_in_days=body.expires_in_days,
        user_id=body.user_id,
    )
    made, token = await service.create(session, who, new, hasher=office.hasher)
    (shown,) = await _shown(session, [await repository.get(session, who, made.id)])
    return NewClientOut(**dict(shown), token=token)


@router.get("/{client_id}")
async def read_client(client_id: ClientId, who: SignedIn, session: ReadSession) -> ClientOut:
    """One client."""
    (shown,) = await _shown(session, [await repository.get(session, who, client_id)])
    return shown


@router.patch("/{client_id}", openapi_extra=IN_PERSON)
async def change_client(
    client_id: ClientId, body: ClientPatch, who: ClientsInPerson, session: WriteSession
) -> ClientOut:
    """Change a client, or switch it on or off; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "scope" in values:
        values["scope"] = _scope(body.scope)
    if "limits" in values:
        values["limits"] = _limits(body.limits)
    await service.change(session, who, client_id, values=values)
    (shown,) = await _shown(session, [await repository.get(session, who, client_id)])
    return shown


@router.delete("/{client_id}", status_code=204, openapi_extra=IN_PERSON)
async def revoke_client(client_id: ClientId, who: ClientsInPerson, session: WriteSession) -> None:
    """Remove a client; its token ends at once."""
    await service.revoke(session, who, client_id)


@router.post("/{client_id}/token", openapi_extra=IN_PERSON)
async def renew_client_token(
    client_id: ClientId, who: ClientsInPerson, session: WriteSession, office: TheOffice
) -> ClientTokenOut:
    """Make a new token; the one before is no longer good."""
    return ClientTokenOut(
        token=await service.new_token(session, who, client_id, hasher=office.hasher)
    )


@router.post("/{client_id}/pass", openapi_extra=IN_PERSON)
async def make_client_pass(
    client_id: ClientId, who: ClientsInPerson, session: ReadSession, office: TheOffice
) -> PassOut:
    """A token for a few hours, beside the lasting one; a new lasting token ends it."""
    token, end = await service.new_pass(session, who, client_id, hasher=office.hasher)
    return PassOut(token=token, expires_at=end)


@router.post("/{client_id}/fresh", status_code=204, openapi_extra=IN_PERSON)
async def start_client_afresh(
    client_id: ClientId, who: ClientsInPerson, session: WriteSession
) -> None:
    """Say that a new task begins: what the client has read until now no longer counts."""
    await service.start_afresh(session, who, client_id)


@router.get("/{client_id}/configuration")
async def read_client_configuration(
    client_id: ClientId, who: SignedIn, session: ReadSession, office: TheOffice
) -> ConfigurationOut:
    """What to paste into Claude Code, Claude Desktop, Cursor and others."""
    await repository.get(session, who, client_id)
    return configuration.of(office.settings)


async def _shown(session: AsyncSession, rows: list[ListedClient]) -> list[ClientOut]:
    read = await strangers(session, [service.context_of(row.client.id) for row in rows])
    return [_out(row, read.get(service.context_of(row.client.id), [])) for row in rows]


def _out(row: ListedClient, strangers: list[str]) -> ClientOut:
    client = row.client
    plain = ClientOut.model_fields.keys() - {"owner_name", "scope", "limits", "strangers"}
    return ClientOut(
        **{name: getattr(client, name) for name in plain},
        owner_name=row.owner_name,
        scope=ScopeWire.model_validate(client.scope),
        limits=LimitsWire.model_validate(client.limits),
        strangers=strangers,
    )


def _scope(wire: ScopeWire) -> Scope:
    return Scope.model_validate(wire.model_dump())


def _limits(wire: LimitsWire) -> Limits:
    return Limits.model_validate(wire.model_dump())
