"""Events to a thousand streams: how many arrive in a second, and what an open stream costs.

Ours is the real server; an event goes the whole way, from its transaction through the log to the
clients. Beside it, in the same run and with the same client program: a bare ASGI loop, the floor,
and sse-starlette, which put frames of the same size into a queue for each client.

- burst: events are written one after the other as quickly as the server can.
- one by one: the next is written when every client has the one before.
"""

import asyncio
import gc
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

CLIENTS = 1_000
FEW = 100
BURST = 100
ONE_BY_ONE = 40
ROUNDS = 3
PEOPLE = 100
MARK = b"data: {"
EVENT = {
    "id": "evt-4fk29dm1x0aa",
    "type": "workspace.renamed",
    "timestamp": "2026-11-15T06:00:00.123456Z",
    "workspaceId": "wsp-4fk29dm1x0aa",
    "actorId": "usr-4fk29dm1",
    "subjectId": "wsp-4fk29dm1x0aa",
    "data": {},
}
Scope, Receive, Send = (
    dict[str, Any],
    Callable[[], Awaitable[Any]],
    Callable[[Any], Awaitable[None]],
)
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Emit = Callable[[int], Awaitable[None]]


# Servers, each in a process of its own


def commanded(app: App, emit: Emit) -> App:
    """An app that writes events when it is told to: POST /go/<how many>."""
    running: set[asyncio.Task[None]] = set()

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/go/"):
            await app(scope, receive, send)
            return
        task = asyncio.create_task(emit(int(scope["path"].removeprefix("/go/"))))
        running.add(task)
        task.add_done_callback(running.discard)
        await answer(send, 202, {})

    served.state = getattr(app, "state", None)
    return served


async def answer(send: Send, status: int, headers: dict[bytes, bytes], *, more: bool = False):
    length = {} if more else {b"content-length": b"0"}
    pairs = list({**headers, **length}.items())
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": b"", "more_body": more})


def run(app: App, port: int) -> None:
    import uvicorn

    options = {"loop": "uvloop", "http": "httptools", "lifespan": "off"}
    uvicorn.run(app, port=port, access_log=False, log_level="error", **options)


def bare(port: int) -> None:
    """Nothing but a queue for each client."""
    queues: set[asyncio.Queue[bytes]] = set()

    async def emit(count: int) -> None:
        for position in range(count):
            data = json.dumps({**EVENT, "position": position}, separators=(",", ":"))
            frame = f"id: {position}\ndata: {data}\n\n".encode()
            for queue in queues:
                queue.put_nowait(frame)
            await asyncio.sleep(0)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        queues.add(queue)
        await answer(send, 200, {b"content-type": b"text/event-stream"}, more=True)
        while True:
            body = await queue.get()
            await send({"type": "http.response.body", "body": body, "more_body": True})

    run(commanded(app, emit), port)


def sse_starlette(port: int) -> None:
    """The usual library, used as its documentation says."""
    from sse_starlette import EventSourceResponse, ServerSentEvent
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.routing import Route

    queues: set[asyncio.Queue[ServerSentEvent]] = set()

    async def emit(count: int) -> None:
        for position in range(count):
            data = json.dumps({**EVENT, "position": position}, separators=(",", ":"))
            event = ServerSentEvent(data=data, id=str(position), sep="\n")
            for queue in queues:
                queue.put_nowait(event)
            await asyncio.sleep(0)

    async def stream(_: Request) -> EventSourceResponse:
        queue: asyncio.Queue[ServerSentEvent] = asyncio.Queue()
        queues.add(queue)

        async def events():
            while True:
                yield await queue.get()

        return EventSourceResponse(events())

    run(commanded(Starlette(routes=[Route("/", stream)]), emit), port)


def ours(port: int) -> None:
    """`bailiwick serve`, with someone in the same process who changes things all the time."""
    from bailiwick import server
    from bailiwick.cli.options import settings
    from bailiwick.kit.eventlog import Event, record

    create_app = server.create_app

    def with_work(office: Any) -> App:
        event = Event(
            EVENT["type"],
            audience=("everyone",),
            workspace_id=EVENT["workspaceId"],
            actor_id=EVENT["actorId"],
            subject_id=EVENT["subjectId"],
        )

        async def emit(count: int) -> None:
            for _ in range(count):
                async with office.storage.app.write() as session:
                    record(session, event)

        return commanded(create_app(office), emit)

    server.create_app = with_work
    server.serve(settings(port=port))


