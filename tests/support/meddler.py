"""A man in the middle: makes an older server of a new one, or cuts a connection in mid-sentence.

    async with meddled(port, without={"QRESYNC", "MOVE"}) as (older, said): ...
    async with meddled(port, cut_after=20_000) as (flaky, said): ...

`said` is what the client sent, all connections together.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress

_UIDPLUS = re.compile(rb"\[(?:COPYUID|APPENDUID) [^\]]*\] ?")
_MODSEQ = re.compile(rb"\* OK \[HIGHESTMODSEQ \d+\][^\r]*\r\n")


@asynccontextmanager
async def meddled(
    port: int,
    *,
    without: Collection[str] = (),
    cut_after: int | None = None,
    injected: bytes = b"",  # behind the last word before encryption
) -> AsyncGenerator[tuple[int, bytearray], None]:
    said = bytearray()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port, limit=10_000_000)
        left = cut_after

        async def onwards() -> None:
            while data := await reader.read(65536):
                said.extend(data)
                back.write(data)
                await back.drain()

        async def homewards() -> None:
            nonlocal left
            while line := await there.readline():
                line = _older(line, without)
                if left is not None and (left := left - len(line)) < 0:
                    writer.write(line[: len(line) // 2])
                    return
                writer.write(line)
                await writer.drain()
                if line.startswith(b"S OK"):
                    writer.write(injected)
                    while data := await there.read(65536):
                        writer.write(data)
                        await writer.drain()

        try:
            await _until_one_ends(onwards(), homewards())
            writer.close()
            await writer.wait_closed()  # what it heard last gets there
        finally:
            back.transport.abort()

    async with serving(meet) as own:
        yield own, said


@asynccontextmanager
async def serving(
    meet: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncGenerator[int, None]:
    """A server on loopback, whose connections end with it."""
    tasks: set[asyncio.Task[None]] = set()

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        try:
            with suppress(OSError, EOFError, asyncio.CancelledError):
                await meet(reader, writer)
        finally:
            tasks.discard(task)
            writer.transport.abort()

    server = await asyncio.start_server(met, "127.0.0.1", 0, limit=10_000_000)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _until_one_ends(*ways: Awaitable[None]) -> None:
    tasks = [asyncio.ensure_future(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _older(line: bytes, without: Collection[str]) -> bytes:
    if b"CAPABILITY" in line:
        for name in without:
            line = re.sub(rb" %s(?=[ \]\r])" % re.escape(name.encode()), b"", line)
    if "UIDPLUS" in without:
        line = _UIDPLUS.sub(b"", line)
    if "CONDSTORE" in without:
        line = _MODSEQ.sub(b"", line)
    return line
