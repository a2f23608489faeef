"""Standard input and output for a line-based protocol, with nothing else on them."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator

LONGEST = 8 * 1024 * 1024
_BETWEEN = b"\n"


class StdinPipe:
    """Lines of standard input, read in a thread, because not every file can be awaited."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # A daemon, because nothing can interrupt its read.
        threading.Thread(target=self._read, daemon=True).start()
        while (line := await self._queue.get()) is not None:
            yield line

    def _read(self) -> None:
        try:
            while line := sys.stdin.buffer.readline(LONGEST):
                self._put(line)
        finally:
            self._put(None)

    def _put(self, line: bytes | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue.put_nowait, line)


class StdoutPipe:
    """Standard output for messages alone; other prints go to standard error."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._descriptor = os.dup(1)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def write(self, line: bytes) -> None:
        """Write one message."""
        left = memoryview(line.replace(_BETWEEN, b"") + _BETWEEN)
        while left:
            left = left[os.write(self._descriptor, left) :]
