"""Servers on loopback that misbehave, and an `Outbound` that may reach them."""

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network

import anyio
import pytest

from bailiwick.kit.net.outbound import AddressRefused, Outbound, OutboundFailed
from support.server import PATIENCE

LOOPBACK = [ip_network("127.0.0.1/32")]
NAME = "hooks.example.com"
PUBLIC = "93.184.216.34"
SHORT = 0.5
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone"
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Peer:
    """A server on loopback, and what was sent to it."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[bytes] = []
        self.ended = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def peer(*answers: bytes | Talk, tls: ssl.SSLContext | None = None) -> AsyncGenerator[Peer]:
    """Each connection gets the next answer, and the last one is given again and again."""
    made = Peer()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answer = answers[min(len(made.requests), len(answers) - 1)]
            made.requests.append(await read_request(reader))
            if isinstance(answer, bytes):
                writer.write(answer.replace(b"PORT", str(made.port).encode()))
            else:
                await answer(reader, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            made.ended.set()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    async with server:
        made.port = server.sockets[0].getsockname()[1]
        yield made
        if made.requests:
            await asyncio.wait_for(made.ended.wait(), PATIENCE)


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line[15:] for line in head.lower().splitlines() if line[:15] == b"content-length:"]
    return head + await reader.readexactly(int(lengths[0]) if lengths else 0)


async def silence(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    await reader.read()


async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while not reader.at_eof():
        writer.write(b"x")
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), SHORT / 10)


async def drip_headers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not reader.at_eof():
        writer.write(b"x")
        with suppress(TimeoutError):
            await asyncio.wait_for(reader.read(), SHORT / 10)


async def flood(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"x" * 65536)
        await writer.drain()


async def only_informs(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)
        await writer.drain()


async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


def redirect(to: str, status: int = 307) -> bytes:
    return f"HTTP/1.1 {status} Moved\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


def knows(**names: list[str]) -> Callable[[str, int], Awaitable[list[str]]]:
    """A resolver that knows these names (a dot is written as two underscores)."""
    known = {name.replace("__", "."): addresses for name, addresses in names.items()}

    async def resolve(host: str, _port: int) -> list[str]:
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return known[host]

    return resolve


async def here(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    tried: list[str] = []

    async def connect_tcp(remote_host: str, **_options: object) -> None:
        tried.append(remote_host)
        raise OSError("not in a test")

    monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
    return tried


# A context of its own for each would read hundreds of authorities each time.
BARE = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def outbound(*, allowed=LOOPBACK, resolve=here, certificates: ssl.SSLContext = BARE) -> Outbound:
    return Outbound(allowed=allowed, resolve=resolve, certificates=certificates)


async def failure(url: str, *, timeout: float = PATIENCE, **options) -> str:  # noqa: ASYNC109
    out = outbound(**options)
    with pytest.raises(OutboundFailed) as caught:
        await out.post(url, content=b"{}", timeout=timeout)
    return str(caught.value)


async def refused(url: str, **options) -> str:
    out = outbound(**options)
    with pytest.raises(AddressRefused) as caught:
        await out.post(url, content=b"{}", timeout=PATIENCE)
    return str(caught.value)
