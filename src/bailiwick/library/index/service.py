"""Verbs of the index: how far it is, and starting and stopping a scan."""

from datetime import timedelta
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.principal import Principal
from bailiwick.kit import eventlog
from bailiwick.library import repository as notebooks
from bailiwick.library.index import repository, scan_rows
from bailiwick.library.index.indexer import REQUESTED, LibraryIndexer
from bailiwick.library.index.queries import FileFilter
from bailiwick.library.index.schemas import FileHitsOut, FileSearchParams, NotebookIndexOut
from bailiwick.library.index.search import FileFinder, FileSearch
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import ALL
from bailiwick.workspaces.access import AccessibleWorkspaceID


async def status(
    office: Office, session: AsyncSession, workspace_id: AccessibleWorkspaceID, notebook_id: str
) -> NotebookIndexOut:
    """How far the index of a notebook is."""
    notebook = await notebooks.get(session, workspace_id, notebook_id)
    row = await scan_rows.get(session, notebook.id)
    counts = await repository.counts(session, notebook.id)
    indexer = office.find(LibraryIndexer)
    minutes = (await office.changeable.current()).library_scan_minutes
    return NotebookIndexOut.of(
        notebook.id,
        row,
        counts=counts,
        every=timedelta(minutes=minutes),
        watching=indexer.watch_problem if indexer else None,
    )


async def found(
    office: Office,
    session: AsyncSession,
    workspace_id: AccessibleWorkspaceID,
    params: FileSearchParams,
) -> FileHitsOut:
    """The files of a workspace that a query finds."""
    rows = await notebooks.of_workspace(session, workspace_id)
    folder = VirtualPath.parse(params.folder or "", field="folder")
    if params.notebook_id:
        rows = [row for row in rows if row.id == params.notebook_id]
    if folder.names:
        rows = [row for row in rows if row.name == folder.notebook]
    only = FileFilter(
        kind=params.type,
        tag=params.tag.casefold() if params.tag else None,
        untagged=params.untagged,
        folders={row.id: "/".join(folder.inner) for row in rows if folder.inner},
        after=params.after,
        before=params.before,
    )
    search = FileSearch(rows, ALL, query=params.q, mode=params.mode, only=only)
    return FileHitsOut.of(await office[FileFinder].find(search, limit=params.limit))


async def request(
    session: AsyncSession,
    principal: Principal,
    workspace_id: AccessibleWorkspaceID,
    notebook_id: str,
    *,
    action: Literal["start", "stop"],
) -> None:
    """Start or stop the scan of a notebook; the process that leads does it."""
    notebook = await notebooks.get(session, workspace_id, notebook_id)
    row = await scan_rows.ensure(session, notebook.id)
    if action == "start":
        scan_rows.move_to(row, "waiting")
    elif row.state != "running":
        scan_rows.move_to(row, "stopped")
    scan_rows.emit(session, notebook, row)
    eventlog.record(
        session,
        eventlog.Event(
            REQUESTED,
            audience=[],
            workspace_id=workspace_id,
            actor_id=principal.actor.id,
            subject_id=notebook.id,
            data={"action": action},
        ),
    )
