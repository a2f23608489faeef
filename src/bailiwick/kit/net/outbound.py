"""Single exchanges over HTTP with addresses that a user or a stranger gave.

An exchange has connections of its own, one time limit for everything in it, and no memory: no
proxies, cookies or .netrc. The body is neither decoded nor read beyond what is asked for.

A 307 or 308 is followed unless the caller wants none followed, three times at most and never from
https to http; each address on the way is checked like the first. The caller's headers may hold
secrets, so to another server only those go along that say what the request is (`_HARMLESS`).
"""

import asyncio
import dataclasses
import ssl
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2

from bailiwick.kit.net import transport, trust
from bailiwick.kit.net.addresses import AddressRefused, IpNetwork, OutboundFailed
from bailiwick.kit.net.lookup import Resolve, looked_up, system_resolve
from bailiwick.kit.net.transport import CheckedTransport
from bailiwick.kit.net.urls import checked_url

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
_BROKEN = (httpx2.TransportError, OSError, UnicodeError)


@dataclass(frozen=True, slots=True)
class Answer:
    """A server's answer; `body` is its beginning, not decoded."""

    status: int
    headers: httpx2.Headers
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

    def lines(self, target: httpx2.URL) -> list[tuple[bytes, bytes]]:
        own = [
            (b"Host", target.netloc),
            (b"Accept-Encoding", b"identity"),
            (b"Connection", b"close"),
        ]
        given = [(k, v) for k, v in self.headers.items() if k.lower() not in _OURS]
        return own + [(name.encode("ascii"), value.encode("ascii")) for name, value in given]

    def redirected(self, before: httpx2.URL, after: httpx2.URL) -> "_Request":
        if _same_server(before, after):
            return self
        kept = {k: v for k, v in self.headers.items() if k.lower() in _HARMLESS}
        return dataclasses.replace(self, headers=kept)


class Outbound:
    """The client; `allowed` are private networks that it may reach."""

    def __init__(
        self,
        allowed: Sequence[IpNetwork] = (),
        *,
        follow: bool = True,
        resolve: Resolve = system_resolve,
        certificates: ssl.SSLContext | None = None,
    ) -> None:
        self._allowed = tuple(allowed)
        self._followed = _FOLLOWED if follow else ()
        self._resolve = resolve
        self._certificates = certificates

    def check_url(self, url: str) -> str:
        """The URL in its normal form, or AddressRefused; names are not resolved."""
        return str(checked_url(url, self._allowed))

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: float = 15.0,  # noqa: ASYNC109  (one for the whole, redirects and all)
        longest: int = 64 * 1024,
    ) -> Answer:
        """Send a GET."""
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
        """Send a POST."""
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

    async def _follow(self, target: httpx2.URL, request: _Request, *, hops: int = 0) -> Answer:
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
            if answer.status in self._followed:
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

    async def _exchange(self, target: httpx2.URL, request: _Request) -> Answer:
        async with _in_words(target, request):
            # The first call loads all certificate authorities, which takes a while.
            certificates = self._certificates or await asyncio.to_thread(trust.context)
            asked = httpx2.Request(
                request.method, target, headers=request.lines(target), content=request.content
            )
            async with CheckedTransport(
                self._allowed, resolve=self._resolve, certificates=certificates
            ) as connection:
                response = await connection.handle_async_request(asked)
                try:
                    moved = _is_redirect(response.status_code, response.headers)
                    body = b"" if moved else await _beginning(response, request.longest)
                finally:
                    await response.aclose()
        now = asyncio.get_running_loop().time()
        milliseconds = round((now - request.started) * 1000)
        return Answer(response.status_code, response.headers, body, milliseconds, str(target))


async def _beginning(response: httpx2.Response, longest: int) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) >= longest:
            break
    return bytes(body[:longest])


@asynccontextmanager
async def _in_words(target: httpx2.URL, request: _Request) -> AsyncGenerator[None]:
    """Bound the time of the whole exchange, and word its failures for a person."""
    host = _host(target)
    try:
        async with asyncio.timeout_at(request.started + request.timeout):
            yield
    except (TimeoutError, httpx2.TimeoutException) as error:
        raise OutboundFailed(f"{host} did not answer within {request.timeout:g} seconds") from error
    except _BROKEN as error:
        if untried := transport.failure(error):
            raise untried from None
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
            case httpx2.RemoteProtocolError():
                return "did not give a complete answer in HTTP"
            case httpx2.LocalProtocolError() | UnicodeError():
                return "was not asked, because a header has characters that cannot be sent"
            case _:
                pass
    unreached = isinstance(error, httpx2.ConnectError)
    return "cannot be reached" if unreached else "broke off the connection"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        # The connection pool keeps the cause of an error only as its context.
        error = error.__cause__ or error.__context__


def _is_redirect(status: int, headers: httpx2.Headers) -> bool:
    return 300 <= status < 400 and "location" in headers


def _joined(base: httpx2.URL, location: str) -> str:
    try:
        return str(base.join(location).copy_with(fragment=None))
    except (httpx2.InvalidURL, ValueError):
        raise AddressRefused("it does not lead to a correct web address") from None


def _host(target: httpx2.URL) -> str:
    return target.raw_host.decode("ascii")


def _same_server(before: httpx2.URL, after: httpx2.URL) -> bool:
    """Whether scheme, host and port are the same; or the host, now by https."""
    upgraded = before.scheme == "http" and before.port is after.port is None
    same = (before.scheme, before.port) == (after.scheme, after.port)
    return before.raw_host == after.raw_host and (same or upgraded)
