"""Maps an issuer's claims to a user: who is admitted, as whom, and with which role."""

import hmac
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

import structlog
from joserfc import jws
from pydantic import SecretStr
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import BailiwickError, Conflict, Forbidden, Unauthenticated
from bailiwick.identity import (
    identities,
    login,
    oidc,
    providers,
    repository,
    sessions,
    signins,
    users,
)
from bailiwick.identity.facts import Welcome
from bailiwick.identity.models import LoginFlow, LoginProvider, User
from bailiwick.identity.oidc import Claims, Issuers
from bailiwick.identity.principal import UserRole
from bailiwick.identity.signins import Browser
from bailiwick.identity.users import NewUser
from bailiwick.instance import changes
from bailiwick.instance.service import TokenHasher
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault

FLOW_MINUTES = 10
CALLBACK_PATH = "/oauth/login/callback"
_FLOWS = "login_flows"
_NOT_STARTED_HERE = "This log-in was not started here, or took too long. Try again."
_UNCONFIRMED = "The provider did not confirm an e-mail address for you."
_ADDRESS = re.compile(r"[!-?A-~]+@[!-?A-~]+")
_LONGEST_ADDRESS, _LONGEST_SUBJECT, _LONGEST_NAME = 254, 255, 100

log = structlog.stdlib.get_logger("bailiwick.identity")


