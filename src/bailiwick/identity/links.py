"""One-time links: the first owner's, invitations and new passwords; with their SQL."""

import secrets
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.identity.models import Link
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock, ids

Purpose = Literal["owner", "invitation", "password"]
_PREFIX = "bwl_"


async def create(
    session: AsyncSession,
    purpose: Purpose,
    *,
    hasher: TokenHasher,
    user_id: str | None = None,
    hours: int | None = None,
) -> str:
    """Make a link and return its secret; earlier links for the same person become invalid."""
    await session.execute(delete(Link).where(Link.user_id == user_id))
    secret = _PREFIX + secrets.token_urlsafe(24)
    now = clock.now()
    session.add(
        Link(
            id=ids.new("lnk"),
            purpose=purpose,
            user_id=user_id,
            token_hash=hasher(secret),
            created_at=now,
            expires_at=now + timedelta(hours=hours) if hours else None,
        )
    )
    return secret


async def use(session: AsyncSession, secret: str, *, hasher: TokenHasher) -> Link:
    """Use a link up, if it is valid."""
    statement = delete(Link).where(Link.token_hash == hasher(secret)).returning(Link)
    return _live((await session.scalars(statement)).one_or_none())


async def look_up(session: AsyncSession, secret: str, *, hasher: TokenHasher) -> Link:
    """A valid link, without using it up."""
    return _live(
        (await session.scalars(select(Link).where(Link.token_hash == hasher(secret)))).one_or_none()
    )


def _live(row: Link | None) -> Link:
    if row is None or (row.expires_at and row.expires_at <= clock.now()):
        raise NotFound("This link was used already, or has expired. Ask for a new one.")
    return row
