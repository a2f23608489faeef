"""One request in progress, and whether its client still waits."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from starlette.types import Receive

from bailiwick.mcp.clients.directory import KnownClient
from bailiwick.mcp.faults import CANCELLED, INTERNAL_ERROR, ProtocolFault

# Most calls end before this and need no watcher.
_QUICK_SECONDS = 0.25
_REPORT_EVERY_SECONDS = 2.0
T = TypeVar("T")
# Called with the seconds that have passed.
ReportProgress = Callable[[float], Awaitable[None]]


class Exchange:
    """A client's request, until it is answered, cancelled or its connection is lost."""

    def __init__(
        self, known: KnownClient, receive: Receive, *, recheck: Callable[[], Awaitable[KnownClient]]
    ) -> None:
        self.known = known
        # Whether the client is still admitted; checked after a wait.
        self.recheck = recheck
        self._receive = receive
        self._cancelled = asyncio.Event()
        self._closing = False
        self._over = False

    def cancel(self) -> None:
        """Cancel: the client no longer wants the answer."""
        self._cancelled.set()

    def close(self) -> None:
        """Cancel: the server stops."""
        self._closing = True
        self._cancelled.set()

    async def attend(self, work: Awaitable[T], *, report: ReportProgress | None = None) -> T:
        """Await the work while the client waits for its answer.

        Cancelling ends the wait; the gate still finishes what it has begun to write.
        """
        task = asyncio.current_task()
        assert task is not None
        watching: list[asyncio.Task[None]] = []

        def watch() -> None:
            watching.append(asyncio.create_task(self._watch(task, report)))

        timer = asyncio.get_running_loop().call_later(_QUICK_SECONDS, watch)
        try:
            return await work
        except asyncio.CancelledError:
            if self._over and task.uncancel() == 0:
                raise self._fault() from None
            raise
        finally:
            timer.cancel()
            for watcher in watching:
                watcher.cancel()

    async def _watch(self, task: asyncio.Task[Any], report: ReportProgress | None) -> None:
        """Report progress while the client waits, then end the wait."""
        started = time.monotonic()
        ends = [asyncio.create_task(self._cancelled.wait()), asyncio.create_task(self._left())]
        try:
            while not any(end.done() for end in ends):
                if report:
                    await report(time.monotonic() - started)
                pause = _REPORT_EVERY_SECONDS if report else None
                await asyncio.wait(ends, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            self._over = True
            task.cancel()
        finally:
            for end in ends:
                end.cancel()

    async def _left(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def _fault(self) -> ProtocolFault:
        if self._closing:
            return ProtocolFault(INTERNAL_ERROR, "The server is stopping. Ask again in a moment.")
        return ProtocolFault(CANCELLED, "The request was cancelled.")
