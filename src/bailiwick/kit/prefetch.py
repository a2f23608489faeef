"""Working ahead: the next thing is made while the one before is used."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from bailiwick.kit.eventlog.bus import stopped

T = TypeVar("T")
_END: Any = object()


@asynccontextmanager
async def one_ahead(source: AsyncGenerator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """What a generator gives, made one thing ahead, by one task from its beginning to its end.

    What goes wrong in it is raised after all that it gave before. When the block ends, nothing is
    under way any more.
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
