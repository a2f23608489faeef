"""HTTP to addresses that a user or a stranger gave.

Invariant: a connection is opened only to an address that `addresses` lets through, and to the very
one that was looked at. This happens below TLS, which still proves the server's name.

An exchange has connections of its own, one time limit for everything in it, and no memory: no
proxies, cookies or .netrc. The body is neither decoded nor read beyond what is asked for.

A 307 or 308 is followed, three times at most and never from https to http. The caller's headers may
hold secrets, so to another server only those go along that say what the request is (`_HARMLESS`).
"""

import asyncio
import dataclasses
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpcore
import httpx

from bailiwick.kit.http.addresses import (
    AddressRefused,
    CheckedSockets,
    Network,
    OutboundFailed,
    Resolve,
    checked_url,
    looked_up,
    system_resolve,
)

__all__ = ["AddressRefused", "Answer", "Outbound", "OutboundFailed"]

_REDIRECTS = 3
_FOLLOWED = (307, 308)
_HARMLESS = frozenset({"accept", "accept-language", "content-type", "user-agent"})
_OURS = frozenset(
    {
        *("host", "accept-encoding", "connection", "content-length", "transfer-encoding"),
        *("expect", "keep-alive", "te", "trailer", "upgrade"),
    }
)
_BROKEN = (httpcore.NetworkError, httpcore.ProtocolError, OSError, UnicodeError)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said; `body` is its beginning, as it was sent."""

    status: int
    headers: httpx.Headers
    body: bytes
    milliseconds: int
    url: str


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    content: bytes | None
    headers: Mapping[str, str]
    timeout: float
    longest: int
    started: float

    def lines(self, target: httpx.URL) -> list[tuple[bytes, bytes]]:
        own = [
            (b"Host", target.netloc),
            (b"Accept-Encoding", b"identity"),
            (b"Connection", b"close"),
        ]
        given = [(k, v) for k, v in self.headers.items() if k.lower() not in _OURS]
        return own + [(name.encode("ascii"), value.encode("ascii")) for name, value in given]

    def redirected(self, before: httpx.URL, after: httpx.URL) -> "_Request":
        if _same_server(before, after):
            return self
        kept = {k: v for k, v in self.headers.items() if k.lower() in _HARMLESS}
        return dataclasses.replace(self, headers=kept)


class Outbound:
    """The client; `allowed` are networks that may be reached although they are not public."""

    def __init__(
        self,
        allowed: Sequence[Network] = (),
        *,
        resolve: Resolve = system_resolve,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = tuple(allowed)
        self._resolve = resolve
        self._trust = trust

    async def __aenter__(self) -> Self:
        if self._trust is None:
            # Reading all the world's authorities takes a while.
            self._trust = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Nothing outlives an exchange."""

    def check_url(self, url: str) -> str:
        """The URL in its normal form, or AddressRefused; asks nobody, so names are let through."""
        return str(checked_url(url, self._allowed))

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float = 15.0,  # noqa: ASYNC109  (one for the whole, redirects and all)
        longest: int = 64 * 1024,
    ) -> Answer:
        """Read what is there."""
        return await self._send("GET", url, None, headers, timeout=timeout, longest=longest)

    async def post(
        self,
        url: str,
        *,
        content: bytes,
        headers: Mapping[str, str] | None = None,
        timeout: float = 15.0,  # noqa: ASYNC109  (one for the whole, redirects and all)
        longest: int = 64 * 1024,
    ) -> Answer:
        """Send something there."""
        return await self._send("POST", url, content, headers, timeout=timeout, longest=longest)

    async def _send(
        self,
        method: str,
        url: str,
        content: bytes | None,
        headers: Mapping[str, str] | None,
        *,
        timeout: float,  # noqa: ASYNC109
        longest: int,
    ) -> Answer:
        started = asyncio.get_running_loop().time()
        request = _Request(method, content, headers or {}, timeout, longest, started)
        return await self._follow(checked_url(url, self._allowed), request)

    async def _follow(self, target: httpx.URL, request: _Request, *, hops: int = 0) -> Answer:
        answer = await self._exchange(target, request)
        if not _is_redirect(answer.status, answer.headers):
            return answer
        host = _host(target)
        if hops == _REDIRECTS:
            raise OutboundFailed(f"{host} answered with a redirect, after {hops} others")
        try:
            aim = checked_url(_joined(target, answer.headers["location"]), self._allowed)
            if (target.scheme, aim.scheme) == ("https", "http"):
                raise AddressRefused("it leads from https to http, where others can read along")
            if answer.status in _FOLLOWED:
                return await self._follow(aim, request.redirected(target, aim), hops=hops + 1)
            async with _in_words(aim, request):
                await looked_up(
                    _host(aim), aim.port or 0, allowed=self._allowed, resolve=self._resolve
                )
        except OutboundFailed as error:
            if hops:
                raise
            raise type(error)(f"{host} answered with a redirect: {error}") from error
        raise OutboundFailed(
            f"{host} answered with a redirect to {aim!s:.200}; give that address instead"
        )

    async def _exchange(self, target: httpx.URL, request: _Request) -> Answer:
        assert self._trust is not None, "use `async with`"
        url = httpcore.URL(
            scheme=target.raw_scheme,
            host=target.raw_host,
            port=target.port,
            target=target.raw_path,
        )
        async with _in_words(target, request), AsyncExitStack() as opened:
            network = CheckedSockets(self._allowed, resolve=self._resolve, opened=opened)
            connection = httpcore.AsyncHTTPConnection(
                url.origin, ssl_context=self._trust, network_backend=network
            )
            lines = request.lines(target)
            stream = connection.stream(request.method, url, headers=lines, content=request.content)
            async with connection, stream as response:
                headers = httpx.Headers(response.headers)
                moved = _is_redirect(response.status, headers)
                body = b"" if moved else await _beginning(response, request.longest)
        now = asyncio.get_running_loop().time()
        milliseconds = round((now - request.started) * 1000)
        return Answer(response.status, headers, body, milliseconds, str(target))


