"""The outermost middleware: a correlation id, one log line for each request, and no raw errors."""

import time

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick.kit import correlation
from bailiwick.kit.http import problems

log = structlog.stdlib.get_logger("bailiwick.http")


class Correlate:
    """ASGI middleware: ties a request, its log lines and its errors together."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request and log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        id = correlation.begin(
            correlation=headers.get(correlation.HEADER), traceparent=headers.get("traceparent")
        )
        answer = _Answer(send, id)
        started = time.perf_counter()
        try:
            await self._app(scope, receive, answer)
        except Exception:
            log.exception("request failed", path=scope["path"])
            if not answer.status:
                detail = "Something went wrong on our side; the log has the details."
                failure = problems.response(scope["path"], status=500, detail=detail)
                await failure(scope, receive, answer)
        principal = scope.get("state", {}).get("principal")
        write = log.warning if answer.status >= 500 else log.info
        write(
            "request",
            method=scope["method"],
            path=scope["path"],
            status=answer.status,
            milliseconds=round((time.perf_counter() - started) * 1000, 1),
            bytes=answer.size,
            userId=getattr(principal, "user_id", None),
            sessionId=getattr(principal, "session_id", None),
        )


class _Answer:
    """Watches the response, and adds the correlation id to it."""

    def __init__(self, send: Send, id: str) -> None:
        self._send = send
        self._id = id
        self.status = 0
        self.size = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message)[correlation.HEADER] = self._id
        elif message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
        await self._send(message)
