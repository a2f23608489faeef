"""What our layer adds to a provider's stream: time to the first token, tokens a second, memory.

A server in a process of its own streams chat completions at a fixed rate. The same request is made
by a bare HTTP client that only reads the lines, by the provider's own library, and by our adapter
with its redaction and reports. All three take turns, and each round begins with another one; what
is printed is the median over the rounds of the difference to the bare client in the same round.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Not this folder: `mcp` and `dbos` are libraries.
HERE = Path(__file__).resolve().parent
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != HERE]
sys.path.insert(0, str(HERE.parent / "tests"))

TOKENS, EVERY = 200, 0.005
ROUNDS = 9
STREAMS = 100
ASK = [{"role": "user", "content": "Tell me something long."}]
_HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
    b"Connection: close\r\n\r\n"
)


def _chunk(data: str) -> bytes:
    body = f"data: {data}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(body), body)


def _delta(text: str, finish: str = "null") -> str:
    return (
        '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,'
        f'"delta":{{"role":"assistant","content":"{text}"}},"finish_reason":{finish}}}]}}'
    )


_PIECES = [_chunk(_delta("word ")) for _ in range(TOKENS)]
_END = _chunk(_delta("", '"stop"')) + _chunk("[DONE]") + b"0\r\n\r\n"


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.lower().splitlines()
        if line.startswith(b"content-length")
    )
    await reader.readexactly(length)
    writer.write(_HEAD)
    for piece in _PIECES:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(EVERY)
    writer.write(_END)
    await writer.drain()
    writer.close()


async def serve() -> None:
    """Stream at a fixed rate to whoever asks; the port is printed."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    async with server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


@contextmanager
def provider() -> Generator[str]:
    """The address of such a server, which shares neither loop nor interpreter with who asks."""
    command = [sys.executable, __file__, "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.terminate()


@dataclass(frozen=True)
class Taken:
    """What one answer took, in seconds: to its first token, to its end, and of the processor."""

    first: float
    whole: float
    work: float


# Reads one answer, and says so at its first token.
Way = Callable[[Callable[[], None]], Awaitable[None]]


def bare(client: Any, url: str) -> Way:
    """Nothing but an HTTP client."""
    body = {"model": "m", "messages": ASK, "stream": True}

    async def one(heard: Callable[[], None]) -> None:
        async with client.stream("POST", f"{url}/chat/completions", json=body) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data:"):
                    heard()

    return one


def library(client: Any) -> Way:
    """The provider's own library."""

    async def one(heard: Callable[[], None]) -> None:
        stream = await client.chat.completions.create(model="m", messages=ASK, stream=True)
        async for _ in stream:
            heard()

    return one


def ours(models: Any, config: Any) -> Way:
    """The adapter."""
    from bailiwick.llm.chat import ModelRequest

    async def one(heard: Callable[[], None]) -> None:
        async def take(_delta: Any) -> None:
            heard()

        await models.reply(config, ModelRequest(ASK), on_delta=take)

    return one


async def timed(way: Way) -> Taken:
    """One answer by the clock."""
    first = 0.0
    started, worked = time.perf_counter(), time.process_time()

    def heard() -> None:
        nonlocal first
        first = first or time.perf_counter() - started

    await way(heard)
    return Taken(first, time.perf_counter() - started, time.process_time() - worked)


async def measured(ways: dict[str, Way]) -> list[dict[str, Taken]]:
    """Rounds in which each way has its turn, so that a busy moment hits all of them."""
    for way in ways.values():
        await timed(way)  # the first has to read the libraries
    names, rounds = list(ways), list[dict[str, Taken]]()
    for number in range(ROUNDS):
        turn = number % len(names)
        rounds.append({name: await timed(ways[name]) for name in names[turn:] + names[:turn]})
    return rounds


async def peak(way: Way) -> float:
    """How many megabytes more are in use while many streams run at once."""

    def used() -> float:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    before = most = used()
    streams = asyncio.gather(*(timed(way) for _ in range(STREAMS)))
    while not streams.done():
        await asyncio.wait([streams], timeout=0.05)
        most = max(most, used())
    await streams
    return most - before


def report(rounds: list[dict[str, Taken]]) -> None:
    """Print what each way adds to the bare client."""
    median = statistics.median
    print(f"{TOKENS} tokens, one every {EVERY * 1000:.0f} ms; median of {ROUNDS} rounds")
    for name in rounds[0]:
        pairs = [(each[name], each["bare"]) for each in rounds]
        first = median(one.first for one, _ in pairs) * 1000
        later = median(one.first - floor.first for one, floor in pairs) * 1000
        rate = median(floor.whole / one.whole for one, floor in pairs)
        work = median(one.work for one, _ in pairs) / TOKENS * 1_000_000
        print(
            f"{name:8} first token {first:5.1f} ms ({later:+.1f}), tokens a second {rate:.3f} of "
            f"bare ({(rate - 1) * 100:+.1f} %), processor {work:.0f} µs a token"
        )


async def main() -> None:
    """Print the differences."""
    import httpx2
    from openai import AsyncOpenAI

    from bailiwick.config import Settings
    from bailiwick.llm.adapter import Models
    from bailiwick.llm.config import Config
    from support.office import opened_office

    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings(data=Path(folder) / "data", log_level="error")
        office = await stack.enter_async_context(opened_office(settings))
        url = stack.enter_context(provider())
        config = Config("mdl-bench", "Bench", "compatible", "m", base_url=url, parallel=STREAMS)
        # Clients are made before the clock runs: reading certificates takes longer than an answer.
        limits = httpx2.Limits(max_connections=STREAMS)
        plain = await stack.enter_async_context(httpx2.AsyncClient(limits=limits))
        asked = AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
        await stack.enter_async_context(asked)
        ways = {
            "bare": bare(plain, url),
            "library": library(asked),
            "ours": ours(office.product[Models], config),
        }
        report(await measured(ways))
        for name, way in ways.items():
            print(f"{name:8} {STREAMS} streams at once: {await peak(way):.1f} MB more at the peak")


if __name__ == "__main__":
    asyncio.run(serve() if sys.argv[1:] == ["serve"] else main())
