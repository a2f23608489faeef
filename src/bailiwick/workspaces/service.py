"""Verbs of workspaces."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, NotFound
from bailiwick.identity import users
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.kit import clock, ids
from bailiwick.workspaces import repository
from bailiwick.workspaces.access import AccessibleWorkspaceID, WorkspaceRole
from bailiwick.workspaces.models import Member, Workspace

HOME = "Home"


async def welcome(session: AsyncSession, user: User) -> None:
    """Give the first user of an installation its first workspace."""
    if await repository.count(session) == 0:
        await _create(session, HOME, owner_id=user.id)


async def create(
    session: AsyncSession, principal: Principal, *, name: str, owner_id: str
) -> Workspace:
    """Make a workspace, with its maker as admin."""
    workspace = await _create(session, name, owner_id=owner_id)
    changes.record(
        session,
        principal.actor,
        action="workspace.created",
        subject=workspace.id,
        after={"name": name},
        to=(audience.workspace(workspace.id),),
        workspace=workspace.id,
    )
    return workspace


async def rename(
    session: AsyncSession, principal: Principal, id: AccessibleWorkspaceID, *, name: str
) -> Workspace:
    """Give a workspace another name."""
    workspace = await repository.get(session, id)
    before, workspace.name = workspace.name, name
    changes.record(
        session,
        principal.actor,
        action="workspace.renamed",
        subject=id,
        before={"name": before},
        after={"name": name},
        to=(audience.workspace(id),),
        workspace=id,
    )
    return workspace


async def delete(
    session: AsyncSession,
    principal: Principal,
    id: AccessibleWorkspaceID,
) -> None:
    """Remove a workspace; the last one stays."""
    if await repository.count(session) == 1:
        raise Conflict("This is the last workspace; it stays.")
    workspace = await repository.get(session, id)
    members = await repository.members(session, id)
    await session.delete(workspace)
    changes.record(
        session,
        principal.actor,
        action="workspace.deleted",
        subject=id,
        before={"name": workspace.name},
        # Its members are removed with it, so each is notified by name.
        to=[audience.user(row.user_id) for row, _ in members],
        workspace=id,
    )


async def set_member(
    session: AsyncSession,
    principal: Principal,
    id: AccessibleWorkspaceID,
    *,
    user_id: str,
    role: WorkspaceRole,
) -> tuple[Member, User]:
    """Add a member, or change a member's role."""
    user = await session.get(User, user_id)
    if user is None or not user.active:
        raise NotFound("That user does not exist, or is switched off.")
    return await _put(session, principal, id, user=user, role=role)


async def add_member_by_email(
    session: AsyncSession,
    principal: Principal,
    id: AccessibleWorkspaceID,
    *,
    email: str,
    role: WorkspaceRole,
) -> tuple[Member, User]:
    """Add a member by e-mail address."""
    user = await users.by_email(session, email)
    if user is None or not user.active:
        raise NotFound(f"Nobody here has the address {email}. An admin can invite them.")
    return await _put(session, principal, id, user=user, role=role)


async def remove_member(
    session: AsyncSession, principal: Principal, id: AccessibleWorkspaceID, *, user_id: str
) -> None:
    """Take a member out; one admin always stays."""
    await repository.admins(session, id, lock=True)
    member = await repository.member(session, id, user_id)
    if member is None:
        raise NotFound("That user is not a member of this workspace.")
    await session.delete(member)
    await session.flush()
    await _keep_an_admin(session, id)
    changes.record(
        session,
        principal.actor,
        action="workspace.member_removed",
        subject=id,
        before={"user": user_id, "role": member.role},
        to=(audience.workspace(id), audience.user(user_id)),
        workspace=id,
        about={"userId": user_id},
    )


async def _put(
    session: AsyncSession,
    principal: Principal,
    id: AccessibleWorkspaceID,
    *,
    user: User,
    role: WorkspaceRole,
) -> tuple[Member, User]:
    await repository.admins(session, id, lock=True)
    member = await repository.member(session, id, user.id)
    before = member and {"user": user.id, "role": member.role}
    if member is None:
        member = Member(workspace_id=id, user_id=user.id, role=role, created_at=clock.now())
        session.add(member)
    member.role = role
    await session.flush()
    await _keep_an_admin(session, id)
    changes.record(
        session,
        principal.actor,
        action="workspace.member_set",
        subject=id,
        before=before,
        after={"user": user.id, "role": role},
        to=(audience.workspace(id), audience.user(user.id)),
        workspace=id,
        about={"userId": user.id},
    )
    return member, user


async def _keep_an_admin(session: AsyncSession, id: AccessibleWorkspaceID) -> None:
    if not await repository.admins(session, id):
        raise Conflict("A workspace needs an admin. Make someone else an admin first.")


async def _create(session: AsyncSession, name: str, *, owner_id: str) -> Workspace:
    now = clock.now()
    workspace = Workspace(id=ids.new("wsp"), name=name, created_at=now)
    session.add(workspace)
    await session.flush()
    session.add(Member(workspace_id=workspace.id, user_id=owner_id, role="admin", created_at=now))
    await session.flush()
    return workspace
