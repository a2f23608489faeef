"""The network as a connector sees it: its declared hosts, at addresses that are allowed.

Invariant: a connection is opened only to a declared host and port, so a token reaches no other
server. `kit.net` checks the address.
"""

import socket
from collections.abc import Sequence

import httpx2

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.kit.net import transport
from bailiwick.kit.net.addresses import IpNetwork, OutboundFailed
from bailiwick.kit.net.client import client
from bailiwick.kit.net.lookup import Resolve, system_resolve
from bailiwick.kit.net.sockets import dial
from bailiwick.kit.net.transport import CheckedTransport

_CONNECT_SECONDS = 15.0
_READ_SECONDS = 60.0
_PORTS = {"http": 80, "https": 443}


class Network:
    """The network of one account; `allowed` are private networks that it may reach too."""

    def __init__(
        self,
        hosts: Sequence[str],
        *,
        allowed: Sequence[IpNetwork] = (),
        resolve: Resolve = system_resolve,
    ) -> None:
        self.hosts = frozenset(host.lower() for host in hosts)
        self._allowed = tuple(allowed)
        self._resolve = resolve

    def check(self, host: str, port: int | None) -> None:
        """`ConnectorFailed` unless the host and port were declared."""
        if f"{host}:{port}".lower() not in self.hosts:
            raise ConnectorFailed(
                "other", f"{host}:{port} is not among the hosts that this connector declared."
            )

    async def dial(
        self, host: str, port: int, *, seconds: float = _CONNECT_SECONDS
    ) -> socket.socket:
        """A connected socket, in blocking mode with that time limit."""
        self.check(host, port)
        try:
            return await dial(
                host, port, allowed=self._allowed, seconds=seconds, resolve=self._resolve
            )
        except OutboundFailed as error:
            raise ConnectorFailed("network", f"{error}.") from None

    def http(self) -> httpx2.AsyncClient:
        """A client for the declared hosts; the caller closes it."""
        declared = _Declared(self, self._allowed, resolve=self._resolve)
        return client(declared, connect=_CONNECT_SECONDS, read=_READ_SECONDS)


class _Declared(CheckedTransport):
    def __init__(self, network: Network, allowed: Sequence[IpNetwork], *, resolve: Resolve) -> None:
        super().__init__(allowed, resolve=resolve)
        self._network = network

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One exchange with a declared host."""
        url = request.url
        self._network.check(url.raw_host.decode("ascii"), url.port or _PORTS.get(url.scheme))
        try:
            return await super().handle_async_request(request)
        except httpx2.ConnectError as error:
            if untried := transport.failure(error):
                raise ConnectorFailed("network", f"{untried}.") from None
            raise
