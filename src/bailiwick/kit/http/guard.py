"""Keeps other web pages out: exact Host, exact Origin, and what the browser says of the sender.

A page on another origin, or on another port of localhost, can make the browser send requests here,
cookie and all (cookies ignore ports, and another port is "same-site"). So an API request that a
browser marks as coming from anywhere but our own pages is refused, and so is any request whose
Host is not ours (DNS rebinding). A top-level navigation may come from anywhere, since it only shows
a page; so a link in a mail, or the redirect from a log-in provider, works.
"""

from urllib.parse import urlsplit

from starlette.datastructures import URL, Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bailiwick.errors import BailiwickError, Forbidden, Misdirected
from bailiwick.kit.http import problems

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_DEFAULT_PORTS = {"http": 80, "https": 443}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Guard:
    """ASGI middleware: refuses strangers before anything else looks at the request."""

    def __init__(self, app: ASGIApp, *, origin: str, bound: str, public: bool) -> None:
        self._app = app
        self._origin = origin
        port = bound.rpartition(":")[2]
        self._local_hosts = {bound, *(f"{name}:{port}" for name in _LOOPBACK)}
        local_origins = set() if public else {f"http://{host}" for host in self._local_hosts}
        self._origins = {origin, *local_origins}
        self._hosts = {*_host_forms(origin), *self._local_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request and pass it on."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
        except BailiwickError as error:
            await problems.from_error(scope["path"], error)(scope, receive, send)
            return
        if self._must_be_secure(scope, headers):
            target = URL(scope=scope).replace(scheme="https", netloc=urlsplit(self._origin).netloc)
            await RedirectResponse(target, 308)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            raise Misdirected(
                f"This server is not called {host or 'nothing'}. Use {self._origin}, or set "
                f"BAILIWICK_URL to the address you use."
            )
        if (origin := headers.get("origin")) and origin.lower() not in self._origins:
            raise Forbidden("Requests from other web pages are refused.")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not _is_navigation(scope, headers):
            raise Forbidden("Requests from other web pages are refused.")

    def _must_be_secure(self, scope: Scope, headers: Headers) -> bool:
        return (
            self._origin.startswith("https://")
            and scope["scheme"] == "http"
            and headers.get("host", "").lower() not in self._local_hosts
        )


def comes_from_our_page(headers: Headers) -> bool:
    """Whether a browser vouches that one of our own pages sent this (Origin itself was checked)."""
    return "origin" in headers or headers.get("sec-fetch-site") == "same-origin"


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    return (
        scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not scope["path"].startswith("/api/")
    )


def _host_forms(origin: str) -> set[str]:
    parts = urlsplit(origin)
    netloc = parts.netloc.lower()
    if parts.port == _DEFAULT_PORTS[parts.scheme]:
        return {netloc, netloc.rsplit(":", 1)[0]}
    if parts.port is None:
        return {netloc, f"{netloc}:{_DEFAULT_PORTS[parts.scheme]}"}
    return {netloc}
