"""Dependencies of the endpoints of connectors and accounts, and their access checks."""

from typing import Annotated

from fastapi import Depends, Query

from bailiwick.accounts import access
from bailiwick.accounts.connect import RouteFrom
from bailiwick.accounts.consent import Consent, ConsentRequest
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import AccountRight
from bailiwick.accounts.schemas import (
    AccountId,
    ConnectorId,
    OfAccount,
    PermissionName,
)
from bailiwick.identity.access import Admin, SignedIn, in_person
from bailiwick.identity.endpoints.federation import OwnPage
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.wire import Name
from bailiwick.office import TheOffice
from bailiwick.workspaces.schemas import OfWorkspace

PAGE = "/settings/accounts"


async def _opener(office: TheOffice) -> AccountOpener:
    return office[AccountOpener]


TheOpener = Annotated[AccountOpener, Depends(_opener)]


async def _origin(office: TheOffice) -> str:
    return office.settings.origin


TheOrigin = Annotated[str, Depends(_origin)]


async def _consent(office: TheOffice, opener: TheOpener, origin: TheOrigin) -> Consent:
    return Consent(opener, office.hasher, origin=origin)


TheConsent = Annotated[Consent, Depends(_consent)]


AccountsInPerson = Annotated[Principal, in_person("a token cannot connect or change accounts")]


async def _admin_in_person(_: Admin, principal: AccountsInPerson) -> Principal:
    return principal


AdminInPerson = Annotated[Principal, Depends(_admin_in_person)]


async def _check(
    stores: Stores, principal: Principal, account_id: str, *, need: AccountRight
) -> None:
    async with stores.app.read() as session:
        await access.entered(session, principal, account_id, need=need)


async def _viewer(account_id: AccountId, who: SignedIn, stores: Stores) -> Principal:
    await _check(stores, who, account_id, need="read")
    return who


async def _owner(account_id: AccountId, who: AccountsInPerson, stores: Stores) -> Principal:
    await _check(stores, who, account_id, need="own")
    return who


# Before the body is looked at, and with a session of their own: none is held while others wait.
AccountViewer = Annotated[Principal, Depends(_viewer)]
AccountOwner = Annotated[Principal, Depends(_owner)]


async def _consent_request(
    connector_id: ConnectorId,
    workspace_id: Annotated[OfWorkspace, Query(alias="workspaceId")],
    account_id: Annotated[OfAccount | None, Query(alias="accountId")] = None,
    label: Annotated[Name | None, Query()] = None,
    permissions: Annotated[list[PermissionName] | None, Query(max_length=20)] = None,
    route_from: Annotated[RouteFrom, Query(alias="routeFrom")] = "week",
    return_to: OwnPage = PAGE,
) -> ConsentRequest:
    return ConsentRequest(
        workspace_id=workspace_id,
        connector=connector_id,
        permissions=permissions,
        label=label,
        route_from=route_from,
        account_id=account_id,
        return_to=return_to,
    )


ConsentParameters = Annotated[ConsentRequest, Depends(_consent_request)]
