"""People as callers: someone who acts in the page, by REST or by command, under their own name."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.call import Caller
from bailiwick.identity.access import SignedIn
from bailiwick.identity.models import User
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.kit.http.database import ReadSession
from bailiwick.office import Office
from bailiwick.tools.scope import ALL, Limits, Scope
from bailiwick.workspaces import repository as workspaces
from bailiwick.workspaces.access import WorkspaceAccess, WorkspaceRole
from bailiwick.workspaces.models import Member

_READER = Scope(notebooks=("*",), accounts=("*",))
_SCOPES: dict[WorkspaceRole, Scope] = {"read": _READER, "write": ALL, "admin": ALL}
_UNBOUNDED = Limits(requests_per_hour=None)


def caller_of(principal: Principal, access: WorkspaceAccess) -> Caller:
    """A person in a workspace; one who may write there is their own approval."""
    return _caller(
        principal.id,
        principal.name,
        workspace_id=access.id,
        user_id=principal.user_id,
        roles=(principal.role, f"workspace:{access.role}"),
        role=access.role,
        # A program with a token is not a person who has looked at it.
        present=principal.is_person_present,
    )


def context_of(principal: Principal) -> str | None:
    """Where it is kept what a program with someone's token has read; people are not followed."""
    if principal.is_person_present:
        return None
    return f"token:{principal.token_id or principal.id}"


async def find_user(
    office: Office, id: str, workspace_id: str, _: str | None = None
) -> Caller | None:
    """A person as they are now; None if they are gone, off, or out of the workspace."""
    if id == OPERATOR.id:
        return _caller(id, OPERATOR.name, workspace_id=workspace_id, role="admin")
    async with office.storage.app.read() as session:
        user = await session.get(User, id)
        member = await session.get(Member, (workspace_id, id))
    if user is None or not user.active or member is None:
        return None
    role: WorkspaceRole = member.role  # pyright: ignore[reportAssignmentType]
    roles = (user.role, f"workspace:{role}")
    return _caller(id, user.name, workspace_id=workspace_id, user_id=id, roles=roles, role=role)


def _caller(
    id: str,
    name: str,
    *,
    workspace_id: str,
    role: WorkspaceRole,
    user_id: str | None = None,
    roles: tuple[str, ...] = ("admin", "workspace:admin"),
    present: bool = False,
) -> Caller:
    return Caller(
        kind="user",
        id=id,
        name=name,
        workspace_id=workspace_id,
        user_id=user_id,
        roles=roles,
        scope=_SCOPES[role],
        limits=_UNBOUNDED,
        approves_itself=present and role != "read",
    )


async def visible(session: AsyncSession, principal: Principal) -> Sequence[str]:
    """The workspaces that someone sees."""
    return [row[0].id for row in await workspaces.of_user(session, principal.user_id)]


async def _visible(who: SignedIn, session: ReadSession) -> Sequence[str]:
    return await visible(session, who)


Visible = Annotated[Sequence[str], Depends(_visible)]
