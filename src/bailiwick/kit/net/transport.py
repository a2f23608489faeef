"""HTTP over checked connections, for httpx2 and for every library that takes its clients.

It uses the public interfaces of httpcore2 and httpx2: a network backend below, a transport above.
No answer is longer than `longest`, whatever a server announces.
"""

import ssl
from collections.abc import AsyncIterable, AsyncIterator, Generator, Sequence
from contextlib import contextmanager
from typing import cast

import httpcore2
import httpx2

from bailiwick.kit.net import trust
from bailiwick.kit.net.addresses import IpNetwork, OutboundFailed
from bailiwick.kit.net.lookup import Resolve, system_resolve
from bailiwick.kit.net.sockets import CheckedSockets
from bailiwick.kit.net.urls import check_server

LONGEST = 128 * 1024 * 1024
_KEPT_SECONDS = 30.0
_SAME = (
    *("TimeoutException", "ConnectTimeout", "ReadTimeout", "WriteTimeout", "PoolTimeout"),
    *("NetworkError", "ConnectError", "ReadError", "WriteError"),
    *("ProtocolError", "LocalProtocolError", "RemoteProtocolError", "UnsupportedProtocol"),
)
# Both libraries name their errors alike.
_ERRORS: dict[type[Exception], type[httpx2.TransportError]] = {
    getattr(httpcore2, name): getattr(httpx2, name) for name in _SAME
}


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Sends requests; `allowed` are private networks that may be reached."""

    def __init__(
        self,
        allowed: Sequence[IpNetwork] = (),
        *,
        resolve: Resolve = system_resolve,
        certificates: ssl.SSLContext | None = None,
        at_once: int | None = 10,
        kept: int = 10,
        longest: int = LONGEST,
    ) -> None:
        self._allowed = tuple(allowed)
        self._longest = longest
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=certificates or trust.context(),
            max_connections=at_once,
            max_keepalive_connections=kept,
            keepalive_expiry=_KEPT_SECONDS,
            network_backend=CheckedSockets(self._allowed, resolve=resolve),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; a refused address is a `ConnectError` with the reason as its cause."""
        url = request.url
        with _translated():
            check_server(url, self._allowed)
            answer = await self._pool.handle_async_request(
                httpcore2.Request(
                    request.method,
                    httpcore2.URL(
                        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                    ),
                    headers=request.headers.raw,
                    content=cast("AsyncIterable[bytes]", request.stream),
                    extensions=request.extensions,
                )
            )
        body = _Body(cast("AsyncIterable[bytes]", answer.stream), self._longest)
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=body, extensions=answer.extensions
        )

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: AsyncIterable[bytes], longest: int) -> None:
        self._stream = stream
        self._left = longest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _translated():
            async for piece in self._stream:
                self._left -= len(piece)
                if self._left < 0:
                    raise httpx2.ReadError("The answer is too long")
                yield piece

    async def aclose(self) -> None:
        """Close the response without reading the rest."""
        close = getattr(self._stream, "aclose", None)
        if close is not None:
            await close()


def failure(error: BaseException) -> OutboundFailed | None:
    """The reason why no connection was tried, if that is the cause of an error."""
    cause = error.__cause__
    return cause if isinstance(cause, OutboundFailed) else None


@contextmanager
def _translated() -> Generator[None]:
    """Turn httpcore2's errors into httpx2's."""
    try:
        yield
    except OutboundFailed as error:
        raise httpx2.ConnectError(str(error)) from error
    except tuple(_ERRORS) as error:
        kind = next(_ERRORS[known] for known in type(error).__mro__ if known in _ERRORS)
        raise kind(str(error)) from error
