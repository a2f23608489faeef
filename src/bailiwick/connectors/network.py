"""The net as a connector sees it: the hosts that it declared, at addresses that may be talked to.

Invariant: a connection is opened only to a declared host and port, and to the very address that was
looked at. Redirects are not followed, and there are no proxies, cookies or .netrc: a token goes
nowhere but where it belongs.
"""

import asyncio
import socket
import ssl
from collections.abc import Iterable, Sequence
from functools import cache
from typing import cast

import httpcore
import httpx

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.kit.http.addresses import (
    Network as Subnet,
)
from bailiwick.kit.http.addresses import (
    OutboundFailed,
    Resolve,
    looked_up,
    system_resolve,
)

_CONNECT_SECONDS = 15.0
_READ_SECONDS = 60.0
_KEPT_ALIVE = 10


class Network:
    """What one account of one connector may reach; `allowed` are private networks it may too."""

    def __init__(
        self,
        hosts: Sequence[str],
        *,
        allowed: Sequence[Subnet] = (),
        resolve: Resolve = system_resolve,
    ) -> None:
        self.hosts = frozenset(host.lower() for host in hosts)
        self._allowed = tuple(allowed)
        self._resolve = resolve

    async def addresses(self, host: str, port: int) -> list[str]:
        """Where a declared host is; `ConnectorFailed` for any other."""
        if f"{host}:{port}".lower() not in self.hosts:
            raise ConnectorFailed(
                "other", f"{host}:{port} is not among the hosts that this connector declared."
            )
        try:
            return await looked_up(host, port, allowed=self._allowed, resolve=self._resolve)
        except OutboundFailed as error:
            raise ConnectorFailed("network", f"{error}.") from None

    async def dial(
        self, host: str, port: int, *, seconds: float = _CONNECT_SECONDS
    ) -> socket.socket:
        """A connected socket, in blocking mode with that time limit, for clients with threads."""
        found = await self.addresses(host, port)
        loop = asyncio.get_running_loop()
        dialled = loop.run_in_executor(None, _connected, host, found, port, seconds)
        try:
            return await asyncio.shield(dialled)
        except asyncio.CancelledError:
            # The thread goes on all the same, and what it gets is nobody's.
            dialled.add_done_callback(_hung_up)
            raise

    def http(self) -> httpx.AsyncClient:
        """A client for the declared hosts; the caller closes it."""
        transport = httpx.AsyncHTTPTransport(verify=_trust(), trust_env=False)
        transport._pool = httpcore.AsyncConnectionPool(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage, reportAttributeAccessIssue]
            ssl_context=_trust(),
            max_keepalive_connections=_KEPT_ALIVE,
            keepalive_expiry=30.0,
            network_backend=_Declared(self),
        )
        return httpx.AsyncClient(
            transport=transport,
            timeout=httpx.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
            follow_redirects=False,
            trust_env=False,
        )


@cache
def _trust() -> ssl.SSLContext:
    """Whose certificates count; reading them takes a moment, so that is done once."""
    return httpx.create_ssl_context(trust_env=False)


class _Declared(httpcore.AsyncNetworkBackend):
    def __init__(self, network: Network) -> None:
        self._network = network
        self._sockets = cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address that answers."""
        *others, last = await self._network.addresses(host, port)
        for address in others:
            try:
                return await self._sockets.connect_tcp(address, port, timeout, local_address)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(last, port, timeout, local_address)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


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
    raise ConnectorFailed("network", f"{host}:{port} cannot be reached: {reason}.")
