"""Prefetching: the next item is made while the one before is used."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bailiwick.kit.eventlog.bus import stopped

T = TypeVar("T")
_END: Any = object()


@asynccontextmanager
async def one_ahead(source: AsyncGenerator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """A generator's items, made one ahead by a single task.

    An error of the generator is raised after all items before it. When the block ends, nothing is
    still running.
    """
    made: asyncio.Queue[tuple[T, Exception | None]] = asyncio.Queue()
    turn = asyncio.Semaphore(1)

    async def make() -> None:
        try:
            await turn.acquire()
            async for thing in source:
                made.put_nowait((thing, None))
                await turn.acquire()
            made.put_nowait((_END, None))
        except Exception as error:  # noqa: BLE001
            made.put_nowait((_END, error))
        finally:
            await source.aclose()

    async def each() -> AsyncIterator[T]:
        while True:
            thing, error = await made.get()
            turn.release()
            if error:
                raise error
            if thing is _END:
                return
            yield thing

    making = asyncio.create_task(make())
    try:
        yield each()
    finally:
        await stopped(making)
