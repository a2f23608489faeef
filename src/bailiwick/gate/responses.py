"""An outcome of the gate as an answer over HTTP."""

from typing import Any

from bailiwick.errors import (
    BailiwickError,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    RateLimited,
    Unavailable,
)
from bailiwick.gate.call import Denied, RefusalCode

_ERRORS: dict[RefusalCode, type[BailiwickError]] = {
    "unknown_tool": NotFound,
    "unknown_id": NotFound,
    "not_found": NotFound,
    "invalid_arguments": Invalid,
    "rate_limited": RateLimited,
    "halted": Unavailable,
    "audit_failed": Unavailable,
    "conflict": Conflict,
    "approval_void": Conflict,
    "unknown_outcome": Conflict,
    "failed": Conflict,
}


def error_of(denied: Denied) -> BailiwickError:
    """The error that a person or program is shown."""
    kind = _ERRORS.get(denied.code, Forbidden)
    about: dict[str, Any] = {"errors": denied.fields} if denied.fields else {}
    if denied.retry_after:
        about["headers"] = {"Retry-After": str(denied.retry_after)}
    return kind(denied.reason, **about)
