"""`/mcp`: Streamable HTTP.

The client is identified before the body is read. Only a client's own token is accepted: no cookie,
no API token, nothing in the URL.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json, to_json
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick import __version__
from bailiwick.errors import Unauthenticated
from bailiwick.gate.gate import Gate
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import json_depth
from bailiwick.kit.eventlog.bus import stopped
from bailiwick.mcp import faults, lean, sessions
from bailiwick.mcp.calls import Calls
from bailiwick.mcp.clients.directory import ClientDirectory, KnownClient
from bailiwick.mcp.exchange import Exchange
from bailiwick.mcp.faults import INVALID_REQUEST, PARSE_ERROR, ProtocolFault
from bailiwick.mcp.lean import LeanPath

if TYPE_CHECKING:
    from bailiwick.mcp.server import SdkServer

PATH = "/mcp"
APPROVALS_PAGE = "/approvals"
MAX_BYTES = 4 * 1024 * 1024
MOST_AT_ONCE = 64
_STAMP = {"name": "bailiwick", "title": "Bailiwick", "version": __version__}
_JSON = ("application/json", "application/*", "*/*")
_STREAM = ("text/event-stream", "text/*", "*/*")
Headers = dict[str, str]
# A request's key: the client, its session, and the id that it chose.
RequestKey = tuple[str, str, str | int]


@dataclass(frozen=True, slots=True)
class Incoming:
    """One message of a client."""

    known: KnownClient
    token: str
    headers: Headers
    session: str
    body: bytes
    message: dict[str, Any]

    @property
    def key(self) -> RequestKey:
        """The key by which it can be cancelled."""
        id = self.message.get("id")
        return self.known.caller.id, self.session, id if isinstance(id, str | int) else ""

    @property
    def cancels(self) -> RequestKey | None:
        """The request that this notification cancels.

        Only within a session: without one, two windows of a client use the same ids.
        """
        params = self.message.get("params")
        if self.message.get("method") != "notifications/cancelled" or not isinstance(params, dict):
            return None
        id = params.get("requestId")
        if not self.session or not isinstance(id, str | int):
            return None
        return self.known.caller.id, self.session, id


class McpEndpoint:
    """An ASGI app for one address."""

    def __init__(
        self, gate: Gate, clients: ClientDirectory, *, hasher: TokenHasher, origin: str
    ) -> None:
        self._clients = clients
        self._hasher = hasher
        self._calls = Calls(gate, page=origin + APPROVALS_PAGE)
        self._lean = LeanPath(self._calls, clients, stamp=_STAMP)
        self._sdk: asyncio.Future[SdkServer] | None = None
        self._under_way: dict[RequestKey, Exchange] = {}
        self._waiting: set[Exchange] = set()
        self._busy: Counter[str] = Counter()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Serve while the block runs."""
        self._sdk = asyncio.get_running_loop().create_future()
        # In its own task, because the SDK's scopes must end in the task that began them.
        serving = asyncio.create_task(self._serve_sdk(self._sdk))
        try:
            yield
        finally:
            self.close()
            await stopped(serving)

    def close(self) -> None:
        """Cancel pending requests, because the server stops."""
        for exchange in self._waiting:
            exchange.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            incoming = await self._incoming(scope, receive)
            # Before it is counted: who has too many under way may still end one.
            if (cancelled := incoming.cancels) and (other := self._under_way.get(cancelled)):
                other.cancel()
            with self._counted(incoming, receive) as exchange:
                if short := lean.read(incoming.message, incoming.headers):
                    reply = await self._lean.answer(exchange, short)
                    await _send(send, reply.status, reply.body)
                else:
                    scope.setdefault("state", {})["exchange"] = exchange
                    await self._by_sdk(incoming, scope, receive, send)
        except Unauthenticated as refusal:
            answer = faults.body(None, INVALID_REQUEST, refusal.detail)
            await _send(send, 401, answer, headers=dict(refusal.headers))
        except ProtocolFault as fault:
            allow = {"Allow": "POST"} if fault.status == 405 else None
            answer = faults.body(None, fault.code, fault.message)
            await _send(send, fault.status, answer, headers=allow)

    async def _incoming(self, scope: Scope, receive: Receive) -> Incoming:
        headers = _headers(scope)
        scheme, _, value = headers.get("authorization", "").partition(" ")
        token = value.strip() if scheme.lower() == "bearer" else ""
        known = await self._clients.recognise(token)
        _check(scope, headers)
        session = headers.get(sessions.HEADER, "")
        if session and not sessions.belongs(session, known.caller.id, hasher=self._hasher):
            raise ProtocolFault(
                INVALID_REQUEST,
                "There is no such session of this client. Initialize again.",
                status=404,
            )
        body = await _read(headers, receive)
        return Incoming(known, token, headers, session, body, _parsed(body))

    @contextmanager
    def _counted(self, incoming: Incoming, receive: Receive) -> Generator[Exchange]:
        """Count a request while it runs; a client may have only so many at once."""
        client, key = incoming.known.caller.id, incoming.key
        if self._busy[client] >= MOST_AT_ONCE:
            raise ProtocolFault(
                INVALID_REQUEST,
                f"This client has {MOST_AT_ONCE} requests under way already. Wait for one to end.",
                status=429,
            )
        exchange = Exchange(
            incoming.known, receive, recheck=partial(self._clients.recognise, incoming.token)
        )
        self._busy[client] += 1
        self._under_way[key] = exchange
        self._waiting.add(exchange)
        try:
            yield exchange
        finally:
            self._waiting.discard(exchange)
            self._busy[client] -= 1
            if not self._busy[client]:
                del self._busy[client]
            if self._under_way.get(key) is exchange:
                del self._under_way[key]

    async def _by_sdk(self, incoming: Incoming, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._sdk is not None, "used before `running`"
        sdk = await asyncio.shield(self._sdk)
        if incoming.message.get("method") == "initialize":
            send = self._with_session(send, incoming.known)
        streaming = b'"progressToken"' in incoming.body and _accepts(incoming.headers, _STREAM)
        await sdk.serve(scope, _replayed(incoming.body, receive), send, streaming=streaming)

    async def _serve_sdk(self, ready: "asyncio.Future[SdkServer]") -> None:
        # In a thread, so that the office is ready before the SDK has loaded.
        try:
            sdk = await asyncio.to_thread(_load_sdk, self._calls, self._clients)
        except Exception as error:
            ready.set_exception(error)
            raise
        async with sdk.running():
            ready.set_result(sdk)
            await asyncio.Event().wait()

    def _with_session(self, send: Send, known: KnownClient) -> Send:
        async def with_session(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                id = sessions.new(known.caller.id, hasher=self._hasher)
                MutableHeaders(scope=message)[sessions.HEADER] = id
            await send(message)

        return with_session


class McpMiddleware:
    """ASGI middleware: serves one path outside the app's own stack.

    It has its own authentication and limits; routing and looking for cookies would cost more than a
    call does.
    """

    def __init__(self, app: ASGIApp, *, endpoint: ASGIApp | None) -> None:
        self._app = app
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, here or further in."""
        if self._endpoint and scope["type"] == "http" and scope["path"] == PATH:
            await self._endpoint(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _load_sdk(calls: Calls, clients: ClientDirectory) -> "SdkServer":
    from bailiwick.mcp.server import SdkServer

    # It logs every request, which our own log does already.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    return SdkServer(calls, clients)


def _headers(scope: Scope) -> Headers:
    """Headers by name; duplicates are joined, so that they match nothing that must be exact."""
    found: Headers = {}
    for raw, value in scope["headers"]:
        name, text = raw.decode("latin-1"), value.decode("latin-1")
        found[name] = f"{found[name]}, {text}" if name in found else text
    return found


def _check(scope: Scope, headers: Headers) -> None:
    """Refuse invalid requests before the body is read."""
    if scope["method"] != "POST":
        raise ProtocolFault(
            INVALID_REQUEST,
            "Send messages with POST; there is no stream to GET and no session to DELETE.",
            status=405,
        )
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ProtocolFault(INVALID_REQUEST, "Content-Type must be application/json.", status=415)
    if not _accepts(headers, _JSON):
        raise ProtocolFault(INVALID_REQUEST, "Accept must include application/json.", status=406)


def _accepts(headers: Headers, kinds: tuple[str, ...]) -> bool:
    wanted = headers.get("accept", "").lower().split(",")
    return any(part.partition(";")[0].strip() in kinds for part in wanted)


async def _read(headers: Headers, receive: Receive) -> bytes:
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared) > MAX_BYTES:
        raise _too_large()
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ProtocolFault(INVALID_REQUEST, "The request was cut off.", status=400)
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > MAX_BYTES:
            raise _too_large()
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)


def _too_large() -> ProtocolFault:
    return ProtocolFault(INVALID_REQUEST, "The message is too large: 4 MB at most.", status=413)


def _parsed(body: bytes) -> dict[str, Any]:
    if field := json_depth.deep_field(body, whole="message"):
        raise ProtocolFault(INVALID_REQUEST, f"{field}: {json_depth.message()}", status=400)
    try:
        # Refuse what could not be stored or compared: invalid text, NaN.
        message: object = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise ProtocolFault(PARSE_ERROR, f"This is not JSON: {error}.", status=400) from None
    if isinstance(message, list):
        raise ProtocolFault(
            INVALID_REQUEST, "Batches are not supported: send one message a request.", status=400
        )
    if not isinstance(message, dict):
        raise ProtocolFault(INVALID_REQUEST, "A message is a JSON object.", status=400)
    fault = None
    if message.get("jsonrpc") != "2.0":
        fault = 'A message has "jsonrpc": "2.0".'
    elif "id" in message and type(message["id"]) not in (str, int):
        fault = "An id is a text or a whole number."
    elif not isinstance(message.get("method"), str):
        fault = "A message has a method, as text; this server asks for no answers."
    if fault:
        raise ProtocolFault(INVALID_REQUEST, fault, status=400)
    return message


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The request again, for the SDK to read."""
    first: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def replay() -> Message:
        nonlocal first
        if first is None:
            return await receive()
        message, first = first, None
        return message

    return replay


async def _send(
    send: Send, status: int, body: dict[str, Any], *, headers: dict[str, str] | None = None
) -> None:
    content = to_json(body)
    sent = {"content-type": "application/json", "content-length": str(len(content))}
    raw = [
        (name.lower().encode(), value.encode()) for name, value in (sent | (headers or {})).items()
    ]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
