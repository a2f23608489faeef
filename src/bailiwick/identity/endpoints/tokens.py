"""API tokens."""

from fastapi import APIRouter

from bailiwick.identity import tokens
from bailiwick.identity.access import PresentUser
from bailiwick.identity.endpoints.dependencies import CurrentSettings, Door
from bailiwick.identity.schemas import NewTokenOut, TokenId, TokenIn, TokenOut
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery

router = APIRouter(prefix="/tokens", tags=["tokens"], route_class=IdempotentRoute)


@router.get("", openapi_extra=IN_PERSON)
async def list_tokens(person: PresentUser, session: ReadSession, page: PageQuery) -> Page[TokenOut]:
    """One's own tokens."""
    return (await tokens.listed(session, person.id, page)).map(TokenOut.model_validate)


@router.post("", status_code=201, openapi_extra=IN_PERSON)
async def create_token(
    body: TokenIn, person: PresentUser, session: WriteSession, door: Door, settings: CurrentSettings
) -> NewTokenOut:
    """Make a token; its secret is shown in this answer and never again."""
    row, secret = await tokens.create(
        session,
        person.principal,
        user_id=person.id,
        name=body.name,
        scopes=body.scopes,
        days=body.expires_in_days,
        longest=settings.token_days,
        hasher=door.hasher,
    )
    return NewTokenOut(**TokenOut.model_validate(row).model_dump(), secret=secret)


@router.delete("/{token_id}", status_code=204, openapi_extra=IN_PERSON)
async def revoke_token(token_id: TokenId, person: PresentUser, session: WriteSession) -> None:
    """End a token at once."""
    await tokens.revoke(session, person.principal, token_id, user_id=person.id)
