"""Verbs of the index: how far it is, and starting and stopping a scan."""

from datetime import timedelta
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.identity.principal import Principal
from bailiwick.kit import eventlog
from bailiwick.library import repository as notebooks
from bailiwick.library.index import repository, scan_rows
from bailiwick.library.index.indexer import REQUESTED, LibraryIndexer
from bailiwick.library.index.schemas import NotebookIndexOut
from bailiwick.office import Office
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
