"""The server's side of a streaming connection: aborting it, and noticing that the client left.

Closing a connection waits until the client has read everything, which one that does not read never
does. And a task that waits for the client to leave costs more memory than the stream itself.
"""

from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from bailiwick.kit.http.sse import CONNECTION

_Protocol: Any = AutoHTTPProtocol


class StreamProtocol(_Protocol):
    """The server's protocol, which a stream finds in the extensions of its request."""

    lost = False
    when_lost: Callable[[], None] | None = None

    def on_message_begin(self) -> None:
        """Handle the start of a request."""
        super().on_message_begin()
        self.scope["extensions"] = {CONNECTION: self}

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        super().connection_lost(exc)
        self.lost = True
        if self.when_lost:
            self.when_lost()
            self.when_lost = None

    def abort(self) -> None:
        """Abort the connection."""
        self.transport.abort()
