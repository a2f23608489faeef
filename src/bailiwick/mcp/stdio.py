"""`bailiwick mcp`: JSON-RPC lines on one side, the office's `/mcp` on the other.

It holds no rule and knows no tool: each line is one POST. A message that cannot be sent is answered
with an error, so that every request gets an answer.
"""

import asyncio
import base64
import contextlib
import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import httpx2

from bailiwick.kit import json_depth
from bailiwick.mcp import faults
from bailiwick.mcp.faults import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR
from bailiwick.mcp.office_route import OfficeRoute, Unreachable

_VERSION = "io.modelcontextprotocol/protocolVersion"
_SESSION = "mcp-session-id"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[!-~]+(?: [!-~]+)*")
_SENTINEL = "=?base64?"
# Longer than the longest wait for an approval, and than any tool takes.
_PATIENCE = httpx2.Timeout(10, read=150)
# How long pending requests may still be answered after the input ends.
_LAST_SECONDS = 5.0
Write = Callable[[bytes], None]


class JsonLines(Protocol):
    """A source of messages."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class Bridge:
    """Forwards messages until the input ends."""

    def __init__(self, route: OfficeRoute, write: Write) -> None:
        self._route = route
        self._write = write
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._session: dict[str, str] = {}
        self._http = httpx2.AsyncClient(timeout=_PATIENCE)

    async def run(self, lines: JsonLines) -> None:
        """Forward every line, concurrently after the first."""
        async with self._http:
            async for line in lines:
                if line.strip():
                    await self._take(line)
            if self._tasks:
                await asyncio.wait(self._tasks.values(), timeout=_LAST_SECONDS)
            for task in self._tasks.values():
                task.cancel()

    async def _take(self, line: bytes) -> None:
        if field := json_depth.deep_field(line, whole="message"):
            told = f"{field}: {json_depth.message()}"
            self._say(faults.body(None, INVALID_REQUEST, told))
            return
        try:
            message = json.loads(line)
        except ValueError:
            self._say(faults.body(None, PARSE_ERROR, "This line is not JSON."))
            return
        if not isinstance(message, dict):
            self._say(faults.body(None, INVALID_REQUEST, "Send one JSON object a line."))
            return
        if message.get("method") == "notifications/cancelled":
            self._cancel(message)
        if message.get("method") == "initialize" or "id" not in message:
            # The rest depends on the first: the session, and the order of notifications.
            await self._carry(message, line)
            return
        key = _key(message["id"])
        task = self._tasks[key] = asyncio.create_task(self._carry(message, line))
        task.add_done_callback(lambda done: self._forget(key, done))

    def _forget(self, key: str, done: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is done:
            del self._tasks[key]

    def _cancel(self, message: dict[str, Any]) -> None:
        """Cancel a request; closing its connection tells the newest protocol's server."""
        params = message.get("params")
        id = params.get("requestId") if isinstance(params, dict) else None
        if task := self._tasks.get(_key(id)):
            task.cancel()

    async def _carry(self, message: dict[str, Any], line: bytes) -> None:
        try:
            await self._send(message, line)
        except Unreachable as error:
            self._complain(message, str(error))
        except httpx2.HTTPError as error:
            reason = str(error) or type(error).__name__
            self._complain(message, f"The office does not answer ({reason}). Try again.")

    async def _send(self, message: dict[str, Any], line: bytes) -> None:
        """Send a message; again if the office was restarted, or the pass expired."""
        for is_last in (False, True):
            target = await self._route.find(anew=is_last)
            headers = {**self._headers(message), "Authorization": f"Bearer {target.token}"}
            try:
                async with self._http.stream(
                    "POST", target.url, content=line.strip(), headers=headers
                ) as answer:
                    if answer.status_code != 401 or is_last:
                        await self._receive(message, answer)
                        return
            except httpx2.ConnectError:
                # It was not sent, so sending it again repeats nothing.
                if is_last:
                    raise

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        version = _envelope(message).get(_VERSION)
        if not isinstance(version, str):
            return headers | self._session
        method = str(message.get("method", ""))
        headers |= {"MCP-Protocol-Version": _header(version), "Mcp-Method": _header(method)}
        name = message["params"].get(_NAMED.get(method))
        return headers | ({"Mcp-Name": _header(name)} if isinstance(name, str) else {})

    async def _receive(self, message: dict[str, Any], answer: httpx2.Response) -> None:
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            async for line in answer.aiter_lines():
                if line.startswith("data:") and (data := line.removeprefix("data:").strip()):
                    self._write(data.encode())
            return
        content = await answer.aread()
        try:
            said = json.loads(content) if content else None
        except ValueError:
            said = None
        if message.get("method") == "initialize" and answer.is_success:
            self._begin(answer, said)
        if "id" not in message:
            return
        if not isinstance(said, dict) or "jsonrpc" not in said:
            self._complain(message, f"The office answered with status {answer.status_code}.")
            return
        if answer.is_error and said.get("id") is None:
            said["id"] = message["id"]
            _complain(said["error"]["message"])
        self._say(said)

    def _begin(self, answer: httpx2.Response, said: Any) -> None:
        with contextlib.suppress(KeyError, TypeError):
            self._session = {"MCP-Protocol-Version": _header(said["result"]["protocolVersion"])}
        if session := answer.headers.get(_SESSION):
            self._session[_SESSION] = session

    def _complain(self, message: dict[str, Any], reason: str) -> None:
        _complain(reason)
        if "id" in message:
            self._say(faults.body(message["id"], INTERNAL_ERROR, reason))

    def _say(self, message: dict[str, Any]) -> None:
        self._write(json.dumps(message).encode())


def _envelope(message: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a message in the newest protocol."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return meta if isinstance(meta, dict) else {}


def _key(id: Any) -> str:
    return json.dumps(id)


def _header(value: str) -> str:
    """A header's value in the protocol's form: text beyond plain ASCII is encoded."""
    if _PLAIN.fullmatch(value) and not value.startswith(_SENTINEL):
        return value
    return f"{_SENTINEL}{base64.b64encode(value.encode()).decode()}?="


def _complain(text: str) -> None:
    print(f"bailiwick: {text}", file=sys.stderr, flush=True)  # noqa: T201
