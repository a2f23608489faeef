"""OpenID Connect: discovery, authorisation code with PKCE, and verification of tokens."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode, urlsplit

import structlog
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import SecretStr

from bailiwick.errors import Conflict, Unauthenticated
from bailiwick.identity.models import LoginProvider
from bailiwick.kit.net.outbound import AddressRefused, Outbound, OutboundFailed

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
_SCOPES = "openid email profile"
_LEEWAY = 60
_KEEP_SECONDS = 3600
_REFRESH_KEYS_AFTER = 60
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECONDS = 10.0
_LONGEST = 1024 * 1024  # the largest document
_ACCEPT = {"Accept": "application/json"}
_FORM = {**_ACCEPT, "Content-Type": "application/x-www-form-urlencoded"}
_REFUSED = (
    "The log-in provider is at an address that this office does not connect to; the log names it. "
    "If it is in a network of your own, the operator allows that with BAILIWICK_ALLOWED_NETWORKS."
)
_ADDRESSES = ("authorization_endpoint", "token_endpoint", "jwks_uri")

log = structlog.stdlib.get_logger("bailiwick.identity")
Claims = dict[str, Any]
# What the library raises for invalid tokens.
NOT_PROVEN = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)


class ProviderUnusable(Conflict):
    """The issuer does not answer, or not as an issuer; nothing here is broken."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """The discovery document of an issuer."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


@dataclass(slots=True)
class _KnownIssuer:
    metadata: Metadata
    keys: KeySet
    read_at: float


class Issuers:
    """The issuers' documents and keys, cached for an hour."""

    def __init__(self, outbound: Outbound) -> None:
        self._outbound = outbound
        self._known: dict[str, _KnownIssuer] = {}

    async def metadata(self, issuer: str) -> Metadata:
        """The issuer's endpoints."""
        return (await self._issuer(issuer)).metadata

    async def verified(self, token: str, *, issuer: str, audience: str) -> Claims:
        """The claims of a valid token that this issuer signed for this audience."""
        known = await self._issuer(issuer)
        try:
            return _claims(token, known, audience=audience)
        except NOT_PROVEN:
            # The issuer may have new keys: they are read again, but only once in a while.
            if time.monotonic() - known.read_at < _REFRESH_KEYS_AFTER:
                raise Unauthenticated("The token is not valid.") from None
        try:
            return _claims(token, await self._read(issuer), audience=audience)
        except NOT_PROVEN:
            raise Unauthenticated("The token is not valid.") from None

    async def redeem(
        self,
        provider: LoginProvider,
        *,
        code: str,
        verifier: SecretStr,
        secret: SecretStr | None,
        redirect_uri: str,
    ) -> Claims:
        """Exchange a code for an ID token, and return its verified claims."""
        metadata = await self.metadata(provider.issuer)
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "client_id": provider.client_id,
            "code_verifier": verifier.get_secret_value(),
        }
        if secret:
            form["client_secret"] = secret.get_secret_value()
        answer = await self._json(metadata.token_endpoint, form)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise Unauthenticated("The provider gave no ID token.")
        claims = await self.verified(token, issuer=provider.issuer, audience=provider.client_id)
        if claims.get("azp", provider.client_id) != provider.client_id:
            raise Unauthenticated("The ID token was made for another client.")
        if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and "azp" not in claims:
            raise Unauthenticated("The ID token does not say for which client it was made.")
        return claims

    async def _issuer(self, issuer: str) -> _KnownIssuer:
        known = self._known.get(issuer)
        if known is None or time.monotonic() - known.read_at > _KEEP_SECONDS:
            known = await self._read(issuer)
        return known

    async def _read(self, issuer: str) -> _KnownIssuer:
        document = await self._json(f"{issuer}/.well-known/openid-configuration")
        try:
            metadata = Metadata(**{name: str(document[name]) for name in Metadata.__slots__})
        except KeyError as error:
            raise ProviderUnusable(
                f"The log-in provider's discovery document lacks {error}."
            ) from None
        for name in _ADDRESSES:
            if not _is_safe(getattr(metadata, name), issuer=issuer):
                raise ProviderUnusable(f"The log-in provider's {name} is not an https:// address.")
        if metadata.issuer.rstrip("/") != issuer:
            raise ProviderUnusable(f"The discovery document at {issuer} is another issuer's.")
        try:
            keys = KeySet.import_key_set(await self._json(metadata.jwks_uri))  # pyright: ignore[reportArgumentType]
        except (JoseError, ValueError, KeyError, TypeError):
            raise ProviderUnusable("The log-in provider's keys cannot be read.") from None
        self._known[issuer] = known = _KnownIssuer(metadata, keys, time.monotonic())
        return known

    async def _json(self, url: str, form: Mapping[str, str] | None = None) -> Claims:
        status, body = await self._asked(url, form)
        if form and 400 <= status < 500:
            raise Unauthenticated("The provider refused the log-in. Try again.")
        if status != 200:
            raise ProviderUnusable("The log-in provider answered with an error. Try again later.")
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise ProviderUnusable("The log-in provider's answer cannot be read.")
        return cast("Claims", document)

    async def _asked(self, url: str, form: Mapping[str, str] | None) -> tuple[int, bytes]:
        try:
            if form is None:
                answer = await self._outbound.get(
                    url, headers=_ACCEPT, timeout=_SECONDS, longest=_LONGEST
                )
            else:
                content = urlencode(form).encode()
                answer = await self._outbound.post(
                    url, content=content, headers=_FORM, timeout=_SECONDS, longest=_LONGEST
                )
        except AddressRefused as error:
            # Anyone may begin a log-in, so the error must not describe the internal network.
            log.warning("a log-in provider's address is refused", reason=str(error))
            raise ProviderUnusable(_REFUSED) from None
        except OutboundFailed as error:
            log.warning("a log-in provider cannot be reached", reason=str(error))
            raise ProviderUnusable(
                "The log-in provider cannot be reached. Try again later."
            ) from None
        return answer.status, answer.body


def _is_safe(url: str, *, issuer: str) -> bool:
    """Whether the URL is HTTPS; plain HTTP on this machine only if the issuer is there too."""
    try:
        parts = urlsplit(url)
        local = parts.scheme == "http" and parts.hostname in _LOOPBACK
        return bool(parts.hostname) and (
            parts.scheme == "https" or (local and issuer.startswith("http://"))
        )
    except ValueError:
        return False


def authorize_url(
    metadata: Metadata,
    *,
    client_id: str,
    redirect_uri: str,
    state: str,
    nonce: str,
    verifier: str,
    domain: str | None = None,
) -> str:
    """The address to send the browser to."""
    query = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": _SCOPES,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge(verifier),
        "code_challenge_method": "S256",
    }
    if domain:
        query["hd"] = domain
    join = "&" if "?" in metadata.authorization_endpoint else "?"
    return metadata.authorization_endpoint + join + urlencode(query)


def challenge(verifier: str) -> str:
    """The S256 challenge of a PKCE verifier."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def unguessable() -> str:
    """A state, a nonce or a verifier."""
    return secrets.token_urlsafe(32)


def _claims(token: str, known: _KnownIssuer, *, audience: str) -> Claims:
    decoded = jwt.decode(token, known.keys, algorithms=_ALGORITHMS)
    registry = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY,
        iss={"essential": True, "values": [known.metadata.issuer]},
        aud={"essential": True, "value": audience},
        exp={"essential": True},
        sub={"essential": True},
    )
    registry.validate(decoded.claims)
    return decoded.claims