# Clients, all in one process


class Client(asyncio.Protocol):
    """Asks for a stream and counts the events on it."""

    def __init__(self, crowd: "Crowd", ask: bytes) -> None:
        self.crowd, self.ask, self.rest = crowd, ask, b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.ask)

    def data_received(self, data: bytes) -> None:
        seen = self.rest + data
        self.rest = seen[1 - len(MARK) :]
        self.crowd.count(seen.count(MARK))
        if not self.crowd.opened.get(self):
            self.crowd.open(self, seen)

    def connection_lost(self, _: Exception | None) -> None:
        assert self.crowd.opened.pop(self, None) is None, "a stream was lost"


class Crowd:
    """Many clients, and how much all of them got."""

    def __init__(self, port: int, ready: bytes) -> None:
        self.port, self.ready = port, ready
        self.opened: dict[Client, bool] = {}
        self.got = self.wanted = 0
        self.done = asyncio.Event()

    def open(self, client: Client, seen: bytes) -> None:
        self.opened[client] = self.ready in seen
        if all(self.opened.values()):
            self.done.set()

    def count(self, number: int) -> None:
        self.got += number
        if 0 < self.wanted <= self.got:
            self.done.set()

    async def grow(self, size: int, asks: list[bytes]) -> None:
        loop = asyncio.get_running_loop()
        while len(self.opened) < size:
            self.done.clear()
            client = Client(self, asks[len(self.opened) % len(asks)])
            self.opened[client] = False
            await loop.create_connection(lambda made=client: made, "127.0.0.1", self.port)
            await self.done.wait()

    def shrink(self, size: int) -> None:
        while len(self.opened) > size:
            client = next(iter(self.opened))
            del self.opened[client]
            client.transport.abort()

    async def events(self, events: int, *, each: int) -> float:
        """How many arrive in a second when so many are written, `each` at a time."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        started = time.perf_counter()
        for _ in range(events // each):
            self.got, self.wanted = 0, each * len(self.opened)
            self.done.clear()
            writer.write(f"POST /go/{each} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            await self.done.wait()
        took = time.perf_counter() - started
        assert self.got == self.wanted, f"{self.got} instead of {self.wanted}"
        writer.close()
        return events * len(self.opened) / took


async def clients(port: int) -> None:
    """Do what standard input says, and answer on standard output."""
    crowd, asks = Crowd(port, b""), [b""]
    gc.disable()
    for line in sys.stdin:
        verb, *given = json.loads(line)
        result: object = None
        match verb:
            case "ask":
                crowd.ready, asks = given[0].encode(), [ask.encode() for ask in given[1]]
            case "grow":
                await crowd.grow(given[0], asks)
            case "shrink":
                crowd.shrink(given[0])
            case "events":
                result = await crowd.events(given[0], each=given[1])
        print(json.dumps(result), flush=True)


# The run


class Pair:
    """A server and its clients, each on a core of its own where there are two."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.data = folder / name
        env = {**os.environ, "BAILIWICK_DATA": str(self.data), "BAILIWICK_LOG_LEVEL": "error"}
        env |= {"BAILIWICK_PORT": str(self.port)}
        self.is_ours = name.startswith("bailiwick")
        role = "ours" if self.is_ours else name
        self.server = self._start(role, core=0, env=env, stdout=subprocess.DEVNULL)
        self.clients = self._start("clients", core=-1, stdin=-1, stdout=-1, text=True)

    def prepare(self, people: int) -> None:
        self.wait_ready()
        if self.is_ours:
            self.tell("ask", "stream.ready", [self._ask(t) for t in self._tokens(people)])
        else:
            self.tell("ask", "text/event-stream", [self._ask("")])

    def tell(self, *command: object) -> Any:
        assert self.clients.stdin
        assert self.clients.stdout
        self.clients.stdin.write(json.dumps(command) + "\n")
        self.clients.stdin.flush()
        return json.loads(self.clients.stdout.readline())

    def memory(self) -> int:
        """Bytes that an open stream costs."""
        self.tell("grow", FEW)
        few = self.resident()
        self.tell("grow", FEW + CLIENTS)
        more = self.resident()
        self.tell("shrink", CLIENTS)
        return (more - few) // CLIENTS

    def resident(self) -> int:
        pages = int(Path(f"/proc/{self.server.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        for process in (self.clients, self.server):
            process.kill()
            process.wait()

    def wait_ready(self) -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                go = urllib.request.Request(f"http://127.0.0.1:{self.port}/go/0", method="POST")
                urllib.request.urlopen(go, timeout=10).read()
                return
            except OSError:
                assert self.server.poll() is None, f"{self.name} did not start"
                time.sleep(0.02)

    def _start(self, role: str, *, core: int, **options: Any) -> "subprocess.Popen[Any]":
        command = [sys.executable, __file__, role, str(self.port)]
        started = subprocess.Popen(command, **options)
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(started.pid, {cores[core]})
        return started

    def _ask(self, token: str) -> str:
        path = "/api/v1/events/stream" if token else "/"
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        return head + (f"Authorization: Bearer {token}\r\n\r\n" if token else "\r\n")

    def _tokens(self, people: int) -> list[str]:
        """The operator's, or one each of so many people."""
        import httpx

        operator = json.loads((self.data / "server.json").read_text())["token"]
        if not people:
            return [operator]
        return [self._token_of_new(httpx, operator, number) for number in range(people)]

    def _token_of_new(self, httpx: Any, operator: str, number: int) -> str:
        base, password = f"http://127.0.0.1:{self.port}", "four unrelated garden words"
        by_operator = {"Authorization": f"Bearer {operator}"}
        with httpx.Client(base_url=f"{base}/api/v1", timeout=30) as http:
            wide = {"rate_limit_percent": 100_000}
            http.patch("/settings", json=wide, headers=by_operator).raise_for_status()
            body = {"email": f"p{number}@example.com", "name": "P"}
            invited = http.post("/users", json=body, headers=by_operator).raise_for_status()
            link = invited.json()["link"].partition("#")[2]
            origin = {"Origin": base}
            body = {"link": link, "password": password}
            http.post("/auth/password", json=body, headers=origin).raise_for_status()
            body = {"name": "bench", "scopes": ["read"]}
            made = http.post("/tokens", json=body, headers=origin).raise_for_status()
            return made.json()["secret"]


def main() -> None:
    kinds = {"bare": 0, "sse-starlette": 0, "bailiwick": 0, f"bailiwick {PEOPLE}": PEOPLE}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        pairs = []
        for name, people in kinds.items():
            pairs.append(Pair(name, Path(folder)))
            stack.callback(pairs[-1].stop)
            pairs[-1].prepare(people)
        measure(pairs)


def measure(pairs: list[Pair]) -> None:
    memory = {pair.name: pair.memory() for pair in pairs}
    burst: dict[str, list[float]] = {pair.name: [] for pair in pairs}
    single: dict[str, list[float]] = {pair.name: [] for pair in pairs}
    for _ in range(ROUNDS):
        for pair in pairs:
            burst[pair.name].append(pair.tell("events", BURST, BURST))
            single[pair.name].append(pair.tell("events", ONE_BY_ONE, 1))
    floor, alone = (statistics.median(rates["bare"]) for rates in (burst, single))
    print(f"events delivered a second to {CLIENTS} streams   (to reach 0.75 of bare ASGI)")
    for name, size in memory.items():
        quick, steady = (statistics.median(rates[name]) for rates in (burst, single))
        label = f"{name} people" if name[-1].isdigit() else name
        print(
            f"  {label:<22} burst {quick:>9,.0f} ({quick / floor:.2f})"
            f"   one by one {steady:>8,.0f} ({steady / alone:.2f})"
            f"   {size / 1000:>5.1f} KB a stream"
        )
    print(f"a stream's memory       {memory['bailiwick'] / 1000:.1f} KB   (to stay under 25)")


ROLES = {"bare": bare, "sse-starlette": sse_starlette, "ours": ours}

if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    elif sys.argv[1] == "clients":
        import uvloop

        uvloop.run(clients(int(sys.argv[2])))
    else:
        ROLES[sys.argv[1]](int(sys.argv[2]))
