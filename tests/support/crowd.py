"""A program: many streams at once, which says when all are open, and when all got an event.

It imports nothing heavy, and is started as a file.
"""

import asyncio
import sys
from collections.abc import Callable


class _Guest(asyncio.Protocol):
    """One of a crowd: counts what it gets."""

    def __init__(self, ask: bytes, news: Callable[[], None]) -> None:
        self.ask, self.news, self.tail = ask, news, b""
        self.ready = False
        self.events = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self.ask)  # pyright: ignore[reportAttributeAccessIssue]

    def data_received(self, data: bytes) -> None:
        seen = self.tail + data
        self.ready = self.ready or b"stream.ready" in seen
        self.events += seen.count(b"\nid: ") - self.tail.count(b"\nid: ")
        self.tail = seen[-40:]
        self.news()


async def main(origin: str, ask: str, count: int) -> None:
    """Open them, and tell."""
    host, port = origin.removeprefix("http://").split(":")
    news = asyncio.Event()
    loop = asyncio.get_running_loop()
    guests = [_Guest(ask.encode(), news.set) for _ in range(count)]
    for guest in guests:
        await loop.create_connection(lambda guest=guest: guest, host, int(port))
    for word, what in (("open", "ready"), ("told", "events")):
        while not all(getattr(guest, what) for guest in guests):
            news.clear()
            await news.wait()
        print(word, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
