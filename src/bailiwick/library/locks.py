"""One writer at a time in each notebook, across all processes of this installation."""

import asyncio
import fcntl
import os
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER

_PAUSE_SECONDS = 0.01


@asynccontextmanager
async def taken(folder: Path, ids: Iterable[str]) -> AsyncGenerator[None]:
    """Wait until nobody else writes in these notebooks."""
    await asyncio.to_thread(folder.mkdir, PRIVATE_FOLDER, parents=True, exist_ok=True)
    async with AsyncExitStack() as stack:
        # Always in the same order: nobody waits in a circle.
        for id in sorted(set(ids)):
            handle = os.open(folder / f"{id}.lock", os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
            stack.callback(os.close, handle)
            await _lock(handle)
        yield


async def _lock(handle: int) -> None:
    # Not by waiting in a thread: those who hold a lock need threads to get on.
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return
