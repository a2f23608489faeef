"""REST of redaction patterns, for admins."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.gate.redactions import repository, service
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.redactions.redactor import Redactor
from bailiwick.gate.redactions.schemas import (
    FoundOut,
    RedactionId,
    RedactionIn,
    RedactionOut,
    RedactionPatch,
    TryOut,
    TryTextIn,
)
from bailiwick.identity.access import Admin
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice

router = APIRouter(prefix="/redactions", tags=["redactions"], route_class=IdempotentRoute)


async def _redactors(office: TheOffice) -> RedactorCache:
    return office[RedactorCache]


TheRedactors = Annotated[RedactorCache, Depends(_redactors)]


async def _tried(body: TryTextIn, redactors: TheRedactors) -> Redactor:
    if body.pattern is None:
        return await redactors.current()
    return Redactor.of_one(service.checked(body.pattern))


Tried = Annotated[Redactor, Depends(_tried)]


@router.get("")
async def list_redactions(_: Admin, session: ReadSession, page: PageQuery) -> Page[RedactionOut]:
    """All patterns, the built-in kinds first."""
    rows = await repository.everything(session)
    shown = [RedactionOut.model_validate(row) for row in rows]
    return page_of(shown, page, by=lambda one: one.id)


@router.post("", status_code=201)
async def create_redaction(body: RedactionIn, admin: Admin, session: WriteSession) -> RedactionOut:
    """Add a pattern; what it finds is taken out from the next call on."""
    return RedactionOut.model_validate(await service.create(session, admin, dict(body)))


@router.post("/try")
async def try_redactions(body: TryTextIn, _: Admin, redactor: Tried) -> TryOut:
    """What the patterns take out of a text; it is not kept."""
    text, counts = redactor.text(body.text)
    found = [FoundOut(name=name, count=count) for name, count in counts.items()]
    return TryOut(text=text, found=found)


@router.patch("/{redaction_id}")
async def change_redaction(
    redaction_id: RedactionId, body: RedactionPatch, admin: Admin, session: WriteSession
) -> RedactionOut:
    """Change a pattern, or switch it on or off; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    row = await service.change(session, admin, redaction_id, values=values)
    return RedactionOut.model_validate(row)


@router.delete("/{redaction_id}", status_code=204)
async def delete_redaction(redaction_id: RedactionId, admin: Admin, session: WriteSession) -> None:
    """Remove a pattern; a built-in kind can only be switched off."""
    await service.delete(session, admin, redaction_id)
