"""REST of the index."""

from typing import Annotated

from fastapi import APIRouter, Query

from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.library.index import finding, service
from bailiwick.library.index.schemas import (
    NotebookIndexOut,
    ScanIn,
    SearchHitsOut,
    SearchParams,
)
from bailiwick.library.schemas import NotebookId
from bailiwick.office import TheOffice
from bailiwick.workspaces.dependencies import AsEditor, AsReader

router = APIRouter(
    prefix="/workspaces/{workspace_id}/notebooks/{notebook_id}",
    tags=["notebooks"],
    route_class=IdempotentRoute,
)

searching = APIRouter(prefix="/search", tags=["search"])


@searching.get("")
async def search_all(
    who: SignedIn, office: TheOffice, query: Annotated[SearchParams, Query()]
) -> SearchHitsOut:
    """Files by names, words and meaning, and mail, memories and cases beside them."""
    return await finding.found(office, who, query)


@router.get("/index")
async def read_notebook_index(
    notebook_id: NotebookId, access: AsReader, session: ReadSession, office: TheOffice
) -> NotebookIndexOut:
    """How far the index of a notebook is, and what is wrong with its folder."""
    return await service.status(office, session, access.id, notebook_id)


@router.post("/scan", status_code=202)
async def scan_notebook(
    notebook_id: NotebookId,
    body: ScanIn,
    access: AsEditor,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> NotebookIndexOut:
    """Look through the folder now, or stop doing so."""
    await service.request(session, who, access.id, notebook_id, action=body.action)
    return await service.status(office, session, access.id, notebook_id)
