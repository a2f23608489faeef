"""Idempotency-Key: an unsafe request sent twice is carried out once.

The answer is stored in the transaction of the work itself, so that a crash leaves both or neither.
It is sealed, because an answer may hold a secret that is shown only once.
"""

import hashlib
import re
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
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
from bailiwick.kit.vault import Drawer, Vault, sealed_column

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
PATTERN = "^[!-~]{1,255}$"
_WELL_FORMED = re.compile(PATTERN)
_TABLE = "idempotency_keys"

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class IdempotencyKey(Base):
    """The answer that was given to a key."""

    __tablename__ = _TABLE

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    status: Mapped[int] = mapped_column(SmallInteger)
    media_type: Mapped[str] = mapped_column(String(100))
    body: Mapped[bytes] = sealed_column()
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)


class IdempotentRoute(APIRoute):
    """A route that honours Idempotency-Key on unsafe methods."""

    def get_route_handler(self) -> Handler:
        """Wrap the endpoint: replay a known answer, or store the new one with the work."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            key = request.headers.get(HEADER)
            if key is None or request.method in SAFE_METHODS:
                return await handler(request)
            if not _WELL_FORMED.fullmatch(key):
                raise Invalid.field(HEADER, "must have 1 to 255 visible ASCII characters")
            principal = getattr(request.state, "principal", None)
            if principal is None:
                return await handler(request)
            return await _once(request, handler, owner=principal.id, key=key)

        return handle


async def _once(request: Request, handler: Handler, *, owner: str, key: str) -> Response:
    storage: Storage = request.app.state.storage
    id = _digest(owner, key)
    fingerprint = await _fingerprint(request)
    drawer = _drawer(request.app.state.vault)
    keep = timedelta(hours=await request.app.state.idempotency_hours())
    async with storage.app.read() as session:
        known = await session.get(IdempotencyKey, id)
    if known and known.created_at > clock.now() - keep:
        return _replay(known, drawer, fingerprint)
    response = await handler(request)
    if response.status_code < 300 and isinstance(response.body, bytes):
        row = _row(id, fingerprint, response, drawer)
        # Still inside the endpoint's transaction, when it has one: it commits after we return.
        if session := getattr(request.state, "write_session", None):
            await _insert(session, row, keep)
        else:
            async with storage.app.write() as session:
                await _insert(session, row, keep)
    return response


async def _insert(session: AsyncSession, row: IdempotencyKey, keep: timedelta) -> None:
    await forget_older_than(session, keep)
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(
            f"A request with this {HEADER} was carried out at the same moment. "
            f"Send it again to get its answer."
        ) from None


def _replay(known: IdempotencyKey, drawer: Drawer, fingerprint: str) -> Response:
    if known.fingerprint != fingerprint:
        raise Conflict(f"This {HEADER} was used for another request. Use a new one.")
    body = drawer.open(known.body, column="body", row=known.id).get_secret_value()
    response = Response(body, known.status, media_type=known.media_type or None)
    response.headers[REPLAYED] = "true"
    return response


def _row(id: str, fingerprint: str, response: Response, drawer: Drawer) -> IdempotencyKey:
    body = SecretStr(bytes(response.body).decode())
    return IdempotencyKey(
        id=id,
        fingerprint=fingerprint,
        status=response.status_code,
        media_type=response.headers.get("content-type", ""),
        body=drawer.seal(body, column="body", row=id),
        created_at=clock.now(),
    )


async def forget_older_than(session: AsyncSession, keep: timedelta) -> None:
    """Remove answers whose time is over."""
    statement = delete(IdempotencyKey).where(IdempotencyKey.created_at <= clock.now() - keep)
    await session.execute(statement)


def _drawer(vault: Vault) -> Drawer:
    return vault.drawer(_TABLE)


async def _fingerprint(request: Request) -> str:
    head = f"{request.method} {request.url.path}?{request.url.query}".encode()
    return hashlib.sha256(head + b"\x00" + await request.body()).hexdigest()


def _digest(owner: str, key: str) -> str:
    return hashlib.sha256(f"{owner}\x00{key}".encode()).hexdigest()
