"""The one place that mints an `AccessibleWorkspaceID`: proof that the caller may enter.

A service that a request reaches enters the workspace itself, or takes the proof from the endpoint
that did. A list over many workspaces takes the reader, and its SQL asks for the membership. Work
without a caller (a job, the intake, a check) uses the plain id of its row or call.

A workspace that the caller is not a member of does not exist for them: the answer is 404, so that
ids cannot be probed. A member without the needed role gets 403.
"""

from dataclasses import dataclass
from typing import Literal, NewType

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Forbidden, NotFound
from bailiwick.identity.principal import Principal
from bailiwick.workspaces.models import Member, Workspace

WorkspaceRole = Literal["read", "write", "admin"]
AccessibleWorkspaceID = NewType("AccessibleWorkspaceID", str)
_RANK: dict[str, int] = {"read": 0, "write": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class WorkspaceAccess:
    """A workspace that the caller may enter, and their role in it."""

    id: AccessibleWorkspaceID
    role: WorkspaceRole


async def enter(
    session: AsyncSession, principal: Principal, workspace_id: str, *, need: WorkspaceRole
) -> WorkspaceAccess:
    """Prove that the caller has this right in the workspace, or refuse."""
    role = await _role(session, principal, workspace_id)
    if role is None:
        raise NotFound("That workspace does not exist, or you are not a member of it.")
    if _RANK[role] < _RANK[need]:
        raise Forbidden(f"This needs the role '{need}' in the workspace; yours is '{role}'.")
    return WorkspaceAccess(AccessibleWorkspaceID(workspace_id), role)


async def _role(
    session: AsyncSession, principal: Principal, workspace_id: str
) -> WorkspaceRole | None:
    if principal.via == "operator":
        return "admin" if await session.get(Workspace, workspace_id) else None
    member = await session.get(Member, (workspace_id, principal.user_id))
    return member.role if member else None  # pyright: ignore[reportReturnType]
