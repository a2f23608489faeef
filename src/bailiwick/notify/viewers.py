"""Viewers of events: the audience keys that they hold."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience
from bailiwick.kit.eventlog import Recorded
from bailiwick.workspaces import repository as workspaces

# The field in which each of these events names the user.
_AFFECTED = {
    "user.changed": "subject_id",
    "session.ended": "actor_id",
    "token.revoked": "data",
    "workspace.created": "actor_id",
    "workspace.member_set": "data",
    "workspace.member_removed": "data",
}


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
    held = {audience.EVERYONE, audience.user(user_id)}
    for workspace_id, role in await workspaces.roles(session, user_id):
        held.add(audience.workspace(workspace_id))
        if role == "admin":
            held.add(audience.workspace_admins(workspace_id))
    return frozenset(held | {audience.ADMINS} if user.role == "admin" else held)


async def keys_of(session: AsyncSession, who: EventViewer) -> frozenset[str] | None:
    """The keys of a caller; None for the operator, who sees everything."""
    if who.user_id is None:
        return None
    keys = await keys_of_user(session, who.user_id)
    return keys if who.admin else keys - {audience.ADMINS}


def affected_by(event: Recorded) -> list[str]:
    """The users with rights or credentials that an event changes."""
    if who := _AFFECTED.get(event.type):
        found = event.data.get("userId") if who == "data" else getattr(event, who)
        return [found] if found else []
    return []


def ends(event: Recorded, principal: Principal) -> bool:
    """Whether an event ends the caller's session or token."""
    if event.type == "session.ended":
        return event.subject_id == principal.session_id
    return event.type == "token.revoked" and event.subject_id == principal.token_id
