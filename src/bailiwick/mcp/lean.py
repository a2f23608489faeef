"""A short path for the two most frequent methods, if their messages are exactly well-formed.

Anything unusual is left to the SDK; the answers are the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bailiwick.mcp import faults
from bailiwick.mcp.calls import Calls, ClientRequest
from bailiwick.mcp.clients.directory import ClientDirectory
from bailiwick.mcp.exchange import Exchange
from bailiwick.mcp.faults import ProtocolFault
from bailiwick.mcp.introductions import agent

# Protocols with structured results; older ones go to the SDK.
HANDSHAKE = frozenset(("2025-06-18", "2025-11-25"))
MODERN = "2026-07-28"
_ENVELOPE = frozenset(("jsonrpc", "id", "method", "params"))
_CALL = frozenset(("name", "arguments", "_meta"))
_LIST = frozenset(("_meta",))
_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
_CLIENT = "io.modelcontextprotocol/clientInfo"
_SERVER = "io.modelcontextprotocol/serverInfo"


@dataclass(frozen=True, slots=True)
class LeanRequest:
    """A well-formed request of one of the two methods."""

    id: str | int
    method: str
    params: dict[str, Any]
    meta: dict[str, Any]
    modern: bool


@dataclass(frozen=True, slots=True)
class LeanReply:
    """The answer to a request."""

    status: int
    body: dict[str, Any]


def read(body: Any, headers: Mapping[str, str]) -> LeanRequest | None:
    """The request, if it is well-formed enough for the short path."""
    if not isinstance(body, dict) or not _ENVELOPE.issuperset(body) or body.get("jsonrpc") != "2.0":
        return None
    id, method, params = body.get("id"), body.get("method"), body.get("params", {})
    if type(id) not in (str, int) or not isinstance(params, dict) or not _fits(method, params):
        return None
    meta = params.get("_meta", {})
    if not isinstance(meta, dict) or "progressToken" in meta:
        return None
    version = headers.get("mcp-protocol-version")
    modern = version == MODERN
    if not modern and version not in HANDSHAKE:
        return None
    if modern and not _is_modern(body, headers, meta):
        return None
    return LeanRequest(id, method, params, meta, modern)  # pyright: ignore[reportArgumentType]


def _fits(method: Any, params: dict[str, Any]) -> bool:
    if method == "tools/list":
        return _LIST.issuperset(params)
    return (
        method == "tools/call"
        and _CALL.issuperset(params)
        and isinstance(params.get("name"), str)
        and isinstance(params.get("arguments", {}), dict)
    )


def _is_modern(body: dict[str, Any], headers: Mapping[str, str], meta: dict[str, Any]) -> bool:
    from mcp.shared.inbound import InboundModernRoute, classify_inbound_request

    info = meta.get(_CLIENT)
    return (
        isinstance(classify_inbound_request(body, headers=headers), InboundModernRoute)
        and isinstance(meta[_CAPABILITIES], dict)
        and (info is None or _is_info(info))
    )


def _is_info(info: Any) -> bool:
    return isinstance(info, dict) and all(
        isinstance(info.get(name), str) for name in ("name", "version")
    )


class LeanPath:
    """Answers the requests that `read` accepts."""

    def __init__(self, calls: Calls, clients: ClientDirectory, *, stamp: dict[str, Any]) -> None:
        self._calls = calls
        self._clients = clients
        self._stamp = stamp

    async def answer(self, exchange: Exchange, message: LeanRequest) -> LeanReply:
        """Answer a request in the form of its protocol version."""
        if message.modern and _CLIENT in message.meta:
            said = agent(message.meta[_CLIENT], MODERN)
            await self._clients.introduced(exchange.known, said)
        try:
            if message.method == "tools/list":
                result = await self._listed(exchange, message)
            else:
                request = ClientRequest(
                    message.params["name"],
                    message.params.get("arguments", {}),
                    meta=message.meta,
                    opens_pages=message.modern and _opens_pages(message.meta[_CAPABILITIES]),
                )
                result = await self._calls.call(exchange, request)
        except ProtocolFault as fault:
            return LeanReply(
                _status(fault, modern=message.modern),
                faults.body(message.id, fault.code, fault.message),
            )
        if message.modern:
            result.setdefault("resultType", "complete")
            result["_meta"] = {**result.get("_meta", {}), _SERVER: self._stamp}
        return LeanReply(200, {"jsonrpc": "2.0", "id": message.id, "result": result})

    async def _listed(self, exchange: Exchange, message: LeanRequest) -> dict[str, Any]:
        tools = {"tools": await self._calls.tools(exchange.known.caller)}
        return {**tools, "ttlMs": 0, "cacheScope": "private"} if message.modern else tools


def _opens_pages(capabilities: dict[str, Any]) -> bool:
    asks = capabilities.get("elicitation")
    return isinstance(asks, dict) and isinstance(asks.get("url"), dict)


def _status(fault: ProtocolFault, *, modern: bool) -> int:
    from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS

    return ERROR_CODE_HTTP_STATUS.get(fault.code, 200) if modern else 200
