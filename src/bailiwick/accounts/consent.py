"""Consent at a provider: begun and ended by the same person in the same browser.

Invariant: a consent is used once, within ten minutes, by the user who began it, in the same
browser, and for a workspace that they still administer. Text of a provider or a link is never
shown.
"""

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from bailiwick.accounts import access, connect, credentials, oauth, repository, tokens, trial
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import Account, AccountCredential, OAuthFlow
from bailiwick.accounts.oauth import Granted
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.store import Connected, described, record, store
from bailiwick.accounts.trial import TrialResult
from bailiwick.connectors import forms
from bailiwick.connectors.connector import OAuth
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.errors import Conflict, Forbidden, Unauthenticated
from bailiwick.identity.principal import Principal
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock, ids
from bailiwick.workspaces.access import enter

FLOW_MINUTES = 10
CALLBACK_PATH = "/oauth/accounts/callback"
_NOT_STARTED_HERE = "This was not started here, was used already, or took too long. Try again."
_CODE = re.compile(r"[a-z_]{1,40}")
_DENIED = "access_denied"


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """A consent to begin."""

    workspace_id: str
    connector: str
    permissions: Sequence[str] | None
    label: str | None
    route_from: connect.RouteFrom
    account_id: str | None  # the account to authorise again, if any
    return_to: str
    settings: Mapping[str, Any] | None = None  # None: no choice, or the account's present ones


@dataclass(frozen=True, slots=True)
class ConsentCallback:
    """The browser's return from the provider."""

    state: str
    code: str
    error: str
    browser_secret: str


@dataclass(frozen=True, slots=True)
class ConsentResult:
    """The account that was connected, or authorised again."""

    account: Account
    page: str
    without: list[str]  # permissions that were requested and not granted


@dataclass(frozen=True, slots=True)
class _Consented:
    """A completed consent, before it is stored."""

    id: str
    flow: OAuthFlow
    using: ConnectorUse
    granted: Granted
    permissions: frozenset[str]
    found: TrialResult


