"""API tokens: scoped, expiring, stored only as a keyed hash; with their SQL."""

import secrets
from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid, NotFound
from bailiwick.identity.models import ApiToken, User
from bailiwick.identity.principal import Principal, TokenScope
from bailiwick.instance import audience, changes
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock, ids
from bailiwick.kit.http.pages import PageRequest, Rows, paginate

PREFIX = "bwt_"
USED_EVERY = timedelta(minutes=1)


async def create(
    session: AsyncSession,
    principal: Principal,
    *,
    user_id: str,
    name: str,
    scopes: list[TokenScope],
    days: int,
    longest: int,
    hasher: TokenHasher,
) -> tuple[ApiToken, str]:
    """Make a token; its secret is returned only here."""
    if days > longest:
        raise Invalid.field(
            "expiresInDays", f"must be at most {longest} (a setting of this office)"
        )
    if "admin" in scopes and principal.role != "admin":
        raise Invalid.field("scopes", "only an admin can give a token the admin scope")
    secret = PREFIX + secrets.token_urlsafe(32)
    now = clock.now()
    row = ApiToken(
        id=ids.new("tok"),
        user_id=user_id,
        name=name,
        token_hash=hasher(secret),
        hint=secret[: len(PREFIX) + 4],
        scopes=sorted(set(scopes)),
        created_at=now,
        expires_at=now + timedelta(days=days),
        last_used_at=None,
    )
    session.add(row)
    changes.record(
        session,
        principal.actor,
        action="token.created",
        subject=row.id,
        after=_described(row),
        to=(audience.user(user_id),),
    )
    return row, secret


async def find(
    session: AsyncSession, secret: str, *, hasher: TokenHasher
) -> tuple[ApiToken, User] | None:
    """The live token with this secret, and its user."""
    statement = (
        select(ApiToken, User)
        .join(User, User.id == ApiToken.user_id)
        .where(
            ApiToken.token_hash == hasher(secret), ApiToken.expires_at > clock.now(), User.active
        )
    )
    found = (await session.execute(statement)).one_or_none()
    return (found[0], found[1]) if found else None


async def used(session: AsyncSession, id: str) -> None:
    """Record the use of a token."""
    await session.execute(
        update(ApiToken).where(ApiToken.id == id).values(last_used_at=clock.now())
    )


async def listed(session: AsyncSession, user_id: str, page: PageRequest) -> Rows[ApiToken]:
    """A user's tokens, newest first."""
    statement = select(ApiToken).where(ApiToken.user_id == user_id)
    return await paginate(session, statement, page, by=(ApiToken.created_at, ApiToken.id))


async def revoke(session: AsyncSession, principal: Principal, id: str, *, user_id: str) -> None:
    """End a token at once."""
    row = await session.get(ApiToken, id)
    if row is None or row.user_id != user_id:
        raise NotFound("That token does not exist.")
    await _end(session, principal.actor, row)


async def revoke_all(session: AsyncSession, actor: changes.Actor, user_id: str) -> None:
    """End every token of a user."""
    for row in await session.scalars(select(ApiToken).where(ApiToken.user_id == user_id)):
        await _end(session, actor, row)


async def _end(session: AsyncSession, actor: changes.Actor, row: ApiToken) -> None:
    await session.delete(row)
    changes.record(
        session,
        actor,
        action="token.revoked",
        subject=row.id,
        before=_described(row),
        to=(audience.user(row.user_id),),
        about={"userId": row.user_id},
    )


def _described(row: ApiToken) -> dict[str, object]:
    return {"name": row.name, "scopes": row.scopes, "expires_at": row.expires_at.isoformat()}
