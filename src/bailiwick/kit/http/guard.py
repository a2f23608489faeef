"""Keeps other web pages out: exact Host, exact Origin, and the browser's fetch metadata.

A page on another origin, or on another port of localhost, can make the browser send requests here,
cookie and all (cookies ignore ports, and another port is "same-site"). So an API request that a
browser marks as coming from anywhere but our own pages is refused, and so is any request with a
Host that is not ours (DNS rebinding). A top-level navigation may come from anywhere, because it
only shows a page; so a link in a mail, or the redirect from a log-in provider, works.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import URL, Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from bailiwick.errors import BailiwickError, Forbidden, Invalid, Misdirected
from bailiwick.kit.http import problems

_PORTS = {"http": 80, "https": 443}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class Guard:
    """ASGI middleware: refuses foreign requests before anything else handles them."""

    def __init__(self, app: ASGIApp, *, origin: str, local: Sequence[str], public: bool) -> None:
        self._app = app
        self._origin = origin
        self._origins = {origin} if public else {origin, *local}
        self._local_hosts = {form for known in local for form in _host_forms(known)}
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
        is_plain = self._origin.startswith("https://") and scope["scheme"] == "http"
        if is_plain and headers.get("host", "").lower() not in self._local_hosts:
            target = URL(scope=scope).replace(scheme="https", netloc=urlsplit(self._origin).netloc)
            await RedirectResponse(target, 308)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        if len(headers.getlist("host")) > 1:
            raise Invalid("A request has one Host header, and this one has several.")
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            raise Misdirected(
                f"This server is not called {host or 'nothing'}. Use {self._origin}, or set "
                f"BAILIWICK_URL to the address you use."
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in self._origins:
            raise Forbidden("Requests from other web pages are refused.")
        site = headers.get("sec-fetch-site", "none")
        if site not in ("none", "same-origin") and not _is_navigation(scope, headers):
            raise Forbidden("Requests from other web pages are refused.")


def comes_from_our_page(headers: Headers) -> bool:
    """Whether the browser says that one of our own pages sent this (Origin was checked before)."""
    return "origin" in headers or headers.get("sec-fetch-site") == "same-origin"


def _is_navigation(scope: Scope, headers: Headers) -> bool:
    return (
        scope["method"] == "GET"
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and not scope["path"].startswith("/api/")
    )


def _host_forms(origin: str) -> set[str]:
    """The Host headers that name this origin, with and without its default port."""
    parts = urlsplit(origin)
    return (
        {parts.netloc} if parts.port else {parts.netloc, f"{parts.netloc}:{_PORTS[parts.scheme]}"}
    )
