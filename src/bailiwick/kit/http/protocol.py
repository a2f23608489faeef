"""The server's side of a connection, for streams: how to hang up, and when the client has.

Closing a connection waits until the client has read everything, and one that does not read never
will. And a task that waits for the client to leave costs more memory than the stream itself.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bailiwick.kit.http.sse import CONNECTION

_Protocol: Any = AutoHTTPProtocol


class StreamProtocol(_Protocol):
    """The server's protocol, found by a stream in the extensions of its request."""

    lost = False
    when_lost: Callable[[], None] | None = None

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.scope["extensions"] = {CONNECTION: self}

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone, or was cut off."""
        super().connection_lost(exc)
        self.lost = True
        if self.when_lost:
            self.when_lost()
            self.when_lost = None

    def abort(self) -> None:
        """Hang up."""
        self.transport.abort()
