"""REST of cases."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bailiwick.accounts.reader import reader_of
from bailiwick.cases import browse, repository, service
from bailiwick.cases.browse import SeenCase
from bailiwick.cases.repository import CaseQuery
from bailiwick.cases.schemas import (
    CaseId,
    CaseOut,
    CaseParams,
    CasesOut,
    DeletionId,
    DeletionIn,
    DeletionOut,
)
from bailiwick.errors import Invalid
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import PageQuery
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import enter

router = APIRouter(prefix="/cases", tags=["cases"], route_class=IdempotentRoute)


async def seen_case(case_id: CaseId, who: SignedIn, stores: Stores) -> SeenCase:
    """A case that the caller may see; its own short transaction, for the gate runs in none."""
    async with stores.app.read() as session:
        found = await repository.shown(session, await reader_of(session, who), case_id)
        access = await enter(session, who, found.case.workspace_id, need="read")
    return SeenCase(found, access)


TheCase = Annotated[SeenCase, Depends(seen_case)]


def _query(asked: CaseParams) -> CaseQuery:
    given = asked.model_dump(exclude={"state", "q"})
    return CaseQuery(**given, states=tuple(asked.state), words=asked.q)


@router.get("")
async def list_cases(
    who: SignedIn, office: TheOffice, page: PageQuery, asked: Annotated[CaseParams, Query()]
) -> CasesOut:
    """Cases of mail that one may see, newest first."""
    return await browse.listed(office, who, _query(asked), page)


@router.get("/{case_id}")
async def read_case(seen: TheCase, who: SignedIn, office: TheOffice) -> CaseOut:
    """One case: how the work on it stands."""
    (shown,) = await browse.shown_cases(office, who, [seen.found])
    return shown


@router.post("/{case_id}/run-again")
async def run_case_again(case_id: CaseId, who: SignedIn, office: TheOffice) -> CaseOut:
    """Let the director work on it anew; the items that are there stay."""
    await service.run_again(office, who, case_id)
    return await _fresh(office, who, case_id)


@router.post("/{case_id}/stop")
async def stop_case(case_id: CaseId, who: SignedIn, office: TheOffice) -> CaseOut:
    """End the work on it."""
    await service.stop(office, who, case_id)
    return await _fresh(office, who, case_id)


@router.post("/deletions")
async def remove_cases(body: DeletionIn, who: SignedIn, session: WriteSession) -> DeletionOut:
    """Remove these cases, or all that a list shows; they can be brought back for a month."""
    if (body.ids is None) == (body.all is None):
        raise Invalid.field("ids", "say which cases, or `all` with what a list is asked for")
    if body.ids is not None:
        id = await service.remove(session, who, body.ids)
        return DeletionOut(id=id, cases=len(set(body.ids)))
    assert body.all
    id, count = await service.remove_all(session, who, _query(body.all))
    return DeletionOut(id=id, cases=count)


@router.post("/deletions/{deletion_id}/undo")
async def bring_cases_back(
    deletion_id: DeletionId, who: SignedIn, session: WriteSession
) -> DeletionOut:
    """Bring back what was removed together."""
    found = await service.bring_back(session, who, deletion_id)
    return DeletionOut(id=deletion_id, cases=len(found))


async def _fresh(office: TheOffice, who: SignedIn, case_id: str) -> CaseOut:
    async with office.storage.app.read() as session:
        found = await repository.shown(session, await reader_of(session, who), case_id)
    (shown,) = await browse.shown_cases(office, who, [found])
    return shown
