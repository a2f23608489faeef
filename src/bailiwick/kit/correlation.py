"""The id that ties a browser's request, its log lines and its errors together."""

import re
import secrets
from contextvars import ContextVar

HEADER = "X-Correlation-Id"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
_TRACEPARENT = re.compile(r"00-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")
_current: ContextVar[str] = ContextVar("trace_id", default="")


def current_trace_id() -> str:
    """The id of the request or job under way; empty outside of one."""
    return _current.get()


def begin(*, correlation: str | None = None, traceparent: str | None = None) -> str:
    """Take over a well-formed id from the caller, or make a new one."""
    id = secrets.token_hex(16)
    if correlation and _WELL_FORMED.fullmatch(correlation):
        id = correlation
    elif traceparent and (match := _TRACEPARENT.fullmatch(traceparent)):
        id = match[1]
    _current.set(id)
    return id
