"""The server's side of a connection: what a request must look like, and how long it may take.

Closing a connection waits until the client has read everything, which one that does not read never
does. And a task that waits for the client to leave costs more memory than the stream itself.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bailiwick.kit.http.sse import CONNECTION

log = structlog.stdlib.get_logger("bailiwick.server")
_Protocol: Any = HttpToolsProtocol
# Of which two would be two answers to one question: a proxy might believe the other.
_ONCE = frozenset(
    (b"host", b"origin", b"authorization", b"content-length", b"content-type", b"transfer-encoding")
)
_LONGEST_HEAD = 64 * 1024
_PROGRESS = 64 * 1024  # of a body; less than this in the time given is as good as nothing
_ANSWER = (
    b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
    b"connection: close\r\n\r\n%b"
)
# What is still to come of the request: its head, its body, or nothing.
_Part = Literal["head", "body", "nothing"]


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How long the head of a request may take, or 64 KB of its body; how many may be connected."""

    seconds: float = 30.0
    most: int = 5_000


class BadRequestHead(ValueError):
    """The head of a request is such that two readers could understand it in two ways."""


class StreamProtocol(_Protocol):
    """The server's protocol, which a stream finds in the extensions of its request."""

    lost = False
    when_lost: Callable[[], None] | None = None
    _timer: asyncio.TimerHandle | None = None
    _part: _Part = "head"
    _read = 0

    def __init__(self, *args: Any, limits: ConnectionLimits | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._limits = limits or ConnectionLimits()

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Someone connects, and has so long for the first request."""
        super().connection_made(transport)
        if len(self.connections) > self._limits.most:
            log.warning("too many connections; one more is refused", most=self._limits.most)
            self._hang_up(b"503 Service Unavailable", b"Too many connections. Try again later.")
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Some bytes; what must follow them has its time anew only if there is progress."""
        before = self._part
        self._read += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            self._stop_waiting()
        elif self._part == "head" and self._read > _LONGEST_HEAD:
            self._hang_up(b"431 Request Header Fields Too Large", b"The headers are too large.")
        elif self._part == "nothing" and not self._is_between_requests():
            self._stop_waiting()
        elif self._timer is None or self._part != before or self._has_progress():
            self._wait()

    def on_message_begin(self) -> None:
        """Handle the start of a request."""
        super().on_message_begin()
        self._part, self._read = "head", 0
        self.scope["extensions"] = {CONNECTION: self}

    def on_headers_complete(self) -> None:
        """The head of a request is there; one that can be misunderstood goes no further."""
        self._part = "body"
        _check_head(self.url, self.headers)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of the request is there."""
        super().on_message_complete()
        self._part = "nothing"

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        super().connection_lost(exc)
        self._stop_waiting()
        self.lost = True
        if self.when_lost:
            self.when_lost()
            self.when_lost = None

    def abort(self) -> None:
        """Abort the connection."""
        self.transport.abort()

    def _is_between_requests(self) -> bool:
        """Whether nothing but empty lines came since the last answer."""
        done = self.cycle is None or self.cycle.response_complete
        return done and self.timeout_keep_alive_task is None

    def _has_progress(self) -> bool:
        return self._part == "body" and self._read > _PROGRESS

    def _wait(self) -> None:
        self._stop_waiting()
        if self._part == "body":
            self._read = 0
        self._timer = self.loop.call_later(self._limits.seconds, self._late)

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        if self._part == "body" and (self.flow.read_paused or self.cycle.waiting_for_100_continue):
            self._wait()  # it is us who do not read on
        else:
            self._hang_up(b"408 Request Timeout", b"The rest of the request did not come.")

    def _hang_up(self, status: bytes, words: bytes) -> None:
        self._stop_waiting()
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.get_write_buffer_size():
            self.transport.abort()  # in the middle of an answer another one means nothing
        elif not self.transport.is_closing():
            self.transport.write(_ANSWER % (status, len(words), words))
            self.transport.close()


def _check_head(target: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    """Raise if another server could read this head as another request; the answer is then 400."""
    if not target.startswith(b"/"):
        raise BadRequestHead("The target must be a path.")
    counted = Counter(name for name, _ in headers if name in _ONCE)
    if twice := [name for name, count in counted.items() if count > 1]:
        raise BadRequestHead(f"{twice[0].decode()} is there twice.")
    coding = next((value for name, value in headers if name == b"transfer-encoding"), None)
    if coding is not None and (coding.lower() != b"chunked" or b"content-length" in counted):
        raise BadRequestHead("The length of the body is not clear.")
    if sum(len(name) + len(value) for name, value in headers) > _LONGEST_HEAD:
        raise BadRequestHead("The headers are too large.")
