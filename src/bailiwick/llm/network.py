"""The HTTP client of all models.

Invariant: a connection is opened only to an address that `addresses.LOCAL` or the public net
covers, and to the very one that was looked at. Redirects are not followed: they could lead a key
elsewhere. Through a proxy of the environment the proxy connects, so its own rules hold there.

Imported only when a model is used.
"""

from collections.abc import Iterable
from typing import Any, cast
from urllib.request import getproxies_environment, proxy_bypass

import httpcore2
import httpx2

from bailiwick.kit.http.addresses import OutboundFailed, looked_up, system_resolve
from bailiwick.llm.addresses import LOCAL

_CONNECT = 10.0
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
# Only against connections that died: how long a model may be silent is told at each call.
_READ = 3600.0


def client() -> httpx2.AsyncClient:
    """A client for models; the caller closes it."""
    return httpx2.AsyncClient(
        transport=_Routed(),
        timeout=httpx2.Timeout(_READ, connect=_CONNECT, pool=None),
        follow_redirects=False,
        trust_env=False,
    )


class _Routed(httpx2.AsyncBaseTransport):
    """As HTTPS_PROXY, HTTP_PROXY and NO_PROXY say; this machine is never behind a proxy."""

    def __init__(self) -> None:
        given = getproxies_environment()
        self._direct = _Checked()
        self._proxies = {
            scheme: httpx2.AsyncHTTPTransport(proxy=given[scheme])
            for scheme in ("http", "https")
            if scheme in given
        }

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request on its way."""
        host, proxy = request.url.host, self._proxies.get(request.url.scheme)
        if proxy is None or host in _THIS_MACHINE or proxy_bypass(host):
            return await self._direct.handle_async_request(request)
        return await proxy.handle_async_request(request)

    async def aclose(self) -> None:
        """Close every connection."""
        for transport in (self._direct, *self._proxies.values()):
            await transport.aclose()


class _Checked(httpx2.AsyncHTTPTransport):
    def __init__(self) -> None:
        trust = httpx2.create_ssl_context()
        super().__init__(verify=trust)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trust,
            # How many at a time is each configuration's own matter.
            max_connections=None,
            max_keepalive_connections=20,
            keepalive_expiry=30.0,
            network_backend=_CheckedSockets(),
        )


class _CheckedSockets(httpcore2.AsyncNetworkBackend):
    def __init__(self) -> None:
        self._sockets = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address that answers."""
        try:
            found = await looked_up(host, port, allowed=LOCAL, resolve=system_resolve)
        except OutboundFailed as error:
            raise httpcore2.ConnectError(str(error)) from error
        for address in found[:-1]:
            try:
                return await self._sockets.connect_tcp(address, port, timeout, local_address)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._sockets.connect_tcp(found[-1], port, timeout, local_address)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._sockets.sleep(seconds)
