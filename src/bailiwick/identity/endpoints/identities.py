"""One's own identities at providers: listed, linked and unlinked by a person who is signed in."""

from fastapi import APIRouter, Response

from bailiwick.identity import identities, oidc, repository, users
from bailiwick.identity.access import PresentUser
from bailiwick.identity.endpoints.dependencies import Door
from bailiwick.identity.federation import FLOW_MINUTES
from bailiwick.identity.schemas import AuthorizeOut, IdentityId, IdentityLinkIn, IdentityOut
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.openapi import CONFLICT, IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of

router = APIRouter(prefix="/users/me/identities", tags=["users"])


@router.get("", openapi_extra=IN_PERSON)
async def list_identities(
    person: PresentUser, session: ReadSession, page: PageQuery
) -> Page[IdentityOut]:
    """The identities at log-in providers that sign in as oneself."""
    found = [
        IdentityOut(
            id=row.id,
            provider_id=row.provider_id,
            provider_name=name,
            created_at=row.created_at,
        )
        for row, name in await repository.identities(session, person.id)
    ]
    return page_of(found, page, by=lambda identity: identity.id)


@router.post("", openapi_extra=IN_PERSON | {"responses": CONFLICT})
async def link_identity(
    body: IdentityLinkIn, response: Response, person: PresentUser, door: Door
) -> AuthorizeOut:
    """Begin to link an identity to oneself: the address of the provider's page."""
    secret = oidc.unguessable()
    url = await door.federation.begin(
        body.provider_id, return_to=body.return_to, browser_secret=secret, user_id=person.id
    )
    door.cookies.set(response, door.cookies.login, secret, seconds=FLOW_MINUTES * 60)
    return AuthorizeOut(authorize_url=url)


@router.delete("/{identity_id}", status_code=204, openapi_extra=IN_PERSON)
async def unlink_identity(
    identity_id: IdentityId, person: PresentUser, session: WriteSession
) -> None:
    """Unlink an identity; the last way in stays."""
    await identities.unlink(session, await users.get(session, person.id), identity_id)
