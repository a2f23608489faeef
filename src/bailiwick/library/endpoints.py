"""REST of notebooks."""

from typing import Annotated

from fastapi import APIRouter, Depends

from bailiwick.identity.access import SignedIn, Widening
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.kit.sealing import at_rest
from bailiwick.library import repository, service
from bailiwick.library.index import closing
from bailiwick.library.models import Notebook
from bailiwick.library.schemas import (
    NotebookId,
    NotebookIn,
    NotebookOut,
    NotebookPatch,
)
from bailiwick.office import Office, TheOffice
from bailiwick.workspaces.access import WorkspaceAccess, enter
from bailiwick.workspaces.dependencies import AsAdmin, AsReader
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(
    prefix="/workspaces/{workspace_id}/notebooks", tags=["notebooks"], route_class=IdempotentRoute
)


async def _opener(workspace_id: WorkspaceId, who: Widening, stores: Stores) -> WorkspaceAccess:
    # Its own short transaction: the disk is asked before anything is written, and a notebook is
    # closed in several.
    async with stores.app.read() as session:
        return await enter(session, who, workspace_id, need="admin")


AsOpener = Annotated[WorkspaceAccess, Depends(_opener)]


@router.get("")
async def list_notebooks(
    access: AsReader, who: SignedIn, session: ReadSession, page: PageQuery, office: TheOffice
) -> Page[NotebookOut]:
    """The notebooks of a workspace."""
    rows = await repository.of_workspace(session, access.id)
    return page_of([_out(row, who, office) for row in rows], page, by=lambda notebook: notebook.id)


@router.post("", status_code=201)
async def open_notebook(
    body: NotebookIn, access: AsOpener, who: SignedIn, office: TheOffice
) -> NotebookOut:
    """Open a folder to the workspace's agents."""
    new = service.NewNotebook(body.name, body.path)
    made = await service.open_one(office.storage, who, access.id, new, data=office.data)
    return _out(made, who, office)


@router.patch("/{notebook_id}")
async def change_notebook(
    notebook_id: NotebookId,
    body: NotebookPatch,
    access: AsAdmin,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> NotebookOut:
    """Change a notebook; what is left out stays as it is."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    changed = await service.change(session, who, access.id, notebook_id, values=values)
    return _out(changed, who, office)


@router.delete("/{notebook_id}", status_code=204)
async def close_notebook(
    notebook_id: NotebookId, access: AsOpener, who: SignedIn, office: TheOffice
) -> None:
    """Close a notebook; its folder stays as it is."""
    await closing.close(office, who, access.id, notebook_id)


def _out(notebook: Notebook, who: Principal, office: Office) -> NotebookOut:
    return NotebookOut(
        id=notebook.id,
        name=notebook.name,
        path=notebook.path if who.is_admin else None,
        own=notebook.path is None,
        at_rest=at_rest(notebook.path, office.data_key),
        trusted=notebook.trusted,
        created_at=notebook.created_at,
    )
