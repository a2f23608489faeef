"""Viewers of events: the audience keys that they hold."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_for
from bailiwick.chat import repository as chat
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience
from bailiwick.kit.eventlog import Recorded

# The field in which each of these events names the user.
_AFFECTED = {
    "user.changed": "subject_id",
    "session.ended": "actor_id",
    "token.revoked": "data",
    "workspace.created": "actor_id",
    "workspace.member_set": "data",
    "workspace.member_removed": "data",
    "account.connected": "actor_id",
    "account.shared": "data",
    "account.unshared": "data",
    "thread.shared": "data",
    "thread.unshared": "data",
}


ANYBODY = "*"


class EventViewer(NamedTuple):
    """A user, and whether their session or token has admin rights."""

    user_id: str | None
    admin: bool

    @classmethod
    def of(cls, principal: Principal) -> "EventViewer":
        """The viewer behind a request."""
        return cls(principal.user_id, "admin" in principal.scopes)


async def keys_of_user(session: AsyncSession, user_id: str) -> frozenset[str]:
    """The keys of a user; none if they are disabled or gone."""
    user = await session.get(User, user_id, populate_existing=True)
    if user is None or not user.active:
        return frozenset()
    held = await _held(session, await reader_for(session, user_id))
    return held | {audience.ADMINS} if user.role == "admin" else held


async def keys_of(session: AsyncSession, who: EventViewer) -> frozenset[str]:
    """The words that a caller holds; the operator, whose id is None, acts for the owner."""
    if who.user_id is None:
        return await _held(session, await reader_for(session, None)) | {audience.ADMINS}
    keys = await keys_of_user(session, who.user_id)
    return keys if who.admin else keys - {audience.ADMINS}


async def _held(session: AsyncSession, reader: Reader) -> frozenset[str]:
    threads = await chat.shared_to(session, reader.names)
    return frozenset(
        (
            audience.EVERYONE,
            *(audience.user(name) for name in reader.names),
            *(audience.workspace(id) for id in reader.workspaces),
            *(audience.account(id) for id in reader.accounts),
            *(audience.thread(id) for id in threads),
        )
    )


def affected_by(event: Recorded) -> list[str]:
    """The users whose rights, or ways in, an event changes; `ANYBODY` if it may be any of them."""
    if who := _AFFECTED.get(event.type):
        found = event.data.get("userId") if who == "data" else getattr(event, who)
        return [found or ANYBODY]
    return []


def ends(event: Recorded, principal: Principal) -> bool:
    """Whether an event ends the caller's session or token."""
    if event.type == "session.ended":
        return event.subject_id == principal.session_id
    return event.type == "token.revoked" and event.subject_id == principal.token_id
