"""What our layer adds to a provider's stream: time to the first token, tokens a second, memory.

A server on loopback streams chat completions at a fixed rate. The same request is made by a bare
HTTP client that only reads the lines, by the provider's own library, and by our adapter with its
redaction and reports. What is printed is the difference to the bare client, in the same run.
"""

import asyncio
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
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


@asynccontextmanager
async def provider() -> AsyncIterator[str]:
    """A server that streams at a fixed rate; its address."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/v1"


async def bare(url: str) -> tuple[float, float]:
    """Seconds to the first line and to the last, with nothing but an HTTP client."""
    import httpx2

    body = {"model": "m", "messages": ASK, "stream": True}
    first, started = 0.0, time.perf_counter()
    async with (
        httpx2.AsyncClient() as client,
        client.stream("POST", f"{url}/chat/completions", json=body) as answer,
    ):
        async for line in answer.aiter_lines():
            if line.startswith("data:") and not first:
                first = time.perf_counter() - started
    return first, time.perf_counter() - started


async def library(url: str) -> tuple[float, float]:
    """The same with the provider's own library."""
    from openai import AsyncOpenAI

    first, started = 0.0, time.perf_counter()
    async with AsyncOpenAI(api_key="k", base_url=url, max_retries=0) as client:
        stream: Any = await client.chat.completions.create(
            model="m",
            messages=ASK,
            stream=True,  # pyright: ignore[reportArgumentType]
        )
        async for _ in stream:
            first = first or time.perf_counter() - started
    return first, time.perf_counter() - started


def ours(models: Any, config: Any) -> Callable[[str], Awaitable[tuple[float, float]]]:
    """The same through the adapter."""
    from bailiwick.llm.chat import ModelRequest

    async def one(_: str) -> tuple[float, float]:
        first, started = 0.0, time.perf_counter()

        async def heard(_delta: Any) -> None:
            nonlocal first
            first = first or time.perf_counter() - started

        await models.reply(config, ModelRequest(ASK), on_delta=heard)
        return first, time.perf_counter() - started

    return one


async def measured(
    url: str, ways: dict[str, Callable[[str], Awaitable[tuple[float, float]]]]
) -> dict[str, tuple[float, float]]:
    """The median of each way, taken in turns so that a busy moment hits all of them."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for way in ways.values():
        await way(url)  # the first has to read the libraries
    for _ in range(ROUNDS):
        for name, way in ways.items():
            found[name].append(await way(url))
    return {
        name: (statistics.median(t[0] for t in times), statistics.median(t[1] for t in times))
        for name, times in found.items()
    }


async def main() -> None:
    """Print the differences."""
    from bailiwick.config import Settings
    from bailiwick.llm.adapter import Models
    from bailiwick.llm.config import Config
    from support.office import opened_office

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "data", log_level="error")
        async with opened_office(settings) as office, provider() as url:
            models = office.product[Models]
            config = Config("mdl-bench", "Bench", "compatible", "m", base_url=url, parallel=STREAMS)
            one = ours(models, config)
            found = await measured(url, {"bare": bare, "library": library, "ours": one})
            floor = found["bare"]
            print(f"{TOKENS} tokens, one every {EVERY * 1000:.0f} ms; median of {ROUNDS}")
            for name in ("library", "ours"):
                first, whole = found[name]
                print(
                    f"{name:8} first token +{(first - floor[0]) * 1000:5.1f} ms, "
                    f"tokens a second {(floor[1] / whole - 1) * 100:+5.1f} %"
                )
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            await asyncio.gather(*(one(url) for _ in range(STREAMS)))
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            print(f"{STREAMS} streams at once: {grown / 1024:.1f} MB more at the peak")


if __name__ == "__main__":
    asyncio.run(main())