class Consent:
    """Connecting accounts by OAuth."""

    def __init__(self, opener: AccountOpener, hasher: TokenHasher, *, origin: str) -> None:
        self._opener = opener
        self._hasher = hasher
        self.redirect_uri = origin + CALLBACK_PATH

    async def begin(
        self, principal: Principal, request: ConsentRequest, *, browser_secret: str
    ) -> str:
        """Begin a consent; return the address to send the browser to."""
        if principal.user_id is None:
            raise Forbidden("Only a user can do this, in a browser.")
        account = await self._entered(principal, request)
        using, facts = await self._ready(request.connector)
        as_before = account is not None and request.permissions is None
        asked = account.permissions if account and as_before else request.permissions
        permissions = connect.chosen(using.connector, asked)
        state, verifier = oauth.unguessable(), oauth.unguessable()
        id = self._hasher(state)
        settings = request.settings
        if settings is None:
            settings = account.settings if account else {}
        flow = OAuthFlow(
            id=id,
            workspace_id=request.workspace_id,
            user_id=principal.user_id,
            browser_hash=self._hasher(browser_secret),
            connector=request.connector,
            account_id=request.account_id,
            label=request.label,
            permissions=sorted(permissions),
            settings={
                "settings": forms.checked(using.connector.settings, settings, prefix="settings"),
                "route_from": request.route_from,
            },
            verifier=credentials.seal_verifier(self._opener.vault, id, verifier),
            redirect_uri=self.redirect_uri,
            return_to=request.return_to,
            expires_at=clock.now() + timedelta(minutes=FLOW_MINUTES),
        )
        async with self._opener.storage.app.write() as session:
            await repository.forget_old_flows(session)
            session.add(flow)
        hint = {"login_hint": account.address} if account and account.address else {}
        return oauth.authorize_url(
            facts.authorize_url,
            client_id=facts.client_id,
            redirect_uri=self.redirect_uri,
            scopes=dict.fromkeys((*facts.base_scopes, *using.connector.scopes(permissions))),
            state=state,
            verifier=verifier,
            parameters={**facts.parameters, **hint},
        )

    async def end(self, principal: Principal | None, returned: ConsentCallback) -> ConsentResult:
        """End a consent: a working account, or the reason why there is none."""
        flow = await self._taken(principal, returned)
        assert principal is not None
        using, facts = await self._ready(flow.connector)
        if returned.error or not returned.code:
            raise Conflict(_refusal(using, returned.error))
        try:
            granted = await self._redeemed(principal, flow, facts=facts, code=returned.code)
            permissions = _given(using, flow, granted)
            id = flow.account_id or ids.new("acc")
            opening = connect.opening_of(
                id,
                settings=flow.settings["settings"],
                secret={tokens.ACCESS: granted.access_token},
                permissions=permissions,
                principal=principal,
            )
            found = await trial.tried(self._opener, using, opening)
        except ConnectorFailed as error:
            raise Conflict(f"{using.connector.title} was not connected: {error.detail}") from None
        consented = _Consented(id, flow, using, granted, permissions, found)
        if flow.account_id:
            account = await self._authorised_again(principal, consented)
            await self._opener.well(account.id)
        else:
            account = await self._stored(principal, consented)
        return ConsentResult(account, flow.return_to, sorted(set(flow.permissions) - permissions))

    async def _entered(self, principal: Principal, request: ConsentRequest) -> Account | None:
        async with self._opener.storage.app.read() as session:
            await enter(session, principal, request.workspace_id, need="write")
            if request.account_id is None:
                return None
            account = await access.entered(session, principal, request.account_id, need="own")
        if (account.workspace_id, account.connector) != (request.workspace_id, request.connector):
            raise Conflict("That account is of another workspace or connector.")
        return account

    async def _ready(self, connector: str) -> tuple[ConnectorUse, OAuth]:
        using = await connect.usable(self._opener, connector)
        title = using.connector.title
        if using.connector.oauth is None:
            raise Conflict(f"{title} is connected with a form, not at the provider.")
        facts = using.oauth
        if facts is None:
            raise Conflict(
                f"{title} has no client id yet. An admin gets one by following the guide in the "
                f"connector's settings."
            )
        return using, facts

    async def _taken(self, principal: Principal | None, returned: ConsentCallback) -> OAuthFlow:
        async with self._opener.storage.app.write() as session:
            flow = await repository.take_flow(session, self._hasher(returned.state))
        if flow is None or flow.expires_at <= clock.now():
            raise Unauthenticated(_NOT_STARTED_HERE)
        browser = self._hasher(returned.browser_secret)
        if not hmac.compare_digest(flow.browser_hash, browser):
            raise Unauthenticated(_NOT_STARTED_HERE)
        if principal is None or not principal.is_person_present:
            raise Unauthenticated("Sign in first, then connect the account again.")
        if principal.user_id != flow.user_id:
            raise Unauthenticated(_NOT_STARTED_HERE)
        async with self._opener.storage.app.read() as session:
            await enter(session, principal, flow.workspace_id, need="write")
        return flow

    async def _redeemed(
        self, principal: Principal, flow: OAuthFlow, *, facts: OAuth, code: str
    ) -> Granted:
        using = await self._opener.use(flow.connector)
        network = self._opener.network(using, flow.settings["settings"], private=principal.is_admin)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": flow.redirect_uri,
            "code_verifier": credentials.opened_verifier(self._opener.vault, flow),
        }
        return await self._opener.ask_for_token(facts, network, form)

    async def _stored(self, principal: Principal, given: _Consented) -> Account:
        flow, row = given.flow, AccountCredential(account_id=given.id)
        tokens.set_tokens(row, given.granted, self._opener.vault)
        async with self._opener.storage.app.write() as session:
            entrance = await enter(session, principal, flow.workspace_id, need="write")
            connected = Connected(
                id=given.id,
                workspace_id=entrance.id,
                using=given.using,
                label=flow.label,
                found=given.found,
                permissions=given.permissions,
                settings=flow.settings["settings"],
                route_from=connect.since(flow.settings["route_from"]),
            )
            return await store(
                session, self._opener, principal, connected=connected, credential=row
            )

    async def _authorised_again(self, principal: Principal, given: _Consented) -> Account:
        async with self._opener.storage.app.write() as session:
            account = await access.entered(session, principal, given.id, need="own", lock=True)
            connect.check_same(account, given.found.identity)
            row = await repository.credential(session, account.id)
            known = credentials.opened(self._opener.vault, row) if row else {}
            row = row or AccountCredential(account_id=account.id)
            tokens.set_tokens(row, given.granted, self._opener.vault, before=known)
            session.add(row)
            before = described(account)
            account.permissions, account.updated_at = sorted(given.permissions), clock.now()
            account.private_network = principal.is_admin
            account.settings = given.flow.settings["settings"]
            after = {**described(account), "authorised_again": True}
            record(session, principal, "account.changed", account, before=before, after=after)
        return account


def _given(using: ConnectorUse, flow: OAuthFlow, granted: Granted) -> frozenset[str]:
    """The granted permissions; a needed one that is missing is an error."""
    asked: frozenset[str] = frozenset(flow.permissions)
    if granted.scopes is None:
        return asked
    given = using.connector.granted(asked, granted.scopes)
    for permission in using.connector.permissions:
        if permission.required and permission.name not in given:
            raise ConnectorFailed(
                "other", f"it cannot be used without the permission “{permission.title}”."
            )
    return given


def _refusal(using: ConnectorUse, code: str) -> str:
    title = using.connector.title
    if code == _DENIED:
        return f"You did not give access at {title}, so nothing was connected."
    named = f" ({code})" if _CODE.fullmatch(code) else ""
    return f"{title} did not give access{named}. Nothing was connected. Try again."
