"""The row of a notebook's scan, and all SQL of it."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import clock, eventlog
from bailiwick.library.index.models import NotebookScan, ScanState
from bailiwick.library.models import Notebook

PROGRESS = "notebook.scanned"


async def get(session: AsyncSession, notebook_id: str) -> NotebookScan | None:
    """How far a notebook has come; None if it was never looked at."""
    return await session.get(NotebookScan, notebook_id)


async def of_notebooks(session: AsyncSession, notebook_ids: list[str]) -> dict[str, NotebookScan]:
    """The same of several."""
    statement = select(NotebookScan).where(NotebookScan.notebook_id.in_(notebook_ids))
    return {row.notebook_id: row for row in await session.scalars(statement)}


async def notebooks(session: AsyncSession) -> list[Notebook]:
    """Every open notebook of any workspace."""
    return list(await session.scalars(select(Notebook).order_by(Notebook.id)))


async def ensure(session: AsyncSession, notebook_id: str) -> NotebookScan:
    """The row of a notebook, made if it has none."""
    row = await session.get(NotebookScan, notebook_id, with_for_update=True)
    if row is None:
        row = NotebookScan(
            notebook_id=notebook_id,
            state="waiting",
            scanned=0,
            unreadable=0,
            position=None,
            root_identity=None,
            problem=None,
            began_at=None,
            updated_at=clock.now(),
            finished_at=None,
        )
        session.add(row)
    return row


def begin(row: NotebookScan, *, root_identity: str) -> None:
    """A scan begins, or goes on where it was stopped or cut short."""
    if row.position is None:
        row.scanned, row.unreadable, row.position, row.began_at = 0, 0, None, clock.now()
    row.root_identity = root_identity
    row.problem = None
    move_to(row, "running")


def move_to(row: NotebookScan, state: ScanState, *, problem: str | None = None) -> None:
    """Another state, now."""
    row.state = state
    row.problem = problem
    row.updated_at = clock.now()
    if state in ("done", "failed"):
        row.position = None
    if state == "done":
        row.finished_at = row.updated_at


def emit(session: AsyncSession, notebook: Notebook, row: NotebookScan) -> None:
    """Tell the members of the workspace how far it is."""
    eventlog.record(
        session,
        eventlog.Event(
            PROGRESS,
            audience=[audience.workspace(notebook.workspace_id)],
            workspace_id=notebook.workspace_id,
            subject_id=notebook.id,
            data={"state": row.state, "scanned": row.scanned},
        ),
    )
