"""Request limits: token buckets by category and caller, reported in headers.

On SQLite one process serves everybody, so the buckets live in memory. On PostgreSQL they are rows,
so that the limits hold across all processes.
"""

import hashlib
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy import Double, String, delete, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bailiwick.errors import RateLimited
from bailiwick.kit.db import Base, Storage
from bailiwick.kit.http import problems

_MEMORY_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Limit:
    """Requests a minute, and the burst."""

    per_minute: float
    burst: float

    def scaled(self, percent: int) -> "Limit":
        """The limit multiplied by a factor."""
        return Limit(self.per_minute * percent / 100, self.burst * percent / 100)


@dataclass(frozen=True, slots=True)
class Allowance:
    """The state of a bucket after taking one."""

    allowed: bool
    remaining: int
    retry_after: float
    full_after: float


class Buckets(Protocol):
    """A store of buckets."""

    async def take(self, key: str, limit: Limit) -> Allowance:
        """Take one from the bucket, if it is not empty."""
        ...


class RateBucket(Base):
    """A bucket shared by all processes."""

    __tablename__ = "rate_buckets"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    level: Mapped[float] = mapped_column(Double)
    at: Mapped[float] = mapped_column(Double)


class MemoryBuckets:
    """Buckets of one process."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._levels: dict[str, tuple[float, float]] = {}

    async def take(self, key: str, limit: Limit) -> Allowance:
        """Take one from the bucket, if it is not empty."""
        now = self._now()
        level, at = self._levels.pop(key, (limit.burst, now))
        level = min(limit.burst, level + (now - at) * limit.per_minute / 60)
        verdict = _verdict(level, limit)
        self._levels[key] = (level - verdict.allowed, now)
        if len(self._levels) > _MEMORY_LIMIT:
            del self._levels[next(iter(self._levels))]
        return verdict


_MAKE = text(
    "INSERT INTO rate_buckets (key, level, at) VALUES (:key, :level, :at) ON CONFLICT DO NOTHING"
)


class SharedBuckets:
    """Buckets in PostgreSQL, shared by all processes."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def take(self, key: str, limit: Limit) -> Allowance:
        """Take one from the bucket, if it is not empty."""
        now, rate = time.time(), limit.per_minute / 60
        # A digest, because the key may be long, or somebody's address.
        key = hashlib.sha256(key.encode()).hexdigest()
        async with self._storage.app.write() as session:
            row = await session.get(RateBucket, key, with_for_update=True)
            if row is None:
                await session.execute(_MAKE, {"key": key, "level": limit.burst, "at": now})
                row = await session.get_one(RateBucket, key, with_for_update=True)
            level = min(limit.burst, row.level + max(0.0, now - row.at) * rate)
            verdict = _verdict(level, limit)
            row.level, row.at = level - verdict.allowed, max(row.at, now)
        return verdict


async def forget_full(session: AsyncSession) -> None:
    """Remove buckets that have been full for long."""
    await session.execute(delete(RateBucket).where(RateBucket.at < time.time() - 3600))


def _verdict(level: float, limit: Limit) -> Allowance:
    allowed = level >= 1
    left = level - allowed
    rate = limit.per_minute / 60
    return Allowance(
        allowed=allowed,
        remaining=math.floor(left),
        retry_after=0.0 if allowed else (1 - level) / rate,
        full_after=(limit.burst - left) / rate,
    )


class RateLimit:
    """ASGI middleware: counts a request against its caller's bucket."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        buckets: Buckets,
        categorise: Callable[[str, str], str | None],
        limits: Mapping[Any, Limit],
        percent: Callable[[], Awaitable[int]],
        caller: Callable[[Scope], str],
    ) -> None:
        self._app = app
        self._buckets = buckets
        self._categorise = categorise  # by method and path; None for what is not limited
        self._limits = limits
        self._percent = percent
        self._caller = caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer when to retry."""
        is_http = scope["type"] == "http"
        category = self._categorise(scope["method"], scope["path"]) if is_http else None
        if category is None:
            await self._app(scope, receive, send)
            return
        limit = self._limits[category].scaled(await self._percent())
        verdict = await self._buckets.take(f"{category}:{self._caller(scope)}", limit)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-RateLimit-Limit"] = str(round(limit.per_minute))
                headers["X-RateLimit-Remaining"] = str(verdict.remaining)
                headers["X-RateLimit-Reset"] = str(math.ceil(time.time() + verdict.full_after))
                headers["X-RateLimit-Category"] = category
            await send(message)

        if verdict.allowed:
            await self._app(scope, receive, with_headers)
            return
        seconds = math.ceil(verdict.retry_after)
        error = RateLimited(
            f"Too many requests ({category}). Try again in {seconds} s.",
            headers={"Retry-After": str(seconds)},
        )
        await problems.from_error(scope["path"], error)(scope, receive, with_headers)


def client_address(scope: Scope) -> str:
    """The client's address, as trusted proxies give it."""
    client = scope.get("client")
    return client[0] if client else Headers(scope=scope).get("host", "local")
