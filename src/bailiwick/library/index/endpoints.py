"""REST of the index."""

from typing import Annotated

from fastapi import APIRouter, Query

from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.library.index import service
from bailiwick.library.index.schemas import (
    FileHitsOut,
    FileSearchParams,
    NotebookIndexOut,
    ScanIn,
)
from bailiwick.library.schemas import NotebookId
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import enter
from bailiwick.workspaces.dependencies import AsEditor, AsReader

router = APIRouter(
    prefix="/workspaces/{workspace_id}/notebooks/{notebook_id}",
    tags=["notebooks"],
    route_class=IdempotentRoute,
)

searching = APIRouter(prefix="/search", tags=["search"])


@searching.get("")
async def search_files(
    who: SignedIn, stores: Stores, office: TheOffice, query: Annotated[FileSearchParams, Query()]
) -> FileHitsOut:
    """Files of a workspace, by names, words and meaning; without words, the newest."""
    async with stores.app.read() as session:
        access = await enter(session, who, query.workspace_id, need="read")
        return await service.found(office, session, access.id, query)


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
