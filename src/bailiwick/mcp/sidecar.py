"""Runs the bridge, through a running office or one that it starts.

The server needs the main thread for signals, so the bridge runs in another, and stops its own
server by the signal that stops any server.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from pydantic import SecretStr

from bailiwick.config import Settings
from bailiwick.errors import DataFolderBusy
from bailiwick.kit.folder import DataFolder
from bailiwick.mcp.office_route import FixedRoute, LocalRoute, OfficeRoute
from bailiwick.mcp.pipes import StdinPipe, StdoutPipe
from bailiwick.mcp.stdio import Bridge

_LOOK_SECONDS = 0.2
_START_SECONDS = 60.0


def elsewhere(url: str, token: SecretStr, output: StdoutPipe) -> None:
    """Bridge to an office at this address until the input ends."""
    asyncio.run(_bridge(FixedRoute(url, token), output))


def here(
    settings: Settings,
    output: StdoutPipe,
    *,
    token: SecretStr | None,
    client: str | None,
    serve: Callable[[Settings], None],
) -> None:
    """Bridge to the office of this data folder; start it if no process serves it."""
    folder = DataFolder(settings.data)
    bridging = _Bridging(folder, LocalRoute(folder, token=token, client=client), output)
    # Until the server installs its own handler, and when no server is started.
    signal.signal(signal.SIGTERM, _leave)
    bridging.start()
    while not bridging.over.wait(_LOOK_SECONDS if folder.server() else 0):
        if folder.server() is None and _served(settings, serve, bridging):
            return


def _leave(_number: int, _frame: object) -> None:
    sys.exit()


def _served(settings: Settings, serve: Callable[[Settings], None], bridging: "_Bridging") -> bool:
    """Serve until told to stop; False if another process serves already."""
    bridging.serves = True
    try:
        serve(settings)
    except DataFolderBusy:
        # A command holds the folder for a moment, or another server is starting.
        time.sleep(_LOOK_SECONDS)
        return False
    finally:
        bridging.serves = False
    return DataFolder(settings.data).server() is None


class _Bridging(threading.Thread):
    """The bridge in its own thread."""

    def __init__(self, folder: DataFolder, route: OfficeRoute, output: StdoutPipe) -> None:
        super().__init__(daemon=True)
        self._folder = folder
        self._route = route
        self._output = output
        self.over = threading.Event()
        self.serves = False

    def run(self) -> None:
        """Wait for the office, bridge, and stop the office."""
        try:
            self._folder.server(patience=_START_SECONDS)
            asyncio.run(_bridge(self._route, self._output))
        finally:
            self.over.set()
            if self.serves:
                os.kill(os.getpid(), signal.SIGTERM)


async def _bridge(route: OfficeRoute, output: StdoutPipe) -> None:
    try:
        await Bridge(route, output.write).run(StdinPipe())
    except BrokenPipeError:
        print("bailiwick: the client has gone", file=sys.stderr)  # noqa: T201
