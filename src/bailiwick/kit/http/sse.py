"""Server-sent events: each frame is made once for all clients, and no client delays the server.

A client has a bounded backlog. One that does not read is cut off and returns with the id of the
last frame it saw; the server neither waits for it nor keeps what it missed.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONNECTION = "bailiwick.connection"
_DETACHED = "bailiwick.detached"
# The parts of the scope that the server still reads during a response.
_NEEDED = {"type", "method", "path"}
BEAT = b": beat\n\n"
OPENING = b"retry: 2000\n: hello\n\n"
_LONGEST_BACKLOG = 1_000_000
_PATIENCE_SECONDS = 60.0
_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


def frame(data: Any, *, id: int | None = None) -> bytes:
    """One event on the wire; JSON in ASCII holds no line break, and lone surrogates are escaped."""
    text = json.dumps(data, separators=(",", ":"))
    head = f"id: {id}\n" if id is not None else ""
    return f"{head}data: {text}\n\n".encode()


class SseConnection(Protocol):
    """The server's connection below a request."""

    lost: bool
    when_lost: Callable[[], None] | None

    def abort(self) -> None:
        """Abort without waiting for the client to read."""
        ...


class SseClient:
    """One open stream: its backlog, and ways to end it."""

    __slots__ = ("_backlog", "_connection", "_sending_since", "_size", "_waiter", "ended")

    def __init__(self) -> None:
        self._backlog: list[bytes] = []
        self._size = 0
        self._waiter: asyncio.Future[None] | None = None
        self._sending_since: float | None = None
        self._connection: SseConnection | None = None
        self.ended = False

    def offer(self, frames: bytes) -> None:
        """Queue a frame; a client that is too far behind is cut off."""
        if self.ended:
            return
        self._size += len(frames)
        if self._size > _LONGEST_BACKLOG:
            self.cut()
            return
        self._backlog.append(frames)
        self._wake()

    def beat(self) -> None:
        """Send a heartbeat, unless the client has not read for long."""
        since = self._sending_since
        if since and asyncio.get_running_loop().time() - since > _PATIENCE_SECONDS:
            self.cut()
        else:
            self.offer(BEAT)

    def end(self) -> None:
        """End the stream after the queued frames."""
        self.ended = True
        self._wake()

    def cut(self) -> None:
        """Close the stream at once, even if the client never reads the rest."""
        self._backlog.clear()
        self.end()
        if self._connection:
            self._connection.abort()

    def attach(self, connection: "SseConnection | None") -> None:
        """Use the server's connection, where there is one, to abort and to notice its end."""
        self._connection = connection
        if connection and connection.lost:
            self._lost()
        elif connection:
            connection.when_lost = self._lost

    async def serve(self, receive: Receive, send: Send) -> None:
        """Send queued frames until either side ends the stream."""
        leaving = None if self._connection else asyncio.create_task(self._wait_for_leave(receive))
        try:
            while not self.ended or self._backlog:
                if not self._backlog:
                    self._waiter = asyncio.get_running_loop().create_future()
                    await self._waiter
                    continue
                body = self._backlog[0] if len(self._backlog) == 1 else b"".join(self._backlog)
                self._backlog.clear()
                self._size = 0
                await self.send(body, send)
        finally:
            if leaving:
                leaving.cancel()

    async def send(self, body: bytes, send: Send) -> None:
        """Write, and remember since when the write is pending."""
        self._sending_since = asyncio.get_running_loop().time()
        await send({"type": "http.response.body", "body": body, "more_body": True})
        self._sending_since = None

    async def _wait_for_leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._lost()

    def _lost(self) -> None:
        self._connection = None
        self._backlog.clear()
        self.end()

    def _wake(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)


class EventStream(Response):
    """A stream: the `replay` of earlier events, then whatever is offered to the client."""

    media_type = "text/event-stream"

    def __init__(
        self, client: SseClient, replay: AsyncIterator[bytes], *, close: Callable[[], None]
    ) -> None:
        super().__init__(headers=_HEADERS)
        self._client = client
        self._replay = replay
        self._close = close

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one stream until it ends."""
        headers = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
        start: Message = {"type": "http.response.start", "status": 200, "headers": headers}
        self._client.attach(scope.get("extensions", {}).get(CONNECTION))
        await send(start)
        if (detached := scope.get(_DETACHED)) is not None:
            detached.append(self._go_on)
        else:
            await self._go_on(receive, send)

    async def _go_on(self, receive: Receive, send: Send) -> None:
        client = self._client
        try:
            await client.send(OPENING, send)
            async for frames in self._replay:
                if client.ended:
                    break
                await client.send(frames, send)
            await client.serve(receive, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._close()


class Detach:
    """ASGI wrapper: serves a stream after the app has released the request.

    A thousand open streams would otherwise keep a thousand stacks of middleware in memory.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, and then its stream if it opened one."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        detached: list[Callable[[Receive, Send], Awaitable[None]]] = []
        scope[_DETACHED] = detached
        await self._app(scope, receive, send)
        while detached:
            for name in scope.keys() - _NEEDED:
                del scope[name]
            await detached.pop()(receive, send)
