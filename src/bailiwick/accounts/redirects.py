"""The browser redirects of a consent; each ends on a page of ours."""

from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse

from bailiwick.accounts import access, oauth
from bailiwick.accounts.consent import (
    CALLBACK_PATH,
    FLOW_MINUTES,
    ConsentCallback,
    ConsentRequest,
    ConsentResult,
)
from bailiwick.accounts.dependencies import PAGE, TheConsent, TheOpener
from bailiwick.accounts.views import START_PATH
from bailiwick.errors import BailiwickError, Forbidden, Unauthenticated
from bailiwick.identity.endpoints.dependencies import Door
from bailiwick.identity.principal import Principal
from bailiwick.kit import ids
from bailiwick.kit.http.openapi import PUBLIC

router = APIRouter(tags=["accounts"])
# What browsers send for a link on our own page, or for a typed address.
_OURS = ("none", "same-origin")
_REDIRECT: dict[int | str, dict[str, Any]] = {
    303: {"description": "To a page of ours, or to the provider's"}
}
ConsentParameter = Annotated[str, Query(max_length=4000)]


@router.get(
    START_PATH,
    status_code=303,
    response_class=RedirectResponse,
    responses=_REDIRECT,
    openapi_extra=PUBLIC,
)
async def authorise_account(
    request: Request,
    opener: TheOpener,
    consent: TheConsent,
    door: Door,
    account: Annotated[str, Query(pattern=ids.pattern("acc"))] = "",
) -> RedirectResponse:
    """Lead the owner of an account to the provider's page."""
    secret = oauth.unguessable()
    try:
        who = _person(request)
        async with opener.storage.app.read() as session:
            known = await access.entered(session, who, account, need="own")
        consent_request = ConsentRequest(
            workspace_id=known.workspace_id,
            connector=known.connector,
            permissions=None,
            label=None,
            route_from="week",
            account_id=known.id,
            return_to=PAGE,
        )
        url = await consent.begin(who, consent_request, browser_secret=secret)
    except BailiwickError as error:
        return _problem(error, door)
    response = RedirectResponse(url, 303)
    door.cookies.set(response, door.cookies.consent, secret, seconds=FLOW_MINUTES * 60)
    return response


@router.get(
    CALLBACK_PATH,
    status_code=303,
    response_class=RedirectResponse,
    responses=_REDIRECT,
    openapi_extra=PUBLIC,
)
async def finish_consent(
    request: Request,
    consent: TheConsent,
    door: Door,
    state: ConsentParameter = "",
    code: ConsentParameter = "",
    error: ConsentParameter = "",
) -> RedirectResponse:
    """The provider sends the browser back here."""
    secret = request.cookies.get(door.cookies.consent, "")
    returned = ConsentCallback(state=state, code=code, error=error, browser_secret=secret)
    try:
        ended = await consent.end(request.state.principal, returned)
    except BailiwickError as refusal:
        response = _problem(refusal, door)
    else:
        response = RedirectResponse(_page(ended), 303)
    door.cookies.clear(response, door.cookies.consent)
    return response


def _person(request: Request) -> Principal:
    principal: Principal | None = request.state.principal
    if principal is None or not principal.is_person_present:
        raise Unauthenticated("Sign in first, then authorise the account again.")
    if request.headers.get("sec-fetch-site", "none") not in _OURS:
        raise Forbidden("Authorise the account from its own page here.")
    return principal


def _page(ended: ConsentResult) -> str:
    said = {"connected": ended.account.id}
    if ended.without:
        said["without"] = ",".join(ended.without)
    parts = urlsplit(ended.page)
    query = "&".join(part for part in (parts.query, urlencode(said)) if part)
    return urlunsplit(("", "", parts.path, query, parts.fragment))


def _problem(error: BailiwickError, door: Door) -> RedirectResponse:
    response = RedirectResponse(PAGE, 303)
    door.cookies.flash(response, error.detail)
    return response
