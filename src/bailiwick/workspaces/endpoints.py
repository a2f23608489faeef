"""REST of workspaces."""

from fastapi import APIRouter

from bailiwick.identity.access import AUser, SignedIn
from bailiwick.identity.models import User
from bailiwick.identity.schemas import UserId
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice
from bailiwick.workspaces import repository, service
from bailiwick.workspaces.access import WorkspaceRole
from bailiwick.workspaces.dependencies import AsAdmin, AsReader
from bailiwick.workspaces.models import Member, Workspace
from bailiwick.workspaces.schemas import (
    MemberIn,
    MemberOut,
    NewMemberIn,
    WorkspaceIn,
    WorkspaceOut,
)

router = APIRouter(prefix="/workspaces", tags=["workspaces"], route_class=IdempotentRoute)


@router.get("")
async def list_workspaces(
    who: SignedIn, session: ReadSession, page: PageQuery
) -> Page[WorkspaceOut]:
    """The workspaces one is a member of."""
    rows = await repository.of_user(session, who.user_id)
    shown = [_out(workspace, role) for workspace, role in rows]
    return page_of(shown, page, by=lambda workspace: workspace.id)


@router.post("", status_code=201)
async def create_workspace(body: WorkspaceIn, who: AUser, session: WriteSession) -> WorkspaceOut:
    """Make a workspace; its maker is its admin."""
    made = await service.create(session, who.principal, name=body.name, owner_id=who.id)
    return _out(made, "admin")


@router.get("/{workspace_id}")
async def read_workspace(access: AsReader, session: ReadSession) -> WorkspaceOut:
    """One workspace."""
    return _out(await repository.get(session, access.id), access.role)


@router.patch("/{workspace_id}")
async def rename_workspace(
    body: WorkspaceIn, access: AsAdmin, who: SignedIn, session: WriteSession
) -> WorkspaceOut:
    """Give a workspace another name."""
    return _out(await service.rename(session, who, access.id, name=body.name), access.role)


@router.delete("/{workspace_id}", status_code=204)
async def delete_workspace(
    access: AsAdmin, who: SignedIn, session: WriteSession, office: TheOffice
) -> None:
    """Remove a workspace; its accounts have to be disconnected before."""
    await office.removing("workspace", session, who.actor, access.id)
    await service.delete(session, who, access.id)


@router.get("/{workspace_id}/members")
async def list_members(access: AsReader, session: ReadSession, page: PageQuery) -> Page[MemberOut]:
    """The members of a workspace."""
    rows = await repository.members(session, access.id)
    shown = [_member(member, user) for member, user in rows]
    return page_of(shown, page, by=lambda member: member.user_id)


@router.post("/{workspace_id}/members", status_code=201)
async def add_member(
    body: NewMemberIn, access: AsAdmin, who: SignedIn, session: WriteSession
) -> MemberOut:
    """Add a person by e-mail address."""
    added = await service.add_member_by_email(
        session, who, access.id, email=body.email, role=body.role
    )
    return _member(*added)


@router.put("/{workspace_id}/members/{user_id}")
async def set_member(
    user_id: UserId, body: MemberIn, access: AsAdmin, who: SignedIn, session: WriteSession
) -> MemberOut:
    """Add a member, or change a member's role."""
    put = await service.set_member(session, who, access.id, user_id=user_id, role=body.role)
    return _member(*put)


@router.delete("/{workspace_id}/members/{user_id}", status_code=204)
async def remove_member(
    user_id: UserId, access: AsAdmin, who: SignedIn, session: WriteSession
) -> None:
    """Take a member out."""
    await service.remove_member(session, who, access.id, user_id=user_id)


def _out(workspace: Workspace, role: str) -> WorkspaceOut:
    made: WorkspaceRole = role  # pyright: ignore[reportAssignmentType]
    return WorkspaceOut(
        id=workspace.id, name=workspace.name, role=made, created_at=workspace.created_at
    )


def _member(member: Member, user: User) -> MemberOut:
    return MemberOut(
        user_id=user.id,
        name=user.name,
        email=user.email,
        role=member.role,  # pyright: ignore[reportArgumentType]
        created_at=member.created_at,
    )
