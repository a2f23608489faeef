"""OAuth 2.0 with PKCE: authorisation URLs and token requests.

It knows no provider: callers pass the facts in. A provider's text is never passed on, because
anyone may have written it; of its errors only the code is.
"""

import asyncio
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlencode

import httpx2

from bailiwick.identity.oidc import challenge, unguessable
from bailiwick.kit.http import retry

__all__ = ["Granted", "TokenRefused", "authorize_url", "request", "revoke", "unguessable"]

_SECONDS = 30.0
_LONGEST = 64 * 1024
_LONGEST_TOKEN = 16 * 1024
_YEAR = 366 * 86400.0
_CODE = re.compile(r"[a-z_]{1,40}")
_TOKEN = re.compile(r"[!-~]+")
_BUSY = 429


class TokenRefused(Exception):
    """No token was issued; the text is for a person and holds no secret."""

    def __init__(
        self,
        problem: Literal["invalid_grant", "network", "other"],
        detail: str,
        *,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem: Literal["invalid_grant", "network", "other"] = problem
        self.detail = detail
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Granted:
    """The answer of a token endpoint."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    seconds: float | None  # lifetime from the time of receipt
    scopes: frozenset[str] | None  # None: as requested


def authorize_url(
    url: str,
    *,
    client_id: str,
    redirect_uri: str,
    scopes: Iterable[str],
    state: str,
    verifier: str,
    parameters: Mapping[str, str],
) -> str:
    """The address to send the browser to."""
    query = {
        **parameters,
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": redirect_uri,
        "scope": " ".join(scopes),
        "state": state,
        "code_challenge": challenge(verifier),
        "code_challenge_method": "S256",
    }
    return url + ("&" if "?" in url else "?") + urlencode(query)


async def request(client: httpx2.AsyncClient, url: str, form: Mapping[str, str]) -> Granted:
    """Send a token request; `TokenRefused` says why it failed."""
    status, headers, body = await _post(client, url, form)
    answer = _json(body)
    if status == 200:
        return _granted(answer)
    code = str(answer.get("error", ""))
    if status >= 500 or status == _BUSY:
        raise TokenRefused(
            "network",
            f"The provider answered with the status {status}.",
            retry_after=retry.seconds(headers.get("retry-after", "")),
        )
    if code == "invalid_grant":
        raise TokenRefused("invalid_grant", "The provider no longer accepts this authorisation.")
    named = f" ({code})" if _CODE.fullmatch(code) else ""
    raise TokenRefused("other", f"The provider refused to give a token: status {status}{named}.")


async def revoke(client: httpx2.AsyncClient, url: str, form: Mapping[str, str]) -> bool:
    """Revoke a token; return whether the provider confirmed."""
    status, _, _ = await _post(client, url, form)
    return 200 <= status < 300


async def _post(
    client: httpx2.AsyncClient, url: str, form: Mapping[str, str]
) -> tuple[int, httpx2.Headers, bytes]:
    body = bytearray()
    try:
        async with (
            asyncio.timeout(_SECONDS),
            client.stream(
                "POST", url, data=dict(form), headers={"Accept": "application/json"}
            ) as answer,
        ):
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > _LONGEST:
                    raise TokenRefused("other", "The provider's answer is too long.")
    except (httpx2.HTTPError, TimeoutError):
        raise TokenRefused("network", "The provider cannot be reached.") from None
    except httpx2.InvalidURL:
        raise TokenRefused("other", "The provider's address is not a correct one.") from None
    return answer.status_code, answer.headers, bytes(body)


def _json(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}


def _granted(answer: dict[str, Any]) -> Granted:
    token, kind = _token(answer.get("access_token")), answer.get("token_type", "bearer")
    if token is None or str(kind).lower() != "bearer":
        raise TokenRefused("other", "The provider's answer has no token in it that we can use.")
    scopes = answer.get("scope")
    return Granted(
        access_token=token,
        refresh_token=_token(answer.get("refresh_token")),
        seconds=_seconds(answer.get("expires_in")),
        scopes=frozenset(scopes.split()) if isinstance(scopes, str) and scopes.strip() else None,
    )


def _token(value: object) -> str | None:
    """A token that is valid in a header."""
    fits = isinstance(value, str) and len(value) <= _LONGEST_TOKEN and _TOKEN.fullmatch(value)
    return value if isinstance(value, str) and fits else None


def _seconds(value: object) -> float | None:
    """A lifetime, sent as a number or as text, and at most a year."""
    try:
        seconds = float(str(value))
    except ValueError:
        return None
    return None if math.isnan(seconds) else min(max(seconds, 0.0), _YEAR)
