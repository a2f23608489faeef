"""REST of signing in and out."""

from fastapi import APIRouter, Request, Response

from bailiwick.errors import Unauthenticated
from bailiwick.identity import links, login, providers, sessions, signins, users
from bailiwick.identity.access import PresentUser, recognised
from bailiwick.identity.authenticate import Authenticator
from bailiwick.identity.endpoints.dependencies import CurrentSettings, Door, FromBrowser, user_out
from bailiwick.identity.facts import Welcome
from bailiwick.identity.models import User
from bailiwick.identity.schemas import (
    LinkIn,
    LinkOut,
    LinkPasswordIn,
    LoginChoices,
    LoginIn,
    OwnerIn,
    PasswordIn,
    ProviderChoice,
    SessionId,
    SessionOut,
    WhoAmI,
)
from bailiwick.identity.signins import Browser
from bailiwick.identity.users import NewUser
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.limits import Buckets
from bailiwick.kit.http.openapi import IN_PERSON, PUBLIC
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice

router = APIRouter(prefix="/auth", tags=["auth"], route_class=IdempotentRoute)


@router.get("/options", openapi_extra=PUBLIC)
async def read_login_options(session: ReadSession, settings: CurrentSettings) -> LoginChoices:
    """What the log-in page offers."""
    offered = await providers.listed(session, enabled_only=True)
    return LoginChoices(
        instance_name=settings.instance_name,
        password=settings.password_login,
        providers=[ProviderChoice(id=row.id, name=row.name) for row in offered],
        needs_owner=await users.count(session) == 0,
    )


@router.post("/setup", status_code=201, openapi_extra=PUBLIC)
async def set_up_office(
    body: OwnerIn,
    office: TheOffice,
    response: Response,
    stores: Stores,
    door: Door,
    browser: FromBrowser,
    settings: CurrentSettings,
) -> WhoAmI:
    """Make the first owner from the link in the terminal, and sign them in."""
    method = "owner link"
    async with signins.refusals_recorded(stores, browser, method=method, email=body.email):
        user = await users.create_owner(
            stores,
            secret=body.link.get_secret_value(),
            new=NewUser(body.email, body.name),
            given=body.password,
            hasher=door.hasher,
            welcomes=office.facts(Welcome),
        )
    return await _let_in(user, method, response, door, browser, settings)


@router.post("/link", openapi_extra=PUBLIC)
async def read_link(body: LinkIn, session: ReadSession, door: Door) -> LinkOut:
    """Whom a one-time link is for, without using it."""
    link = await links.look_up(session, body.link.get_secret_value(), hasher=door.hasher)
    user = await users.get(session, link.user_id) if link.user_id else None
    return LinkOut(
        purpose=link.purpose,  # pyright: ignore[reportArgumentType]
        email=user and user.email,
        name=user and user.name,
    )


@router.post("/password", openapi_extra=PUBLIC)
async def choose_password(
    body: LinkPasswordIn,
    response: Response,
    stores: Stores,
    door: Door,
    browser: FromBrowser,
    settings: CurrentSettings,
) -> WhoAmI:
    """Choose a password with an invitation or password link, and sign in."""
    method = "password link"
    async with signins.refusals_recorded(stores, browser, method=method):
        user = await users.set_password_by_link(
            stores,
            secret=body.link.get_secret_value(),
            given=body.password,
            hasher=door.hasher,
        )
    return await _let_in(user, method, response, door, browser, settings)


@router.post("/login", openapi_extra=PUBLIC)
async def log_in(
    body: LoginIn,
    office: TheOffice,
    response: Response,
    stores: Stores,
    door: Door,
    browser: FromBrowser,
    settings: CurrentSettings,
) -> WhoAmI:
    """Sign in with a password."""
    user, opened = await login.with_password(
        stores,
        email=body.email,
        given=body.password,
        browser=browser,
        buckets=office[Buckets],
        hasher=door.hasher,
        settings=settings,
    )
    set_session(response, door, opened, settings)
    return WhoAmI(user=user_out(user))


@router.get("/whoami", openapi_extra=PUBLIC)
async def who_am_i(request: Request, session: ReadSession) -> WhoAmI:
    """The user behind this session or token; 401 for nobody."""
    user_id = recognised(request).user_id
    if user_id is None:
        raise Unauthenticated("The command line is not a user.")
    return WhoAmI(user=user_out(await users.get(session, user_id)))


@router.post("/logout", status_code=204, openapi_extra=IN_PERSON)
async def log_out(
    person: PresentUser, response: Response, session: WriteSession, door: Door
) -> None:
    """End this session."""
    if person.principal.session_id:
        await sessions.end(session, person.principal.session_id, user_id=person.id)
    door.cookies.clear(response, door.cookies.session)


@router.put("/password", status_code=204, openapi_extra=IN_PERSON)
async def change_password(body: PasswordIn, person: PresentUser, stores: Stores) -> None:
    """Change one's own password; all other sessions end."""
    await users.change_password(
        stores,
        person.principal,
        user_id=person.id,
        old=body.current_password,
        new=body.new_password,
    )


@router.get("/sessions", openapi_extra=IN_PERSON)
async def list_browser_sessions(
    person: PresentUser, session: ReadSession, settings: CurrentSettings, page: PageQuery
) -> Page[SessionOut]:
    """One's own live sessions."""
    rows = await sessions.live(session, person.id, settings)
    shown = [
        SessionOut(
            id=row.id,
            current=row.id == person.principal.session_id,
            method=row.method,
            address=row.address,
            user_agent=row.user_agent,
            created_at=row.created_at,
            last_seen_at=row.last_seen_at,
            expires_at=sessions.ends_at(row, settings),
        )
        for row in rows
    ]
    return page_of(shown, page, by=lambda one: one.id)


@router.delete("/sessions", status_code=204, openapi_extra=IN_PERSON)
async def end_other_browser_sessions(person: PresentUser, session: WriteSession) -> None:
    """End all of one's sessions but this one."""
    await sessions.end_all(session, person.id, keep=person.principal.session_id)


@router.delete("/sessions/{session_id}", status_code=204, openapi_extra=IN_PERSON)
async def end_browser_session(
    session_id: SessionId, person: PresentUser, session: WriteSession
) -> None:
    """End one of one's own sessions."""
    await sessions.end(session, session_id, user_id=person.id)


def set_session(
    response: Response,
    door: Authenticator,
    opened: sessions.OpenedSession,
    settings: RuntimeSettings,
) -> None:
    """Put a new session into the browser."""
    seconds = settings.session_hours * 3600
    door.cookies.set(response, door.cookies.session, opened.secret, seconds=seconds)


async def _let_in(
    user: User,
    method: str,
    response: Response,
    door: Authenticator,
    browser: Browser,
    settings: RuntimeSettings,
) -> WhoAmI:
    opened = await login.open_for(
        door.storage, user.id, browser=browser, method=method, hasher=door.hasher
    )
    set_session(response, door, opened, settings)
    return WhoAmI(user=user_out(user))
