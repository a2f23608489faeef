"""Event streams of a real server as its clients see them.

The server is `bailiwick serve` with a quicker heartbeat and a back door (`/back-door/...`) through
which a test records events by the thousand and counts open streams.
"""

import asyncio
import contextlib
import json
import os
import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

from bailiwick.notify.streams import Streams
from support.office import API, PASSWORD
from support.processes import PATIENCE, Forked
from support.server import Server, free_port

STREAM = f"{API}/events/stream"
Frame = dict[str, Any]
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # one for all: each client would load every root


class QuickServer(Server):
    """A server whose beats are quick, with a back door."""

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(serve, env=env, out=self.log)

    def resident(self) -> int:
        """Bytes of memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def complaints(self) -> list[str]:
        """Lines of the log that are no mere information."""
        return [
            line
            for line in self.output().splitlines()
            if "Traceback" in line
            or (line.startswith("{") and json.loads(line)["severity"] not in ("info", "debug"))
            if "not encrypted" not in line
        ]


@contextmanager
def quick_server(data: Path, **extra: str) -> Iterator[QuickServer]:
    """A quick server without narrow limits, killed at the end."""
    data.parent.mkdir(parents=True, exist_ok=True)
    server = QuickServer(data, free_port(), **extra)
    try:
        server.wait_ready()
        server.owner()
        wide = {"rate_limit_percent": 100_000}
        assert server.operator().patch(f"{API}/settings", json=wide).status_code == 200
        yield server
    finally:
        for client in server.clients:
            client.close()
        server.kill()


class Stream:
    """One open stream, read all the time; what it got, and how it ended."""

    def __init__(self, status: int, headers: dict[str, str]) -> None:
        self.status, self.headers = status, headers
        self.frames: list[Frame] = []
        self.beats = 0
        self.retry: int | None = None
        self.end: str | None = None  # "clean" after the last chunk of the response, else "cut"
        self._news = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def events(self) -> list[Frame]:
        return [frame for frame in self.frames if "id" in frame]

    @property
    def positions(self) -> list[int]:
        return [event["position"] for event in self.events]

    @property
    def types(self) -> list[str]:
        return [frame["type"] for frame in self.frames]

    @property
    def ready(self) -> int | None:
        """The position it started from, once it is through with the past."""
        found = [frame["position"] for frame in self.frames if frame["type"] == "stream.ready"]
        return found[0] if found else None

    async def until(self, condition: Callable[["Stream"], object]) -> None:
        """Read on until something is the case, bounded."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition(self):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain; {self.end=} {self.frames[-5:]}") from None

    async def until_ended(self) -> None:
        await self.until(lambda stream: stream.end)

    def hang_up(self) -> None:
        """Go away, as a killed browser would."""
        assert self._writer
        self._writer.transport.abort()

    def start(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        self._reading = asyncio.create_task(self._read(reader))

    async def close(self) -> None:
        if self._reading:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
        if self._writer:
            self._writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        rest = b""
        try:
            while size := int(await reader.readline(), 16):
                rest += (await reader.readexactly(size + 2))[:-2]
                *blocks, rest = rest.split(b"\n\n")
                for block in blocks:
                    self._take(block.decode())
                self._news.set()
            self.end = "clean"
        except (OSError, ValueError, asyncio.IncompleteReadError):
            self.end = "cut"
        self._news.set()

    def _take(self, block: str) -> None:
        id = None
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            match name:
                case "data":
                    frame = json.loads(value)
                    assert id == frame.get("position") or frame["type"] == "stream.ready", block
                    self.frames.append(frame)
                case "id":
                    id = int(value)
                case "retry":
                    self.retry = int(value)
                case "":
                    self.beats += value == "beat"
                case _:
                    raise AssertionError(f"not a line of an event stream: {line!r}")


@dataclass
class Person:
    """Someone with a client of their own."""

    id: str
    http: httpx.AsyncClient
    email: str = ""

    async def call(self, method: str, path: str, **options: Any) -> Any:
        """A request that must go well."""
        answer = await self.http.request(method, API + path, **options)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer.json() if answer.content else None


@dataclass
class House:
    """A running server, and the people of one test."""

    server: QuickServer
    stack: AsyncExitStack
    streams: list[Stream] = field(default_factory=list)
    sockets: list[socket.socket] = field(default_factory=list)
    before: int = 0

    @cached_property
    def operator(self) -> Person:
        token = json.loads((self.server.data / "server.json").read_text())["token"]
        return Person("operator", self._client({"Authorization": f"Bearer {token}"}))

    def browser(self) -> httpx.AsyncClient:
        return self._client({"Origin": self.server.origin})

    async def person(self, *, role: str = "user") -> Person:
        """Someone new, signed in."""
        email = f"{os.urandom(6).hex()}@example.com"
        body = {"email": email, "name": "Someone", "role": role}
        invited = await self.operator.call("POST", "/users", json=body)
        someone = await self.signed_in(invited["link"].partition("#")[2])
        return Person(invited["user"]["id"], someone.http, email)

    async def signed_in(self, link: str) -> Person:
        browser = self.browser()
        body = {"link": link, "password": PASSWORD}
        answer = await browser.post(f"{API}/auth/password", json=body)
        assert answer.status_code == 200, answer.text
        return Person(answer.json()["user"]["id"], browser)

    async def again(self, person: Person) -> Person:
        """The same person in another browser."""
        browser = self.browser()
        body = {"email": person.email, "password": PASSWORD}
        answer = await browser.post(f"{API}/auth/login", json=body)
        assert answer.status_code == 200, answer.text
        return Person(person.id, browser, person.email)

    async def program(self, person: Person, *scopes: str) -> tuple[Person, str]:
        """A program with a new token of someone, and the token's id."""
        body = {"name": "test", "scopes": list(scopes)}
        made = await person.call("POST", "/tokens", json=body)
        client = self._client({"Authorization": f"Bearer {made['secret']}"})
        return Person(person.id, client), made["id"]

    async def workspace(self, *members: Person) -> str:
        """A new workspace of the first, with the others."""
        made = await members[0].call("POST", "/workspaces", json={"name": "Common"})
        for member in members[1:]:
            await self.join(made["id"], members[0], member)
        return made["id"]

    async def join(self, workspace: str, admin: Person, member: Person) -> None:
        path = f"/workspaces/{workspace}/members/{member.id}"
        await admin.call("PUT", path, json={"role": "write"})

    async def stream(self, person: Person, *, last: object = None, **query: Any) -> Stream:
        """An open stream that has read what came before; from now on, unless told otherwise."""
        if last is None and "after" not in query:
            await self.back_door("settle")
        stream = await self.connect(person, last=last, **query)
        await stream.until(lambda s: s.ready is not None)
        return stream

    async def connect(self, person: Person, *, last: object = None, **query: Any) -> Stream:
        """A stream, or the answer that is none."""
        host, port = self.server.origin.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=2**20)
        writer.write(request(person, self.server.origin, last=last, **query))
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        stream = Stream(int(head[0].split()[1]), headers)
        self.streams.append(stream)
        if stream.status == 200:
            stream.start(reader, writer)
        else:
            writer.transport.abort()
        return stream

    def raw(self, person: Person, *, head: slice = slice(None)) -> socket.socket:
        """A client that asks for a stream and then does nothing; its window is small."""
        host, port = self.server.origin.removeprefix("http://").split(":")
        made = socket.socket()
        self.sockets.append(made)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect((host, int(port)))
        made.sendall(request(person, self.server.origin)[head])
        return made

    async def back_door(self, name: str, **given: Any) -> Any:
        """What a test can do in the server's process."""
        url = f"{self.server.origin}/back-door/{name}"
        answer = await self.operator.http.post(url, json=given, timeout=PATIENCE)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def record(self, count: int, **given: Any) -> int:
        """Events, all at once; returns the position of the last."""
        return (await self.back_door("record", count=count, **given))["last"]

    async def count(self) -> int:
        """How many streams are open that were not before this test."""
        return await self.back_door("count") - self.before

    async def until_count(self, wanted: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while (found := await self.count()) != wanted:
            assert time.monotonic() < deadline, f"{found} streams are open, not {wanted}"
            await asyncio.sleep(0.02)

    def _client(self, headers: dict[str, str]) -> httpx.AsyncClient:
        made = httpx.AsyncClient(
            base_url=self.server.origin, headers=headers, timeout=PATIENCE, verify=NO_TLS
        )
        self.stack.push_async_callback(made.aclose)
        return made


def request(
    person: Person, origin: str, *, path: str = STREAM, last: object = None, **query: Any
) -> bytes:
    """The bytes with which a client asks for a stream."""
    headers = dict(person.http.headers) | {"host": origin.removeprefix("http://")}
    cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
    headers |= {"cookie": cookies} if cookies else {}
    headers |= {} if last is None else {"last-event-id": str(last)}
    asked = "?" + urlencode(query, doseq=True) if query else ""
    lines = [f"GET {path}{asked} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode()


@asynccontextmanager
async def opened_house(server: QuickServer) -> AsyncIterator[House]:
    """People and streams that are gone at the end of a test."""
    async with AsyncExitStack() as stack:
        house = House(server, stack)
        house.before = await house.count()
        try:
            yield house
        finally:
            for stream in house.streams:
                await stream.close()
            for made in house.sockets:
                made.close()
        if server.process.poll() is None:
            await house.until_count(0)


# What follows runs in the server's process.


def serve() -> None:
    """`bailiwick serve` with shorter times, as the environment says, and the back door."""
    from pwdlib import PasswordHash
    from pwdlib.hashers.argon2 import Argon2Hasher

    from bailiwick import server
    from bailiwick.cli.options import settings
    from bailiwick.identity import password
    from bailiwick.notify import streams

    cheap = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    password._hasher = lambda: cheap
    streams._BEAT_SECONDS = 0.2
    streams._RECHECK_EVERY = 1_000_000  # only when a test asks for it
    create_app = server.create_app
    server.create_app = lambda *given: BackDoor(create_app(*given), *given)
    server.serve(settings())


class BackDoor:
    """ASGI wrapper: some paths reach into the process, all others the app."""

    def __init__(self, app: Any, product: Any) -> None:
        self.app, self.product = app, product
        self.state = app.state
        self.reading = asyncio.Event()
        self.reading.set()
        read = product.tail._read

        async def held() -> bool:
            await self.reading.wait()
            return await read()

        product.tail._read = held

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/back-door/"):
            await self.app(scope, receive, send)
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message["body"], message["more_body"]
        verb: Callable[..., Awaitable[Any]] = getattr(self, scope["path"].rpartition("/")[2])
        given = dict(parse_qsl(scope["query_string"].decode())) | json.loads(body or b"{}")
        content = json.dumps(await verb(**given)).encode()
        size = (b"content-length", str(len(content)).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [size]})
        await send({"type": "http.response.body", "body": content})

    async def count(self) -> int:
        return self.product[Streams].count

    async def stuck(self) -> int:
        """How many streams are being written to, and their clients do not read."""
        viewers = self.product[Streams]._viewers.values()
        clients = [stream.client for viewer in viewers for stream in viewer.streams]
        return sum(client._sending_since is not None for client in clients)

    async def record(
        self,
        count: int,
        audience: list[str],
        type: str = "test.happened",
        workspace: str | None = None,
        *,
        each: bool = False,
    ) -> dict[str, int]:
        """Events in one transaction, or in one each."""
        from bailiwick.kit.eventlog import Event, log, record

        event = Event(type, audience=audience, workspace_id=workspace, subject_id="tst-subject")
        for _ in range(count if each else 1):
            async with self.product.storage.app.write() as session:
                for _ in range(1 if each else count):
                    record(session, event)
        async with self.product.storage.app.read() as session:
            return {"last": (await log.bounds(session))[1]}

    async def settle(self) -> None:
        """Wait until the streams are where the log is: "now" is then the same for both."""
        streams = self.product[Streams]
        while streams._position < (await self.record(0, []))["last"]:  # noqa: ASYNC110
            await asyncio.sleep(0.001)

    async def recheck(self, every: int) -> None:
        """Look after so many beats whether callers still may."""
        from bailiwick.notify import streams

        streams._RECHECK_EVERY = every

    async def hold(self, *, up: bool) -> None:
        """Let this process fall behind the log, or catch up again."""
        (self.reading.clear if up else self.reading.set)()

    async def publish(self, **chunk: Any) -> None:
        from bailiwick.kit.eventlog import chunks

        await chunks.publish(self.product.bus, chunks.parse(json.dumps(chunk)))

    async def send(self, channel: str, payload: str) -> None:
        await self.product.bus.send(channel, payload)

    async def sql(self, text: str) -> list[list[Any]]:
        from sqlalchemy import text as statement

        async with self.product.storage.app.write() as session:
            found = await session.execute(statement(text))
            return [list(row) for row in found] if found.returns_rows else []
