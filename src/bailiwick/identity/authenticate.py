"""Middleware that identifies the caller, once for each request."""

import hmac
from dataclasses import dataclass

from pydantic import SecretStr
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from bailiwick.errors import BailiwickError, Forbidden, Unauthenticated
from bailiwick.identity import sessions, tokens
from bailiwick.identity.cookies import Cookies
from bailiwick.identity.federation import Federation
from bailiwick.identity.models import ApiToken, Session, User
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.instance.service import TokenHasher
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.http.guard import SAFE_METHODS, comes_from_our_page
from bailiwick.kit.http.limits import client_address


@dataclass(frozen=True, slots=True)
class Authenticator:
    """The dependencies of authentication."""

    storage: Storage
    settings: SettingsStore
    hasher: TokenHasher
    cookies: Cookies
    federation: Federation
    operator_token: SecretStr

    async def recognise(self, request: HTTPConnection) -> Principal | None:
        """The caller; None for anonymous, an error for invalid credentials."""
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and value.strip():
            return await self._by_bearer(value.strip())
        if secret := request.cookies.get(self.cookies.session):
            return await self._by_cookie(secret, request)
        return None

    async def holds(self, principal: Principal) -> bool:
        """Whether a caller's credentials are still valid; does not count as a use."""
        async with self.storage.app.read() as session:
            if principal.session_id:
                settings = await self.settings.current()
                row = await session.get(Session, principal.session_id)
                return row is not None and sessions.ends_at(row, settings) > clock.now()
            if principal.token_id:
                token = await session.get(ApiToken, principal.token_id)
                return token is not None and token.expires_at > clock.now()
        # A provider's token is sent again with each new connection.
        return principal.via == "operator"

    async def _by_cookie(self, secret: str, request: HTTPConnection) -> Principal | None:
        settings = await self.settings.current()
        async with self.storage.app.read() as session:
            found = await sessions.find(session, secret, hasher=self.hasher, settings=settings)
        if found is None:
            return None
        if request.scope["method"] not in SAFE_METHODS and not comes_from_our_page(request.headers):
            raise Forbidden(
                "A change with a cookie must come from our own pages (no Origin given)."
            )
        row, user = found
        if row.last_seen_at < clock.now() - sessions.TOUCH_EVERY:
            async with self.storage.app.write() as session:
                await sessions.touch(session, row.id)
        return _principal(user, via="session", session_id=row.id)

    async def _by_bearer(self, bearer: str) -> Principal:
        if hmac.compare_digest(bearer.encode(), self.operator_token.get_secret_value().encode()):
            return OPERATOR
        if bearer.startswith(tokens.PREFIX):
            return await self._by_token(bearer)
        if bearer.count(".") == 2:
            settings = await self.settings.current()
            if user := await self.federation.by_bearer(bearer, settings):
                # It names none of our scopes, so it does no admin work.
                return _principal(user, via="jwt", scopes=frozenset(("read", "write")))
        raise Unauthenticated("The token is not valid, or no longer.")

    async def _by_token(self, secret: str) -> Principal:
        async with self.storage.app.read() as session:
            found = await tokens.find(session, secret, hasher=self.hasher)
        if found is None:
            raise Unauthenticated("The token is not valid, or no longer.")
        row, user = found
        if not row.last_used_at or row.last_used_at < clock.now() - tokens.USED_EVERY:
            async with self.storage.app.write() as session:
                await tokens.used(session, row.id)
        return _principal(user, via="token", scopes=frozenset(row.scopes), token_id=row.id)


class Authenticate:
    """ASGI middleware: puts the principal, or None, into the request's state."""

    def __init__(self, app: ASGIApp, *, authenticator: Authenticator) -> None:
        self._app = app
        self._authenticator = authenticator

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Identify the caller of one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["principal"] = state["refusal"] = None
        try:
            state["principal"] = await self._authenticator.recognise(HTTPConnection(scope))
        except BailiwickError as error:
            # Raised when the endpoint needs a caller, so that bad credentials are counted first.
            state["refusal"] = error
        await self._app(scope, receive, send)


def caller_of(scope: Scope) -> str:
    """The key under which a caller's requests are counted."""
    principal = scope.get("state", {}).get("principal")
    return principal.id if principal else client_address(scope)


def _principal(user: User, **how: object) -> Principal:
    return Principal(id=user.id, name=user.name, role=user.role, user_id=user.id, **how)  # pyright: ignore[reportArgumentType]
