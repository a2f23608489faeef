"""No request may send more than we are ready to read, nor nest it deeper."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick.errors import FieldErrors, TooLarge
from bailiwick.kit import json_depth
from bailiwick.kit.http import problems

MAX_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LargeBodies:
    """Requests that may send more, because they are read piece by piece."""

    method: str
    path: re.Pattern[str]
    most: int


class UnusableBody(HTTPException):
    """What a body is refused with: the one error that the framework's parser lets through."""

    def __init__(self, status: int, detail: str, *, fields: FieldErrors | None = None) -> None:
        super().__init__(status, detail)
        self.fields = fields


class BodyLimit:
    """ASGI middleware: stops reading when a body grows past a limit."""

    def __init__(self, app: ASGIApp, *, larger: Sequence[LargeBodies] = ()) -> None:
        self._app = app
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request with a bounded body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        declared = headers.get("content-length", "0")
        most = self._most(scope)
        detail = f"The request is too large: {most // 1_000_000} MB at most."
        if not declared.isdigit() or int(declared) > most:
            await problems.from_error(scope["path"], TooLarge(detail))(scope, receive, send)
            return
        read, parts = 0, list[bytes]()
        # What is read piece by piece is nobody's JSON.
        is_json = most == MAX_BYTES and "json" in headers.get("content-type", "json").lower()

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            part: bytes = message.get("body", b"")
            read += len(part)
            if read > most:
                raise UnusableBody(413, detail)
            if is_json and part:
                parts.append(part)
            if is_json and not message.get("more_body"):
                _check_depth(parts)
            return message

        await self._app(scope, counted, send)

    def _most(self, scope: Scope) -> int:
        for each in self._larger:
            if scope["method"] == each.method and each.path.fullmatch(scope["path"]):
                return each.most
        return MAX_BYTES


def _check_depth(parts: list[bytes]) -> None:
    field = json_depth.deep_field(b"".join(parts))
    parts.clear()
    if field:
        words = json_depth.message()
        raise UnusableBody(400, f"{field}: {words}", fields={field: [words]})
