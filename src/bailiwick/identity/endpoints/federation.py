"""Signing in through a provider: the start, and the redirect back."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from bailiwick.errors import BailiwickError
from bailiwick.identity import oidc
from bailiwick.identity.endpoints.auth import set_session
from bailiwick.identity.endpoints.dependencies import CurrentSettings, Door, FromBrowser
from bailiwick.identity.federation import CALLBACK_PATH, FLOW_MINUTES
from bailiwick.identity.schemas import AuthorizeOut, ProviderId
from bailiwick.kit.http.openapi import CONFLICT, PUBLIC

router = APIRouter(prefix="/auth/providers", tags=["auth"])
redirects = APIRouter(tags=["auth"])

OwnPage = Annotated[
    str, Query(alias="returnTo", max_length=500, pattern=r"^/([!-.0-\[\]-~][!-\[\]-~]*)?$")
]
OidcParameter = Annotated[str, Query(max_length=4000, pattern=r"^[ -~]*$")]


@router.get("/{provider_id}/initiate", openapi_extra=PUBLIC | {"responses": CONFLICT})
async def start_provider_login(
    provider_id: ProviderId, response: Response, door: Door, return_to: OwnPage = "/"
) -> AuthorizeOut:
    """Begin to sign in: the address of the provider's page, good for ten minutes."""
    secret = oidc.unguessable()
    url = await door.federation.begin(provider_id, return_to=return_to, browser_secret=secret)
    door.cookies.set(response, door.cookies.login, secret, seconds=FLOW_MINUTES * 60)
    return AuthorizeOut(authorize_url=url)


@redirects.get(
    CALLBACK_PATH,
    status_code=303,
    response_class=RedirectResponse,
    responses={
        303: {"description": "To the page asked for, or to the log-in page with the reason"}
    },
    openapi_extra=PUBLIC,
)
async def finish_provider_login(
    request: Request,
    door: Door,
    browser: FromBrowser,
    settings: CurrentSettings,
    code: OidcParameter = "",
    state: OidcParameter = "",
) -> RedirectResponse:
    """The provider sends the browser back here; it ends on a page of ours either way."""
    try:
        opened, page = await door.federation.finish(
            code=code,
            state=state,
            browser_secret=request.cookies.get(door.cookies.login, ""),
            browser=browser,
            settings=settings,
        )
    except BailiwickError as error:
        response = RedirectResponse("/login", 303)
        door.cookies.flash(response, error.detail)
    else:
        response = RedirectResponse(page, 303)
        if opened:
            set_session(response, door, opened, settings)
    door.cookies.clear(response, door.cookies.login)
    return response
