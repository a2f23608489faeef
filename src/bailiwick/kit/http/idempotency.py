"""Idempotency-Key: an unsafe request sent twice is carried out once.

A known answer is given again only after the caller was recognised and allowed, like the first time.
Where the endpoint has a transaction, the answer is stored in it, so that a crash leaves both or
neither. Where it has none, the key is reserved first; if the outcome was lost in a crash, the key
says so instead of doing the work again. Answers are sealed, because they may hold a secret that is
shown only once, and requests are remembered by a keyed digest.
"""

import hashlib
import re
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import SecretStr
from sqlalchemy import SmallInteger, String, delete
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.errors import Conflict, Invalid
from bailiwick.kit import clock
from bailiwick.kit.db import Base, Storage, UtcDateTime
from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.served import served
from bailiwick.kit.vault import Drawer, sealed_column

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
PATTERN = "^[!-~]{1,255}$"
_WELL_FORMED = re.compile(PATTERN)
_TABLE = "idempotency_keys"
_UNDER_WAY = 0

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class IdempotencyKey(Base):
    """The stored answer of a key."""

    __tablename__ = _TABLE

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    status: Mapped[int] = mapped_column(SmallInteger)
    media_type: Mapped[str] = mapped_column(String(100))
    body: Mapped[bytes] = sealed_column()
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


@dataclass(slots=True)
class _Attempt:
    """One request with a key, until it is answered."""

    request: Request
    id: str
    fingerprint: str
    keep: timedelta
    known: "IdempotencyKey | None" = None

    @property
    def session(self) -> AsyncSession | None:
        """The endpoint's own transaction, if it has one."""
        return getattr(self.request.state, "write_session", None)

    @property
    def storage(self) -> Storage:
        return served(self.request).storage

    @property
    def drawer(self) -> Drawer:
        return served(self.request).vault.drawer(_TABLE)


class _KnownRequest(Exception):
    """The answer is known; raised to leave the endpoint before it does anything."""


_attempt: ContextVar[_Attempt | None] = ContextVar("attempt", default=None)


class IdempotentRoute(APIRoute):
    """A route that honours Idempotency-Key on unsafe methods."""

    # Whether a request is told from another by its whole body, which is in memory then.
    knows_body = True

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _once(endpoint), **options)

    def get_route_handler(self) -> Handler:
        """Repeat a known answer, or store the new one with the work."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            attempt = await self._attempt(request) if HEADER in request.headers else None
            if attempt is None:
                return await handler(request)
            token = _attempt.set(attempt)
            try:
                response = await handler(request)
                await _store(attempt, response)
            except _KnownRequest:
                return _replay(attempt)
            finally:
                _attempt.reset(token)
            return response

        return handle

    async def _attempt(self, request: Request) -> _Attempt | None:
        return await _recognised(request, knows_body=self.knows_body)


class StreamedRoute(IdempotentRoute):
    """The same for what is read piece by piece: told from another by its head and its length."""

    knows_body = False


def _once(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Look the key up after all dependencies passed, so only for callers that are allowed."""

    @wraps(endpoint)
    async def once(*arguments: Any, **named: Any) -> Any:
        attempt = _attempt.get()
        if attempt is None:
            return await endpoint(*arguments, **named)
        await _look_up(attempt)
        try:
            return await endpoint(*arguments, **named)
        except BaseException:
            await _release(attempt)
            raise

    return once


async def _recognised(request: Request, *, knows_body: bool) -> _Attempt | None:
    key = request.headers.get(HEADER)
    if key is None or request.method in SAFE_METHODS:
        return None
    if not _WELL_FORMED.fullmatch(key):
        raise Invalid.field(HEADER, "must have 1 to 255 visible ASCII characters")
    principal = getattr(request.state, "principal", None)
    if principal is None:
        return None
    office = served(request)
    head = f"{request.method} {request.url.path}?{request.url.query}".encode()
    length = request.headers.get("content-length", "").encode()
    told = await request.body() if knows_body else length
    plain = hashlib.sha256(head + b"\x00" + told).hexdigest()
    return _Attempt(
        request,
        id=office.hasher(f"{principal.id}\x00{key}"),
        fingerprint=office.hasher(plain),
        keep=timedelta(hours=await office.idempotency_hours()),
    )


async def _look_up(attempt: _Attempt) -> None:
    """Return if the key is new; raise the known answer otherwise."""
    if attempt.session:
        await forget_older_than(attempt.session, attempt.keep)
        attempt.known = await attempt.session.get(IdempotencyKey, attempt.id)
    else:
        attempt.known = await _reserve(attempt)
    if attempt.known is None:
        return
    if attempt.known.fingerprint != attempt.fingerprint:
        raise Conflict(f"This {HEADER} was used for another request. Use a new one.")
    if attempt.known.status == _UNDER_WAY:
        raise Conflict(
            f"A request with this {HEADER} is under way, or its outcome was lost. Look whether it "
            f"took effect before you send it again under a new key."
        )
    raise _KnownRequest


async def _reserve(attempt: _Attempt) -> IdempotencyKey | None:
    async with attempt.storage.app.write() as session:
        await forget_older_than(session, attempt.keep)
        if known := await session.get(IdempotencyKey, attempt.id):
            return known
        await _insert(session, _row(attempt, status=_UNDER_WAY))
    return None


async def _release(attempt: _Attempt) -> None:
    """Forget the key of a failed request; a transaction does so by its rollback."""
    if attempt.session is None:
        async with attempt.storage.app.write() as session:
            await session.execute(delete(IdempotencyKey).where(IdempotencyKey.id == attempt.id))


async def _store(attempt: _Attempt, response: Response) -> None:
    body, kind = bytes(response.body).decode(), response.headers.get("content-type", "")
    row = _row(attempt, status=response.status_code, body=body, media_type=kind)
    if attempt.session:
        # Still inside the endpoint's transaction: it commits after we return.
        await _insert(attempt.session, row)
    else:
        async with attempt.storage.app.write() as session:
            await session.merge(row)


async def _insert(session: AsyncSession, row: IdempotencyKey) -> None:
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(
            f"A request with this {HEADER} was carried out at the same moment. "
            f"Send it again to get its answer."
        ) from None


def _replay(attempt: _Attempt) -> Response:
    known = attempt.known
    assert known is not None
    body = attempt.drawer.open(known.body, column="body", row=known.id).get_secret_value()
    response = Response(body, known.status, media_type=known.media_type or None)
    response.headers[REPLAYED] = "true"
    return response


def _row(attempt: _Attempt, *, status: int, body: str = "", media_type: str = "") -> IdempotencyKey:
    return IdempotencyKey(
        id=attempt.id,
        fingerprint=attempt.fingerprint,
        status=status,
        media_type=media_type,
        body=attempt.drawer.seal(SecretStr(body), column="body", row=attempt.id),
        created_at=clock.now(),
    )


async def forget_older_than(session: AsyncSession, keep: timedelta) -> None:
    """Remove answers that have expired."""
    statement = delete(IdempotencyKey).where(IdempotencyKey.created_at <= clock.now() - keep)
    await session.execute(statement)
