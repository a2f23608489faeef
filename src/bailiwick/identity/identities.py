"""The identities that providers know a user by: linked while signed in, or at the first log-in."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Forbidden, NotFound
from bailiwick.identity import repository
from bailiwick.identity.models import ExternalIdentity, LoginProvider, User
from bailiwick.instance import audience, changes
from bailiwick.kit import clock, ids


def add(session: AsyncSession, provider: LoginProvider, *, subject: str, user: User) -> None:
    """Let a provider's subject sign in as this user."""
    session.add(
        ExternalIdentity(
            id=ids.new("ext"),
            provider_id=provider.id,
            subject=subject,
            user_id=user.id,
            created_at=clock.now(),
        )
    )


async def link(session: AsyncSession, provider: LoginProvider, *, subject: str, user: User) -> None:
    """Link an identity to a user who asked for it while signed in."""
    known = await repository.linked(session, provider.id, subject)
    if known and known.id != user.id:
        raise Conflict("That identity belongs to another account here.")
    if not user.active:
        raise Forbidden("This account is switched off.")
    if not known:
        add(session, provider, subject=subject, user=user)
        _record(session, user, after={"linked": provider.name})


async def unlink(session: AsyncSession, user: User, id: str) -> None:
    """Unlink an identity; the last way in stays."""
    known = {row.id: (row, name) for row, name in await repository.identities(session, user.id)}
    if id not in known:
        raise NotFound("That identity does not exist.")
    if len(known) == 1 and user.password_hash is None:
        raise Conflict("This is your only way in. Choose a password first.")
    row, name = known[id]
    await session.delete(row)
    _record(session, user, before={"linked": name})


def _record(
    session: AsyncSession,
    user: User,
    *,
    before: changes.Values | None = None,
    after: changes.Values | None = None,
) -> None:
    changes.record(
        session,
        changes.Actor(user.id, user.name),
        action="user.changed",
        subject=user.id,
        before=before,
        after=after,
        to=(audience.user(user.id),),
    )
