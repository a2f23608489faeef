"""Errors of the protocol itself, as opposed to failed tool calls."""

from typing import Any, Literal

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
CANCELLED = -32800

FaultCode = Literal[-32700, -32600, -32602, -32603, -32800]


class ProtocolFault(Exception):
    """A message that cannot be processed; `status` is that of the HTTP answer."""

    def __init__(self, code: FaultCode, message: str, *, status: int = 200) -> None:
        super().__init__(message)
        self.code: FaultCode = code
        self.message = message
        self.status = status


def body(id: str | int | None, code: int, message: str) -> dict[str, Any]:
    """An error as JSON-RPC."""
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
