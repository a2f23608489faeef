"""Users: one's own profile, and the admin's list."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity import avatars, links, sessions, signins, users
from bailiwick.identity.access import Admin, AUser, SignedIn
from bailiwick.identity.endpoints.dependencies import CurrentSettings, Door, user_out
from bailiwick.identity.facts import Welcome
from bailiwick.identity.schemas import (
    InvitationIn,
    InvitationOut,
    PasswordLinkOut,
    ProfileIn,
    SignInOut,
    UserId,
    UserIn,
    UserOut,
)
from bailiwick.identity.users import NewUser
from bailiwick.instance import audience, changes
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import Office, TheOffice

router = APIRouter(tags=["users"], route_class=IdempotentRoute)
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_IMAGE = {"requestBody": {"required": True, "content": dict.fromkeys(avatars.KINDS, _BINARY)}}
_PICTURE: dict[int | str, Any] = {200: {"content": dict.fromkeys(avatars.KINDS, _BINARY)}}


@router.get("/users")
async def list_users(_: Admin, session: ReadSession, page: PageQuery) -> Page[UserOut]:
    """All users."""
    return (await users.listed(session, page)).map(user_out)


@router.post("/users", status_code=201)
async def invite_user(
    body: InvitationIn,
    admin: Admin,
    office: TheOffice,
    session: WriteSession,
    door: Door,
    settings: CurrentSettings,
) -> InvitationOut:
    """Invite a person: makes the user, and a link with which they choose a password."""
    new = NewUser(body.email, body.name, body.role)
    user = await users.add(session, admin.actor, new, welcomes=office.facts(Welcome))
    secret = await links.create(
        session, "invitation", hasher=door.hasher, user_id=user.id, hours=settings.link_hours
    )
    return InvitationOut(user=user_out(user), link=_link(office, secret))


@router.get("/users/me")
async def read_profile(person: AUser, session: ReadSession) -> UserOut:
    """One's own profile."""
    return user_out(await users.get(session, person.id))


@router.patch("/users/me")
async def change_profile(body: ProfileIn, person: AUser, session: WriteSession) -> UserOut:
    """Change one's own profile."""
    return user_out(await users.rename(session, person.id, body.name))


@router.put("/users/me/avatar", status_code=204, openapi_extra=_IMAGE)
async def set_avatar(request: Request, person: AUser, office: TheOffice) -> None:
    """Set one's picture: PNG, JPEG or WebP, up to 2 MB."""
    content = await avatars.receive(request)
    await avatars.put(office.storage, office.blobs, user_id=person.id, content=content)


@router.get("/users/me/avatar", response_class=StreamingResponse, responses=_PICTURE)
async def read_own_avatar(
    person: AUser, office: TheOffice, session: ReadSession
) -> StreamingResponse:
    """One's own picture."""
    return await _picture(office, session, person.id)


@router.delete("/users/me/avatar", status_code=204)
async def remove_avatar(person: AUser, session: WriteSession) -> None:
    """Remove one's picture."""
    await avatars.remove(session, person.id)


@router.get("/users/{user_id}")
async def read_user(user_id: UserId, _: Admin, session: ReadSession) -> UserOut:
    """One user."""
    return user_out(await users.get(session, user_id))


@router.get("/users/{user_id}/avatar", response_class=StreamingResponse, responses=_PICTURE)
async def read_avatar(
    user_id: UserId, _: SignedIn, office: TheOffice, session: ReadSession
) -> StreamingResponse:
    """A user's picture."""
    return await _picture(office, session, user_id)


@router.patch("/users/{user_id}")
async def change_user(
    user_id: UserId, body: UserIn, admin: Admin, session: WriteSession
) -> UserOut:
    """Change a user's role, name, or whether they may come in."""
    changed = await users.change(
        session, admin.actor, user_id, role=body.role, active=body.active, name=body.name
    )
    return user_out(changed)


@router.post("/users/{user_id}/password-link", status_code=201)
async def make_password_link(
    user_id: UserId,
    admin: Admin,
    office: TheOffice,
    session: WriteSession,
    door: Door,
    settings: CurrentSettings,
) -> PasswordLinkOut:
    """A link with which a user who cannot come in chooses a new password."""
    user = await users.get(session, user_id)
    secret = await links.create(
        session, "password", hasher=door.hasher, user_id=user.id, hours=settings.link_hours
    )
    changes.record(session, admin.actor, action="user.password_link_made", subject=user.id)
    return PasswordLinkOut(link=_link(office, secret))


@router.delete("/users/{user_id}/sessions", status_code=204)
async def end_user_sessions(user_id: UserId, admin: Admin, session: WriteSession) -> None:
    """End all sessions of a user."""
    user = await users.get(session, user_id)
    await sessions.end_all(session, user.id)
    changes.record(
        session,
        admin.actor,
        action="user.sessions_ended",
        subject=user.id,
        to=(audience.user(user.id),),
    )


@router.get("/sign-ins")
async def list_sign_ins(_: Admin, stores: Stores, page: PageQuery) -> Page[SignInOut]:
    """Attempts to sign in, accepted and refused."""
    return (await signins.listed(stores, page)).map(SignInOut.model_validate)


async def _picture(office: Office, session: AsyncSession, user_id: str) -> StreamingResponse:
    kind, chunks = await avatars.get(session, office.blobs, user_id=user_id)
    return StreamingResponse(chunks, media_type=kind, headers=avatars.HEADERS)


def _link(office: Office, secret: str) -> str:
    # In the fragment, the secret reaches neither logs nor other sites.
    return f"{office.settings.origin}/welcome#{secret}"
