"""Opens connections.

Invariant: a connection is opened only to an address that `addresses` allows, and to exactly the
address that was checked: a name is resolved once for each connection. This happens below TLS, which
still proves the server's name.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, cast

import httpcore2

from bailiwick.kit.net.addresses import AddressRefused, IpNetwork, OutboundFailed
from bailiwick.kit.net.lookup import Resolve, looked_up, system_resolve

# Seconds until the next of several addresses is tried.
_PATIENCE = 3.0
_UNREACHED = (httpcore2.ConnectError, httpcore2.ConnectTimeout)


class CheckedSockets(httpcore2.AsyncNetworkBackend):
    """Connections for HTTP; `allowed` are private networks that may be reached."""

    def __init__(self, allowed: Sequence[IpNetwork], *, resolve: Resolve = system_resolve) -> None:
        self._allowed = tuple(allowed)
        self._resolve = resolve
        self._sockets = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address that answers."""
        *others, last = await self._found(host, port, timeout)
        for address in others:
            with suppress(*_UNREACHED):
                patience = _PATIENCE if timeout is None else min(timeout, _PATIENCE)
                return await self._connect(address, port, patience)
        return await self._connect(last, port, timeout)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse."""
        raise AddressRefused("Sockets of this machine are not for addresses that others gave")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _found(self, host: str, port: int, seconds: float | None) -> list[str]:
        try:
            async with asyncio.timeout(seconds):
                return await looked_up(host, port, allowed=self._allowed, resolve=self._resolve)
        except TimeoutError:
            raise httpcore2.ConnectTimeout(f"{host} was not found in time") from None

    async def _connect(
        self, address: str, port: int, seconds: float | None
    ) -> httpcore2.AsyncNetworkStream:
        return _Connection(await self._sockets.connect_tcp(address, port, timeout=seconds))


class _Connection(httpcore2.AsyncNetworkStream):
    """A connection that also closes when its TLS handshake is cancelled."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream) -> None:
        self._stream = stream

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """Read some bytes."""
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Write bytes."""
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        """Start TLS; the server must prove its name."""
        try:
            return await self._stream.start_tls(ssl_context, server_hostname, timeout)
        except BaseException:
            await self._stream.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        """A property of the connection."""
        return self._stream.get_extra_info(info)


async def dial(
    host: str,
    port: int,
    *,
    allowed: Sequence[IpNetwork],
    seconds: float,
    resolve: Resolve = system_resolve,
) -> socket.socket:
    """A connected socket in blocking mode with that time limit, for protocols other than HTTP."""
    found = await looked_up(host, port, allowed=allowed, resolve=resolve)
    loop = asyncio.get_running_loop()
    dialled = loop.run_in_executor(None, _connected, host, found, port, seconds)
    try:
        return await asyncio.shield(dialled)
    except asyncio.CancelledError:
        # The thread cannot be cancelled; the socket that it opens is closed.
        dialled.add_done_callback(_hung_up)
        raise


def _hung_up(dialled: asyncio.Future[socket.socket]) -> None:
    if not dialled.cancelled() and dialled.exception() is None:
        dialled.result().close()


def _connected(host: str, addresses: Sequence[str], port: int, seconds: float) -> socket.socket:
    reason = ""
    for address in addresses:
        try:
            return socket.create_connection((address, port), timeout=seconds)
        except OSError as error:
            reason = error.strerror or str(error)
    raise OutboundFailed(f"{host}:{port} cannot be reached: {reason}")
