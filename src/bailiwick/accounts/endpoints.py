"""REST of connectors and accounts."""

from typing import Annotated, get_args

from fastapi import APIRouter, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import (
    access,
    connect,
    connector_settings,
    oauth,
    repository,
    service,
    shares,
    views,
)
from bailiwick.accounts.consent import FLOW_MINUTES, ConsentRequest
from bailiwick.accounts.dependencies import (
    AccountOwner,
    AccountsInPerson,
    AccountViewer,
    AdminInPerson,
    ConsentParameters,
    TheConsent,
    TheOpener,
    TheOrigin,
)
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import TheReader, reader_of
from bailiwick.accounts.schemas import (
    AccountId,
    AccountIn,
    AccountOut,
    AccountPatch,
    AccountShareIn,
    AccountShareOut,
    AccountTestOut,
    ActiveIn,
    ConnectorDetailOut,
    ConnectorId,
    ConnectorPatch,
    ConnectorsOut,
    ConsentIn,
    ConsentOut,
    CredentialsIn,
    DisconnectedOut,
    SharedWith,
    SuggestedSettingsOut,
)
from bailiwick.connectors.connector import ConnectorCategory
from bailiwick.identity.access import SignedIn
from bailiwick.identity.endpoints.dependencies import Door
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import CONFLICT, IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.kit.http.wire import Email
from bailiwick.office import TheOffice
from bailiwick.workspaces.schemas import OfWorkspace

connectors = APIRouter(prefix="/connectors", tags=["connectors"], route_class=IdempotentRoute)
accounts = APIRouter(prefix="/accounts", tags=["accounts"], route_class=IdempotentRoute)
_CATEGORIES: tuple[ConnectorCategory, ...] = get_args(ConnectorCategory)


@connectors.get("")
async def list_connectors(
    _: SignedIn, session: ReadSession, opener: TheOpener, page: PageQuery
) -> ConnectorsOut:
    """All connectors, and which is active in each category."""
    active = views.by_category(await repository.active(session), _CATEGORIES)
    shown = page_of(await views.connectors(session, opener), page, by=lambda one: one.name)
    return ConnectorsOut(**dict(shown), active=active)


@connectors.get("/suggest")
async def suggest_connector_settings(
    _: SignedIn, opener: TheOpener, page: PageQuery, address: Annotated[Email, Query()]
) -> Page[SuggestedSettingsOut]:
    """What an address suggests for the forms of connectors."""
    return page_of(views.suggestions(opener, address), page, by=lambda one: one.connector)


@connectors.put("/active/{category}", status_code=204, openapi_extra=IN_PERSON)
async def set_active_connector(
    category: ConnectorCategory,
    who: AdminInPerson,
    body: ActiveIn,
    session: WriteSession,
    opener: TheOpener,
) -> None:
    """Let a connector's own tools be the ones offered in a category; null: none."""
    await connector_settings.activate(session, opener, who, category=category, name=body.connector)


@connectors.get("/{connector_id}")
async def read_connector(
    connector_id: ConnectorId,
    who: SignedIn,
    session: ReadSession,
    opener: TheOpener,
    consent: TheConsent,
) -> ConnectorDetailOut:
    """One connector, with the guide to a client id of one's own."""
    return await views.connector(
        session, opener, connector_id, redirect_uri=consent.redirect_uri, to_admin=who.is_admin
    )


@connectors.patch("/{connector_id}", openapi_extra=IN_PERSON)
async def change_connector(
    connector_id: ConnectorId,
    who: AdminInPerson,
    body: ConnectorPatch,
    session: WriteSession,
    opener: TheOpener,
    consent: TheConsent,
) -> ConnectorDetailOut:
    """Switch a connector on or off, or change its options; secrets are never shown again."""
    given = body.model_fields_set
    await connector_settings.change(
        session,
        opener,
        who,
        name=connector_id,
        enabled=body.enabled if "enabled" in given else None,
        options=body.options if "options" in given else None,
    )
    return await views.connector(
        session, opener, connector_id, redirect_uri=consent.redirect_uri, to_admin=True
    )


@connectors.get("/{connector_id}/oauth/start", openapi_extra=IN_PERSON | {"responses": CONFLICT})
async def start_consent(
    who: AccountsInPerson,
    request: ConsentParameters,
    response: Response,
    consent: TheConsent,
    door: Door,
) -> ConsentOut:
    """Begin to connect an account at the provider: the address of its page, for ten minutes."""
    secret = oauth.unguessable()
    url = await consent.begin(who, request, browser_secret=secret)
    door.cookies.set(response, door.cookies.consent, secret, seconds=FLOW_MINUTES * 60)
    return ConsentOut(authorize_url=url)


@connectors.post("/{connector_id}/oauth/start", openapi_extra=IN_PERSON)
async def start_consent_with_settings(
    connector_id: ConnectorId,
    who: AccountsInPerson,
    body: ConsentIn,
    response: Response,
    consent: TheConsent,
    door: Door,
) -> ConsentOut:
    """The same, for connectors whose form asks for something besides."""
    given = {name: getattr(body, name) for name in ConsentIn.model_fields}
    request = ConsentRequest(connector=connector_id, **given)
    return await start_consent(who, request, response, consent, door)


