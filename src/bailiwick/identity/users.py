"""Users: made by the first-owner link, by invitation, or by an enabled provider; with their SQL."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pydantic import SecretStr
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Forbidden, NotFound
from bailiwick.identity import links, password, sessions, tokens
from bailiwick.identity.facts import Welcome
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal, UserRole
from bailiwick.instance import audience, changes
from bailiwick.instance.service import TokenHasher
from bailiwick.kit import clock, eventlog, ids
from bailiwick.kit.db import Storage
from bailiwick.kit.http.pages import PageRequest, Rows, paginate

ID_LENGTH = 8
# Locked before a change, so that two admins cannot demote each other at the same moment.
_ADMINS = select(User.id).where(User.role == "admin", User.active).order_by(User.id)


@dataclass(frozen=True, slots=True)
class NewUser:
    """The facts of a person before they have an account."""

    email: str
    name: str
    role: UserRole = "user"
    password_hash: str | None = None


async def add(
    session: AsyncSession, actor: changes.Actor | None, new: NewUser, *, welcomes: Sequence[Welcome]
) -> User:
    """Make a user with a free e-mail address; without an actor, they made themselves."""
    user = User(
        id=ids.new("usr", length=ID_LENGTH),
        email=new.email,
        name=new.name,
        role=new.role,
        active=True,
        password_hash=new.password_hash,
        created_at=clock.now(),
    )
    session.add(user)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(f"There is already a user with the address {new.email}.") from None
    for welcome in welcomes:
        await welcome.receive(session, user)
    changes.record(
        session,
        actor or changes.Actor(user.id, user.name),
        action="user.created",
        subject=user.id,
        after={"email": user.email, "role": user.role},
        to=(audience.user(user.id),),
    )
    return user


async def owner_id(session: AsyncSession) -> str | None:
    """The owner of the office: its first admin. None before there is one."""
    statement = _ADMINS.order_by(None).order_by(User.created_at, User.id)
    return await session.scalar(statement.limit(1))


async def names(session: AsyncSession, ids: Collection[str]) -> dict[str, str]:
    """What some users are called."""
    statement = select(User.id, User.name).where(User.id.in_(ids))
    return dict((await session.execute(statement)).all())


async def create_owner(
    storage: Storage,
    *,
    secret: str,
    new: NewUser,
    given: SecretStr,
    hasher: TokenHasher,
    welcomes: Sequence[Welcome],
) -> User:
    """Make the first user, an admin, from the link that the terminal showed."""
    password.check_strength(given, email=new.email)
    hashed = await password.hash(given)
    async with storage.app.write() as session:
        await storage.app.alone(session)
        link = await links.use(session, secret, hasher=hasher)
        if link.purpose != "owner" or await count(session):
            raise Forbidden("This office has an owner already. Sign in, or ask for an invitation.")
        owner = NewUser(new.email, new.name, "admin", hashed)
        return await add(session, None, owner, welcomes=welcomes)


async def set_password_by_link(
    storage: Storage, *, secret: str, given: SecretStr, hasher: TokenHasher
) -> User:
    """Accept an invitation, or choose a new password; other sessions end."""
    async with storage.app.read() as session:
        link = await links.look_up(session, secret, hasher=hasher)
        user = await get(session, link.user_id or "")
    password.check_strength(given, email=user.email)
    hashed = await password.hash(given)
    async with storage.app.write() as session:
        await links.use(session, secret, hasher=hasher)
        user = await get(session, user.id)
        if not user.active:
            raise Forbidden("This account is switched off.")
        await _set_password(session, user, hashed, actor=changes.Actor(user.id, user.name))
        return user


async def change_password(
    storage: Storage, principal: Principal, *, user_id: str, old: SecretStr, new: SecretStr
) -> None:
    """Change one's own password; other sessions end."""
    async with storage.app.read() as session:
        user = await get(session, user_id)
    if not await password.matches(old, user.password_hash):
        raise Forbidden("The current password is not right.")
    password.check_strength(new, email=user.email, field="newPassword")
    hashed = await password.hash(new)
    async with storage.app.write() as session:
        user = await get(session, user_id)
        await _set_password(session, user, hashed, actor=principal.actor, keep=principal.session_id)


async def _set_password(
    session: AsyncSession,
    user: User,
    hashed: str,
    *,
    actor: changes.Actor,
    keep: str | None = None,
) -> None:
    user.password_hash = hashed
    await sessions.end_all(session, user.id, keep=keep)
    changes.record(
        session,
        actor,
        action="user.password_changed",
        subject=user.id,
        to=(audience.user(user.id),),
    )


async def get(session: AsyncSession, id: str) -> User:
    """A user, or `NotFound`."""
    if not (user := await session.get(User, id)):
        raise NotFound("That user does not exist.")
    return user


async def by_email(session: AsyncSession, email: str) -> User | None:
    """The user with this address."""
    return (await session.scalars(select(User).where(User.email == email))).one_or_none()


async def listed(session: AsyncSession, page: PageRequest) -> Rows[User]:
    """All users, newest first."""
    return await paginate(session, select(User), page, by=(User.created_at, User.id))


async def count(session: AsyncSession) -> int:
    """How many users there are."""
    return await session.scalar(select(func.count(User.id))) or 0


async def rename(session: AsyncSession, id: str, name: str) -> User:
    """Change a user's name."""
    user = await get(session, id)
    user.name = name
    emit_changed(session, id)
    return user


def emit_changed(session: AsyncSession, id: str) -> None:
    """Record that a user's name or picture changed."""
    eventlog.record(
        session,
        eventlog.Event("user.changed", audience=(audience.EVERYONE,), actor_id=id, subject_id=id),
    )


async def change(
    session: AsyncSession,
    actor: changes.Actor,
    id: str,
    *,
    role: UserRole | None = None,
    active: bool | None = None,
    name: str | None = None,
) -> User:
    """Change a user's role or name, or enable or disable them; one admin always stays."""
    await session.execute(_ADMINS.with_for_update(key_share=True))
    user = await get(session, id)
    before = {"role": user.role, "active": user.active, "name": user.name}
    user.role = role or user.role
    user.active = user.active if active is None else active
    user.name = name or user.name
    after = {"role": user.role, "active": user.active, "name": user.name}
    if after == before:
        return user
    await session.flush()
    if not (await session.execute(_ADMINS)).first():
        raise Conflict("This is the last admin. Make someone else an admin first.")
    if not user.active:
        await sessions.end_all(session, id)
        await tokens.revoke_all(session, actor, id)
    changes.record(
        session,
        actor,
        action="user.changed",
        subject=id,
        before=before,
        after=after,
        # Names are shown beside people's actions, on everyone's screen.
        to=(audience.EVERYONE,),
    )
    return user
