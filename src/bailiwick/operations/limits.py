"""Rate limits of the API: the categories of requests and their limits."""

from typing import Literal

from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.limits import Limit

LimitCategory = Literal[
    "authentication",
    "thread-operations",
    "message-creation",
    "file-upload",
    "reactions",
    "read-operations",
    "write-operations",
    "event-streams",
]
LIMITS: dict[LimitCategory, Limit] = {
    "authentication": Limit(10, 20),
    "thread-operations": Limit(100, 150),
    "message-creation": Limit(60, 100),
    "file-upload": Limit(20, 30),
    "reactions": Limit(200, 300),
    "read-operations": Limit(300, 500),
    "write-operations": Limit(100, 150),
    "event-streams": Limit(3000, 5000),
}


def categorise(method: str, path: str) -> LimitCategory | None:
    """The category a request counts against; None for what is not limited."""
    if not path.startswith(("/api/", "/oauth/")):
        return None
    if path.startswith(("/oauth/login", "/api/v1/auth/")):
        if method != "GET" or "/initiate" in path or path.startswith("/oauth/"):
            return "authentication"
        return "read-operations"
    if path == "/api/v1/events/stream" or path.endswith("/messages/stream"):
        return "event-streams"
    if method in SAFE_METHODS:
        return "read-operations"
    if "/reactions" in path:
        return "reactions"
    if path.endswith(("/messages", "/message")):
        return "message-creation"
    if path.startswith("/api/v1/files") or path.endswith("/avatar"):
        return "file-upload"
    return "thread-operations" if path.startswith("/api/v1/threads") else "write-operations"
