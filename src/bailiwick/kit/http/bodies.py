"""A limit on the size of request bodies."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick.errors import TooLarge
from bailiwick.kit.http import problems

MAX_BYTES = 10 * 1024 * 1024
_DETAIL = "The request is too large: 10 MB at most."


class BodyLimit:
    """ASGI middleware: stops reading when a body exceeds the limit."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request with a bounded body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdigit() or int(declared) > MAX_BYTES:
            await problems.from_error(scope["path"], TooLarge(_DETAIL))(scope, receive, send)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > MAX_BYTES:
                # An HTTPException is the one error that the framework's body parser lets through.
                raise HTTPException(413, _DETAIL)
            return message

        await self._app(scope, counted, send)