async def _beginning(response: httpcore.Response, longest: int) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) >= longest:
            break
    return bytes(body[:longest])


@asynccontextmanager
async def _in_words(target: httpx.URL, request: _Request) -> AsyncGenerator[None]:
    """Keep to the time limit of the whole, and tell a person what went wrong."""
    host = _host(target)
    try:
        async with asyncio.timeout_at(request.started + request.timeout):
            yield
    except (TimeoutError, httpcore.TimeoutException) as error:
        raise OutboundFailed(f"{host} did not answer within {request.timeout:g} seconds") from error
    except _BROKEN as error:
        raise OutboundFailed(f"{host} {_what_happened(error)}") from error


def _what_happened(error: BaseException) -> str:
    for cause in _causes(error):
        match cause:
            case ssl.SSLCertVerificationError():
                return f"has a certificate that cannot be verified: {cause.verify_message}"
            case ssl.SSLError():
                return f"does not speak HTTPS as it should: {cause.reason or 'unknown error'}"
            case ConnectionRefusedError():
                return "refused the connection"
            case httpcore.RemoteProtocolError():
                return "did not give a complete answer in HTTP"
            case httpcore.LocalProtocolError() | UnicodeError():
                return "was not asked, because a header has characters that cannot be sent"
            case _:
                pass
    unreached = isinstance(error, httpcore.ConnectError)
    return "cannot be reached" if unreached else "broke off the connection"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _is_redirect(status: int, headers: httpx.Headers) -> bool:
    return 300 <= status < 400 and "location" in headers


def _joined(base: httpx.URL, location: str) -> str:
    try:
        return str(base.join(location).copy_with(fragment=None))
    except (httpx.InvalidURL, ValueError):
        raise AddressRefused("it does not lead to a correct web address") from None


def _host(target: httpx.URL) -> str:
    return target.raw_host.decode("ascii")


def _same_server(before: httpx.URL, after: httpx.URL) -> bool:
    """The same scheme, host and port; or the same host, now by https."""
    upgraded = before.scheme == "http" and before.port is after.port is None
    same = (before.scheme, before.port) == (after.scheme, after.port)
    return before.raw_host == after.raw_host and (same or upgraded)
