"""All SQL of workspaces."""

from collections.abc import Sequence

from sqlalchemy import Row, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.models import User
from bailiwick.workspaces.access import AccessibleWorkspaceID
from bailiwick.workspaces.models import Member, Workspace


async def count(session: AsyncSession) -> int:
    """How many workspaces there are."""
    return await session.scalar(select(func.count(Workspace.id))) or 0


async def of_user(session: AsyncSession, user_id: str | None) -> Sequence[Row[Workspace, str]]:
    """The workspaces a user is a member of, with the role; all of them for the operator."""
    if user_id is None:
        role = select(Workspace, literal("admin").label("role"))
        return (await session.execute(role.order_by(Workspace.created_at, Workspace.id))).all()
    statement = (
        select(Workspace, Member.role)
        .join(Member, Member.workspace_id == Workspace.id)
        .where(Member.user_id == user_id)
        .order_by(Workspace.created_at, Workspace.id)
    )
    return (await session.execute(statement)).all()


async def roles(session: AsyncSession, user_id: str) -> Sequence[Row[str, str]]:
    """The ids of the workspaces a user is a member of, with the role."""
    statement = select(Member.workspace_id, Member.role).where(Member.user_id == user_id)
    return (await session.execute(statement)).all()


async def get(session: AsyncSession, id: AccessibleWorkspaceID) -> Workspace:
    """A workspace that the caller may enter."""
    return await session.get_one(Workspace, id)


async def members(session: AsyncSession, id: AccessibleWorkspaceID) -> Sequence[Row[Member, User]]:
    """The members of a workspace, by name."""
    statement = (
        select(Member, User)
        .join(User, User.id == Member.user_id)
        .where(Member.workspace_id == id)
        .order_by(User.name, User.id)
    )
    return (await session.execute(statement)).all()


async def member(session: AsyncSession, id: AccessibleWorkspaceID, user_id: str) -> Member | None:
    """One member."""
    return await session.get(Member, (id, user_id))


async def admins(session: AsyncSession, id: AccessibleWorkspaceID, *, lock: bool = False) -> int:
    """The number of admins of a workspace, locked so that two cannot leave at the same moment."""
    statement = select(Member.user_id).where(Member.workspace_id == id, Member.role == "admin")
    rows = await session.scalars(statement.with_for_update() if lock else statement)
    return len(rows.all())
