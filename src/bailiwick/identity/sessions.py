"""Sessions: opaque, server-side, listed and revocable; with their SQL."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.identity.models import Session, User
from bailiwick.identity.signins import Browser
from bailiwick.instance import audience
from bailiwick.instance.service import TokenHasher
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, eventlog, ids

_PREFIX = "bws_"
TOUCH_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A new session, and the secret for its cookie."""

    row: Session
    secret: str


async def open_session(
    session: AsyncSession, user: User, *, browser: Browser, method: str, hasher: TokenHasher
) -> OpenedSession:
    """Sign a user in."""
    secret = _PREFIX + secrets.token_urlsafe(32)
    now = clock.now()
    row = Session(
        id=ids.new("ses"),
        user_id=user.id,
        token_hash=hasher(secret),
        method=method[:100],
        address=browser.address,
        user_agent=browser.user_agent,
        created_at=now,
        last_seen_at=now,
    )
    session.add(row)
    user.last_login_at = now
    await session.flush()
    _emit(session, "session.started", row.id, user_id=user.id)
    return OpenedSession(row, secret)


def ends_at(row: Session, settings: RuntimeSettings) -> datetime:
    """The end of a session: by age, or by inactivity."""
    by_age = row.created_at + timedelta(hours=settings.session_hours)
    by_silence = row.last_seen_at + timedelta(hours=settings.session_idle_hours)
    return min(by_age, by_silence)


async def find(
    session: AsyncSession, secret: str, *, hasher: TokenHasher, settings: RuntimeSettings
) -> tuple[Session, User] | None:
    """The live session of a cookie, with its user."""
    statement = (
        select(Session, User)
        .join(User, User.id == Session.user_id)
        .where(Session.token_hash == hasher(secret), User.active)
    )
    found = (await session.execute(statement)).one_or_none()
    if found is None or ends_at(found[0], settings) <= clock.now():
        return None
    return found[0], found[1]


async def touch(session: AsyncSession, id: str) -> None:
    """Record that a session is in use."""
    await session.execute(update(Session).where(Session.id == id).values(last_seen_at=clock.now()))


async def live(session: AsyncSession, user_id: str, settings: RuntimeSettings) -> list[Session]:
    """A user's sessions that have not ended, newest first."""
    statement = (
        select(Session).where(Session.user_id == user_id).order_by(Session.created_at.desc())
    )
    now = clock.now()
    return [row for row in await session.scalars(statement) if ends_at(row, settings) > now]


async def end(session: AsyncSession, id: str, *, user_id: str) -> None:
    """End one session of a user."""
    statement = delete(Session).where(Session.id == id, Session.user_id == user_id)
    if not (await session.execute(statement.returning(Session.id))).first():
        raise NotFound("That session does not exist, or has ended.")
    _emit(session, "session.ended", id, user_id=user_id)


async def end_all(session: AsyncSession, user_id: str, *, keep: str | None = None) -> None:
    """End every session of a user, but for one."""
    statement = delete(Session).where(Session.user_id == user_id).returning(Session.id)
    ended = await session.scalars(statement.where(Session.id != keep) if keep else statement)
    for id in ended.all():
        _emit(session, "session.ended", id, user_id=user_id)


async def forget_ended(session: AsyncSession, settings: RuntimeSettings) -> None:
    """Remove sessions that ended by age or by inactivity."""
    now = clock.now()
    await session.execute(
        delete(Session).where(
            (Session.created_at < now - timedelta(hours=settings.session_hours))
            | (Session.last_seen_at < now - timedelta(hours=settings.session_idle_hours))
        )
    )


def _emit(session: AsyncSession, type: str, id: str, *, user_id: str) -> None:
    to = (audience.ADMINS, audience.user(user_id))
    eventlog.record(session, eventlog.Event(type, audience=to, actor_id=user_id, subject_id=id))
