"""`bailiwick serve`: one process that owns the data folder, listens, and says where."""

import asyncio
import errno
import os
import resource
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

import structlog
import uvicorn

from bailiwick import __version__, features
from bailiwick.app import create_app
from bailiwick.config import Settings
from bailiwick.errors import DataFolderBusy, DataFolderUnusable, PortTaken
from bailiwick.identity import links, users
from bailiwick.kit import logs
from bailiwick.kit.folder import DataFolder, RunningServer
from bailiwick.kit.http.protocol import ConnectionLimits, StreamProtocol
from bailiwick.kit.http.sse import Detach
from bailiwick.mcp.http import McpEndpoint
from bailiwick.notify.streams import Streams
from bailiwick.office import Office, at_work, opened

_PATIENCE_SECONDS = 5.0
_OPEN_FILES = 65_536
log = structlog.stdlib.get_logger("bailiwick.server")


def serve(settings: Settings) -> None:
    """Serve until stopped; a second server on the same folder only points to the first."""
    folder = DataFolder(settings.data)
    folder.prepare()
    configure_logs(settings)
    _allow_many_connections()
    try:
        with folder.owned():
            listener = _listen(settings.host, settings.port)
            with asyncio.Runner(loop_factory=fastest_loop()) as runner:
                runner.run(_serve(settings, folder, listener))
    except DataFolderBusy:
        first = folder.server(patience=_PATIENCE_SECONDS)
        if first is None:
            raise
        _say(f"Bailiwick is running already: {first.origin}")


async def _serve(settings: Settings, folder: DataFolder, listener: socket.socket) -> None:
    async with opened(settings, features.installed()) as office, at_work(office):
        app = create_app(office)
        server = _Server(
            uvicorn.Config(
                Detach(app),
                # It is called like the class that it stands for.
                http=cast("Any", partial(StreamProtocol, limits=_limits(settings))),
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=10,
            )
        )
        announced = RunningServer(
            os.getpid(), settings.local_origin, settings.origin, office.operator_token
        )
        with folder.announced(announced):
            server.ready_message = await _ready_message(office)
            server.before_shutdown = partial(_end_streams, office)
            await server.serve(sockets=[listener])


def _limits(settings: Settings) -> ConnectionLimits:
    return ConnectionLimits(settings.request_seconds, settings.connections)


def _end_streams(office: Office) -> None:
    office[Streams].close()
    office[McpEndpoint].close()


class _Server(uvicorn.Server):
    ready_message: str
    before_shutdown: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _say(self.ready_message)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        with super().capture_signals():
            yield
            # Raised again, a signal would end the process before everything is closed.
            self._captured_signals.clear()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A stream has no end of its own that could be waited for.
        self.before_shutdown()
        await super().shutdown(sockets)


async def _ready_message(office: Office) -> str:
    lines = [f"Bailiwick {__version__} is ready: {office.settings.origin}"]
    if office.storage.kind == "sqlite" and office.data_key is None:
        log.warning("the database is not encrypted: set BAILIWICK_DATA_KEY (docs/keys.md)")
    async with office.storage.app.write() as session:
        if await users.count(session) == 0:
            secret = await links.create(session, "owner", hasher=office.hasher)
            link = f"{office.settings.origin}/setup#{secret}"
            lines.append(f"Open this link once to become its owner:\n\n  {link}\n")
    return "\n".join(lines)


def _allow_many_connections() -> None:
    """Every stream is an open file, and many systems allow a thousand unless asked for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _listen(host: str, port: int) -> socket.socket:
    listener: socket.socket | None = None
    try:
        address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(address[0], socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address[4])
        listener.listen(2048)
        return listener
    except OSError as error:
        if listener:
            listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"Port {port} is taken by another program. Choose another one: "
                f"bailiwick serve --port {port + 1 if port < 65535 else 8787} (or BAILIWICK_PORT)."
            ) from None
        raise PortTaken(f"Cannot listen on {host}:{port}: {error.strerror}.") from None


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, where there is one."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def configure_logs(settings: Settings) -> None:
    """Write logs as the settings say."""
    try:
        logs.configure(level=settings.log_level, format=settings.log_format, file=settings.log_file)
    except OSError as error:
        raise DataFolderUnusable(
            f"The log file {settings.log_file} cannot be written: {error.strerror}."
        ) from None


def _say(text: str) -> None:
    print(text, file=sys.stdout, flush=True)  # noqa: T201