class Federation:
    """Signing in through providers."""

    def __init__(
        self,
        *,
        storage: Storage,
        vault: Vault,
        hasher: TokenHasher,
        issuers: Issuers,
        origin: str,
        welcomes: Sequence[Welcome],
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._hasher = hasher
        self._issuers = issuers
        self._redirect_uri = origin + CALLBACK_PATH
        self._welcomes = welcomes

    async def begin(
        self,
        provider_id: str,
        *,
        return_to: str,
        browser_secret: str,
        user_id: str | None = None,
    ) -> str:
        """Begin a log-in, or a link to this user; return the address to send the browser to."""
        async with self._storage.app.read() as session:
            provider = await providers.get(session, provider_id)
        if not provider.enabled:
            raise Forbidden("This log-in provider is switched off.")
        metadata = await self._issuers.metadata(provider.issuer)
        state, nonce, verifier = oidc.unguessable(), oidc.unguessable(), oidc.unguessable()
        id = self._hasher(state)
        flow = LoginFlow(
            id=id,
            provider_id=provider.id,
            browser_hash=self._hasher(browser_secret),
            nonce=nonce,
            verifier=self._vault.drawer(_FLOWS).seal(
                SecretStr(verifier), column="verifier", row=id
            ),
            return_to=return_to,
            user_id=user_id,
            expires_at=clock.now() + timedelta(minutes=FLOW_MINUTES),
        )
        async with self._storage.app.write() as session:
            await repository.forget_flows(session, clock.now())
            session.add(flow)
        domain = provider.allowed_domains[0] if len(provider.allowed_domains) == 1 else None
        return oidc.authorize_url(
            metadata,
            client_id=provider.client_id,
            redirect_uri=self._redirect_uri,
            state=state,
            nonce=nonce,
            verifier=verifier,
            domain=domain if provider.preset == "google" else None,
        )

    async def finish(
        self,
        *,
        code: str,
        state: str,
        browser_secret: str,
        browser: Browser,
        settings: RuntimeSettings,
    ) -> tuple[sessions.OpenedSession | None, str]:
        """End a log-in; return a session (none for a link), and the page to return to."""
        async with signins.refusals_recorded(self._storage, browser, method="provider"):
            flow, provider = await self._take(state)
        method = f"provider:{provider.name}"
        claims: Claims = {}
        try:
            self._check_flow(flow, provider, browser_secret)
            claims = await self._issuers.redeem(
                provider,
                code=code,
                verifier=self._vault.drawer(_FLOWS).open(
                    flow.verifier, column="verifier", row=flow.id
                ),
                secret=providers.secret_of(provider, self._vault),
                redirect_uri=self._redirect_uri,
            )
            nonce = str(claims.get("nonce")).encode(errors="replace")
            if not hmac.compare_digest(nonce, flow.nonce.encode()):
                raise Unauthenticated("The ID token belongs to another log-in.")
            if flow.user_id:
                await self._link(provider, claims, flow.user_id, settings)
                return None, flow.return_to
            async with self._storage.app.write() as session:
                user = await self._user_for(session, provider, claims, settings)
            opened = await login.open_for(
                self._storage, user.id, browser=browser, method=method, hasher=self._hasher
            )
        except BailiwickError as error:
            email = str(claims.get("email", ""))
            await signins.record(
                self._storage,
                browser,
                method=method,
                email=email,
                outcome="refused",
                reason=error.detail,
            )
            raise
        return opened, flow.return_to

    async def by_bearer(self, token: str, settings: RuntimeSettings) -> User | None:
        """The user of a configured issuer's bearer token."""
        issuer = _unproven_issuer(token)
        async with self._storage.app.read() as session:
            known = await providers.listed(session, enabled_only=True)
        for provider in known:
            if provider.issuer == issuer and provider.bearer_audience:
                with suppress(Unauthenticated):
                    claims = await self._issuers.verified(
                        token, issuer=provider.issuer, audience=provider.bearer_audience
                    )
                    return await self._bearer(provider, claims, settings)
        return None

    async def _bearer(
        self, provider: LoginProvider, claims: Claims, settings: RuntimeSettings
    ) -> User | None:
        async with self._storage.app.read() as session:
            user = await repository.linked(session, provider.id, _subject(claims))
        if user and "email" not in claims:
            # Access tokens often have no address: then the user's own counts.
            claims = {**claims, "email": user.email, "email_verified": True}
        _check_domain(provider, claims, settings)
        if user is None:
            async with self._storage.app.write() as session:
                user = await self._user_for(session, provider, claims, settings)
        return user if user.active else None

    async def _take(self, state: str) -> tuple[LoginFlow, LoginProvider]:
        async with self._storage.app.write() as session:
            flow = await repository.take_flow(session, self._hasher(state))
            provider = flow and await session.get(LoginProvider, flow.provider_id)
        if flow is None or provider is None:
            raise Unauthenticated(_NOT_STARTED_HERE)
        return flow, provider

    def _check_flow(self, flow: LoginFlow, provider: LoginProvider, browser_secret: str) -> None:
        same_browser = hmac.compare_digest(flow.browser_hash, self._hasher(browser_secret))
        if not same_browser or flow.expires_at <= clock.now():
            raise Unauthenticated(_NOT_STARTED_HERE)
        if not provider.enabled:
            raise Forbidden("This log-in provider is switched off.")

    async def _user_for(
        self,
        session: AsyncSession,
        provider: LoginProvider,
        claims: Claims,
        settings: RuntimeSettings,
    ) -> User:
        subject = _subject(claims)
        _check_domain(provider, claims, settings)
        # Locked, so that two first log-ins of one person do not both make a user.
        await self._storage.app.alone(session)
        user = await repository.linked(session, provider.id, subject)
        if user is None:
            user = await self._join(session, provider, claims)
            identities.add(session, provider, subject=subject, user=user)
        await _apply_role(session, provider, claims, user)
        return user

    async def _link(
        self, provider: LoginProvider, claims: Claims, user_id: str, settings: RuntimeSettings
    ) -> None:
        """Link an identity to the user who asked for it while signed in."""
        subject = _subject(claims)
        _check_domain(provider, claims, settings)
        async with self._storage.app.write() as session:
            await self._storage.app.alone(session)
            user = await users.get(session, user_id)
            await identities.link(session, provider, subject=subject, user=user)

    async def _join(self, session: AsyncSession, provider: LoginProvider, claims: Claims) -> User:
        email = _verified_email(claims)
        if not email:
            raise Forbidden(_UNCONFIRMED)
        if user := await users.by_email(session, email):
            _check_vouching(provider, user)
            return user
        if not provider.create_users:
            raise Forbidden("There is no account for you here. Ask an admin for an invitation.")
        said = signins.printable(str(claims.get("name") or ""), length=_LONGEST_NAME).strip()
        new = NewUser(email=email, name=said or email.split("@")[0])
        return await users.add(session, changes.SYSTEM, new, welcomes=self._welcomes)


async def _apply_role(
    session: AsyncSession, provider: LoginProvider, claims: Claims, user: User
) -> None:
    if not provider.admin_claim:
        return
    said, wanted = claims.get(provider.admin_claim), set(provider.admin_values)
    if provider.admin_claim == "email":
        said, wanted = _verified_email(claims), {value.lower() for value in wanted}
    values = {str(value) for value in (said if isinstance(said, list) else [said])}
    role: UserRole = "admin" if values & wanted else "user"
    if role == user.role:
        return
    try:
        async with session.begin_nested():
            await users.change(session, changes.SYSTEM, user.id, role=role)
    except Conflict:
        await session.refresh(user)
        log.warning(
            "the last admin keeps the role that the provider no longer gives", userId=user.id
        )


def _check_vouching(provider: LoginProvider, user: User) -> None:
    """Refuse an address as proof of who someone is, unless the provider may vouch for its domain.

    An issuer can put any address into its tokens. For an admin it is never enough.
    """
    domain = user.email.rpartition("@")[2]
    if user.role == "admin" or domain not in provider.allowed_domains:
        raise Forbidden(
            "There is an account with your address, and this provider's word is not enough for it. "
            "Sign in as you did before, and link the provider in your profile."
        )


def _check_domain(provider: LoginProvider, claims: Claims, settings: RuntimeSettings) -> None:
    allowed = set(provider.allowed_domains) or set(settings.login_domains)
    if settings.login_domains:
        allowed &= set(settings.login_domains)
    elif not allowed:
        return
    email = _verified_email(claims)
    if not email:
        raise Forbidden(_UNCONFIRMED)
    domain = email.rpartition("@")[2]
    # A private Google account may have a company's address: only the hosted domain proves it.
    hosted = str(claims.get("hd")) if provider.preset == "google" else domain
    if domain not in allowed or hosted not in allowed:
        raise Forbidden("People of your e-mail domain may not sign in here.")


def _verified_email(claims: Claims) -> str:
    """The address that the issuer verified; empty if there is none, or it is not plain."""
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        return ""
    # Before lower-casing, which turns some letters of other alphabets into ASCII.
    fits = len(email) <= _LONGEST_ADDRESS and _ADDRESS.fullmatch(email)
    return email.lower() if fits else ""


def _subject(claims: Claims) -> str:
    subject = claims["sub"]
    if not isinstance(subject, str) or not subject.isprintable() or len(subject) > _LONGEST_SUBJECT:
        raise Unauthenticated("The provider's id for you cannot be used.")
    return subject


def _unproven_issuer(token: str) -> str:
    try:
        claims = json.loads(jws.extract_compact(token.encode()).payload)
        return str(claims.get("iss", "")).rstrip("/")
    except oidc.NOT_PROVEN:
        return ""