@accounts.get("")
async def list_accounts(
    reader: TheReader,
    session: ReadSession,
    opener: TheOpener,
    origin: TheOrigin,
    page: PageQuery,
    workspace_id: Annotated[OfWorkspace | None, Query(alias="workspaceId")] = None,
) -> Page[AccountOut]:
    """One's own accounts and those that others share, workspace by workspace."""
    rows = await repository.seen_by(session, reader, workspace_id=workspace_id)
    shown = await views.accounts(session, opener, reader, rows, origin=origin)
    return page_of(shown, page, by=lambda account: account.id)


@accounts.post("", status_code=201, openapi_extra=IN_PERSON)
async def connect_account(
    who: AccountsInPerson, body: AccountIn, opener: TheOpener, origin: TheOrigin
) -> AccountOut:
    """Connect an account with a form. It is tried first: nothing is kept if it does not work."""
    new = connect.NewAccount(**{name: getattr(body, name) for name in AccountIn.model_fields})
    return await _out(opener, who, await connect.connect(opener, who, new), origin)


@accounts.get("/{account_id}")
async def read_account(
    account_id: AccountId, who: AccountViewer, opener: TheOpener, origin: TheOrigin
) -> AccountOut:
    """One account."""
    async with opener.storage.app.read() as session:
        account = await repository.get(session, account_id)
        return await _out_in(session, opener, who, account, origin)


@accounts.patch("/{account_id}", openapi_extra=IN_PERSON)
async def change_account(
    account_id: AccountId,
    who: AccountOwner,
    body: AccountPatch,
    opener: TheOpener,
    origin: TheOrigin,
) -> AccountOut:
    """Change an account, or switch it on or off; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "signature" in values:
        values["signature"] = body.signature.model_dump()
    account = await service.change(opener, who, account_id, values=values)
    return await _out(opener, who, account, origin)


@accounts.delete("/{account_id}", openapi_extra=IN_PERSON)
async def disconnect_account(
    account_id: AccountId,
    who: AccountOwner,
    office: TheOffice,
    remove_files: Annotated[
        bool, Query(alias="removeFiles", description="A mailbox on this machine too")
    ] = False,
) -> DisconnectedOut:
    """Disconnect an account: its secrets and its mail here are deleted."""
    revoked = await service.disconnect(office, who, account_id, remove_files=remove_files)
    return DisconnectedOut(revoked=revoked)


@accounts.put("/{account_id}/credentials", openapi_extra=IN_PERSON)
async def renew_account_credentials(
    account_id: AccountId,
    who: AccountOwner,
    body: CredentialsIn,
    opener: TheOpener,
    origin: TheOrigin,
) -> AccountOut:
    """Give an account's form again, with its secrets, such as after a new password."""
    account = await connect.renew(opener, who, account_id, settings=body.settings)
    return await _out(opener, who, account, origin)


@accounts.post("/{account_id}/primary", openapi_extra=IN_PERSON)
async def make_account_primary(
    account_id: AccountId,
    who: AccountOwner,
    session: WriteSession,
    opener: TheOpener,
    origin: TheOrigin,
) -> AccountOut:
    """Let this be the account that is meant where none is named."""
    account = await service.make_primary(session, opener, who, account_id=account_id)
    return await _out_in(session, opener, who, account, origin)


@accounts.get("/{account_id}/test")
async def probe_account(
    account_id: AccountId, _: AccountViewer, opener: TheOpener, origin: TheOrigin
) -> AccountTestOut:
    """Sign in at the provider once; if that fails, why, and how to authorise it again."""
    probe = await service.probe(opener, account_id)
    async with opener.storage.app.read() as session:
        account = await repository.get(session, account_id)
    connector = opener.connectors.find(account.connector)
    url = views.authorize_url(account_id, connector, origin=origin)
    return views.tested(probe, url=url)


@accounts.get("/{account_id}/shares")
async def list_account_shares(
    account_id: AccountId, _: AccountOwner, session: ReadSession, page: PageQuery
) -> Page[AccountShareOut]:
    """With whom an account is shared, and for what."""
    shown = [views.share(*found) for found in await shares.of_account(session, account_id)]
    return page_of(shown, page, by=lambda share: share.member_id)


@accounts.put("/{account_id}/shares/{member_id}", openapi_extra=IN_PERSON)
async def share_account(
    account_id: AccountId,
    member_id: SharedWith,
    who: AccountOwner,
    body: AccountShareIn,
    session: WriteSession,
) -> AccountShareOut:
    """Share an account with a member of its workspace, or with all (`*`): to read, or to send."""
    account = await access.entered(session, who, account_id, need="own", lock=True)
    await shares.share(session, who, account, member_id=member_id, right=body.right)
    made = await shares.of_account(session, account_id)
    return next(views.share(*found) for found in made if found[0].member_id == member_id)


@accounts.delete("/{account_id}/shares/{member_id}", status_code=204, openapi_extra=IN_PERSON)
async def unshare_account(
    account_id: AccountId, member_id: SharedWith, who: AccountOwner, session: WriteSession
) -> None:
    """Share an account no longer: for them there is no such account from now on."""
    account = await access.entered(session, who, account_id, need="own", lock=True)
    await shares.unshare(session, who, account, member_id=member_id)


async def _out(opener: AccountOpener, who: Principal, account: Account, origin: str) -> AccountOut:
    async with opener.storage.app.read() as session:
        fresh = await repository.get(session, account.id)
        return await _out_in(session, opener, who, fresh, origin)


async def _out_in(
    session: AsyncSession, opener: AccountOpener, who: Principal, account: Account, origin: str
) -> AccountOut:
    reader = await reader_of(session, who)
    (made,) = await views.accounts(session, opener, reader, [account], origin=origin)
    return made
