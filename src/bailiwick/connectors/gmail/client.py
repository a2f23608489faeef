"""Requests to Gmail, and what is done when it refuses them.

A rate limit or a failing server is waited for, but only for seconds: longer waits are the
fetcher's. A refused token is renewed once. Of Google's errors only codes are passed on, never its
text. A request that must not take effect twice is sent with `ask_once`.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from bailiwick.connectors.connector import AccountAccess
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.gmail.options import api_url
from bailiwick.kit.http import retry

LARGEST = 100 * 1024 * 1024  # of an answer: 64 MB of mail in base64, and some
_CODE = re.compile(r"[A-Za-z_]{1,60}")
_RATES = {"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"}
_QUOTAS = {"dailyLimitExceeded", "quotaExceeded"}
_SCOPES = {"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"}
_SWITCHED_OFF = {"accessNotConfigured", "SERVICE_DISABLED"}
_DAY = 86400.0
Query = Mapping[str, str | int | list[str]]


class ResponseTooLarge(Exception):
    """The answer exceeds the limit on bytes."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one request may wait for a busy server, in seconds."""

    first: float = 0.5
    total: float = 8.0
    tries: int = 6


@dataclass(frozen=True, slots=True)
class GmailRequest:
    """One request; `path` is relative to the API's address."""

    method: str
    path: str
    query: Query = field(default_factory=dict[str, str | int | list[str]])
    body: bytes | None = field(default=None, repr=False)
    type: str = "application/json"
    most: int | None = None  # bytes of the answer; None: what the client takes


@dataclass(frozen=True, slots=True)
class GmailResponse:
    """One answer."""

    status: int
    headers: httpx2.Headers
    content: bytes = field(repr=False)

    @property
    def object(self) -> dict[str, Any] | None:
        """Its JSON object, if it has one."""
        try:
            value = json.loads(self.content)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    @property
    def json(self) -> dict[str, Any]:
        """Its JSON object; empty, if it has none."""
        return self.object or {}

    @property
    def reasons(self) -> frozenset[str]:
        """The codes in an error."""
        error = self.json.get("error")
        if not isinstance(error, dict):
            return frozenset()
        found = [error.get("status")]
        for key in ("errors", "details"):
            found += [one.get("reason") for one in error.get(key) or () if isinstance(one, dict)]
        return frozenset(one for one in found if isinstance(one, str) and _CODE.fullmatch(one))

    @property
    def is_busy(self) -> bool:
        """Whether the same request may be answered a little later."""
        limited = self.status == 403 and self.reasons & (_RATES | _QUOTAS)
        return bool(self.status == 429 or self.status >= 500 or limited)

    @property
    def retry_after(self) -> float | None:
        """The seconds to wait before the next request, if the server says so."""
        seconds = retry.seconds(self.headers.get("Retry-After", ""))
        return None if seconds is None else min(seconds, _DAY)


class GmailClient:
    """One account's connection to the API."""

    def __init__(
        self, access: AccountAccess, patience: Patience | None = None, *, largest: int = LARGEST
    ) -> None:
        self._access = access
        self._patience = patience or Patience()
        self._largest = largest
        self._base = api_url(access.options)
        self._http: httpx2.AsyncClient | None = None

    async def get(self, path: str, query: Query | None = None) -> dict[str, Any]:
        """The object at a path; `ConnectorFailed` if there is none."""
        return object_of(
            await self.ask(GmailRequest("GET", f"/gmail/v1/users/me/{path}", query or {}))
        )

    async def post(
        self, path: str, body: Mapping[str, Any], *, once: bool = False
    ) -> GmailResponse:
        """Send an object to a path; return the first answer that is not "busy"."""
        content = json.dumps(body).encode()
        request = GmailRequest("POST", f"/gmail/v1/users/me/{path}", body=content)
        return await (self.ask_once(request) if once else self.ask(request))

    async def ask(self, request: GmailRequest) -> GmailResponse:
        """Repeat a request while the server is busy, for a limited time."""
        begun, pause = time.monotonic(), self._patience.first
        for left in reversed(range(self._patience.tries)):
            try:
                answer = await self.ask_once(request)
            except (httpx2.HTTPError, httpx2.InvalidURL):
                answer = None
            if answer is not None and not answer.is_busy:
                return answer
            told = answer.retry_after if answer else None
            rest = pause * random.uniform(0.5, 1.5) if told is None else told  # noqa: S311
            if not left or time.monotonic() - begun + rest > self._patience.total:
                raise too_busy(answer)
            await asyncio.sleep(rest)
            pause *= 2
        raise too_busy(None)

    async def ask_once(self, request: GmailRequest) -> GmailResponse:
        """Send a request once; again only after a refused token, when nothing was done."""
        token = await self._token()
        answer = await self._ask(request, token)
        if answer.status == 401:
            # Of many requests that are refused at once, the first renews the token for all.
            if await self._token() == token:
                await self._access.renew()
            answer = await self._ask(request, await self._token())
        if answer.status == 401:
            raise ConnectorFailed(
                "invalid_grant", "Google no longer accepts this authorisation. Authorise it again."
            )
        return answer

    async def close(self) -> None:
        """Close all connections."""
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def _token(self) -> str:
        return (await self._access.secret()).get("access_token", "")

    async def _ask(self, request: GmailRequest, token: str) -> GmailResponse:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        if request.body is not None:
            headers["Content-Type"] = request.type
        if self._http is None:
            self._http = self._access.network.http()
        content = bytearray()
        async with self._http.stream(
            request.method,
            self._base + request.path,
            params=dict(request.query),
            content=request.body,
            headers=headers,
        ) as answer:
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > (request.most or self._largest):
                    raise ResponseTooLarge
        return GmailResponse(answer.status_code, answer.headers, bytes(content))


def good(answer: GmailResponse) -> GmailResponse:
    """The answer if it succeeded; else `ConnectorFailed`, saying what a person can do."""
    if 200 <= answer.status < 300:
        return answer
    raise refused(answer)


def object_of(answer: GmailResponse) -> dict[str, Any]:
    """The object of a successful answer; a proxy's HTML page is not taken for an empty object."""
    found = good(answer).object
    if found is None:
        raise ConnectorFailed("network", "Something else than Gmail answered.")
    return found


def refused(answer: GmailResponse) -> ConnectorFailed:
    """The error of a refused request, in a person's words."""
    if answer.is_busy:
        return too_busy(answer)
    if answer.reasons & _SWITCHED_OFF:
        return ConnectorFailed(
            "other", "The Gmail API is not enabled in your Google Cloud project: enable it there."
        )
    if answer.reasons & _SCOPES:
        return ConnectorFailed(
            "other",
            "Google was not asked for this permission when the account was connected."
            " Switch it on in the account's settings and authorise again.",
        )
    code = next(iter(sorted(answer.reasons)), "")
    named = f" ({code})" if code else ""
    return ConnectorFailed("other", f"Gmail refused with the status {answer.status}{named}.")


def too_busy(answer: GmailResponse | None) -> ConnectorFailed:
    """The error when no answer came in time."""
    if answer is None:
        return ConnectorFailed("network", "Gmail cannot be reached.")
    return ConnectorFailed(
        "network",
        f"Gmail is busy: it answered with the status {answer.status}.",
        retry_after=answer.retry_after,
    )
