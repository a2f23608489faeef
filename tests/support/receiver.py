"""A receiver of webhooks on loopback that answers as it is told, or not at all."""

import base64
import hashlib
import hmac
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from support.server import PATIENCE, wait_for


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def payload(self) -> dict[str, Any]:
        return json.loads(self.body)

    @property
    def signatures(self) -> list[str]:
        return self.headers["webhook-signature"].split(" ")


@dataclass(frozen=True)
class Reply:
    """What to answer; HANG answers nothing and waits until the caller goes away."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


HANG = Reply(status=0)


@dataclass
class Receiver:
    """What arrived, and what is answered: the script first, then `usual`."""

    url: str
    script: list[Reply] = field(default_factory=list)
    usual: Reply = field(default_factory=Reply)
    connections: int = 0
    received: list[Received] = field(default_factory=list)
    left_alone: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def types(self) -> list[str]:
        """The types of the events that arrived, in order."""
        return [request.payload.get("event_type", "") for request in list(self.received)]

    def next_reply(self, request: Received) -> Reply:
        with self._lock:
            self.received.append(request)
            return self.script.pop(0) if self.script else self.usual

    def wait(self, count: int = 1) -> list[Received]:
        """Wait until so many requests have come."""
        wait_for(lambda: len(self.received) >= count)
        return list(self.received)

    def wait_for_type(self, type: str, count: int = 1) -> Received:
        """Wait until an event of this type has come so many times; the last of them."""
        wait_for(lambda: self.types.count(type) >= count)
        return [one for one in self.received if one.payload.get("event_type") == type][-1]


def signature(secret: str, request: Received) -> str:
    """What a request should be signed with, worked out by the book."""
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    assert len(key) == 32
    said = request.headers
    content = f"{said['webhook-id']}.{said['webhook-timestamp']}.".encode() + request.body
    return "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()


@contextmanager
def receiving(host: str = "127.0.0.1", *script: Reply) -> Iterator[Receiver]:
    """A receiver that listens until the block ends."""
    server = ThreadingHTTPServer((host, 0), _Handler)
    server.daemon_threads = True
    server.receiver = made = Receiver(f"http://{host}:{server.server_port}", list(script))  # pyright: ignore[reportAttributeAccessIssue]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def setup(self) -> None:
        super().setup()
        self._receiver.connections += 1

    @property
    def _receiver(self) -> Receiver:
        return self.server.receiver  # pyright: ignore[reportAttributeAccessIssue]

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self._receiver.next_reply(Received(self.path, headers, body))
        if reply is HANG:
            self._wait_until_left()
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        self.wfile.write(reply.body)

    def _wait_until_left(self) -> None:
        self.close_connection = True
        self.connection.settimeout(PATIENCE)
        try:
            gone = self.connection.recv(1) == b""
        except ConnectionError:
            gone = True
        if gone:
            self._receiver.left_alone.set()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
