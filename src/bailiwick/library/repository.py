"""All SQL of the library."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.library.models import Notebook


async def of_workspace(session: AsyncSession, workspace_id: str) -> Sequence[Notebook]:
    """The notebooks of a workspace, by name."""
    statement = select(Notebook).where(Notebook.workspace_id == workspace_id)
    return (await session.scalars(statement.order_by(Notebook.name, Notebook.id))).all()


async def get(session: AsyncSession, workspace_id: str, id: str, *, lock: bool = False) -> Notebook:
    """A notebook of this workspace, or `NotFound`."""
    statement = select(Notebook).where(Notebook.id == id, Notebook.workspace_id == workspace_id)
    if lock:
        statement = statement.with_for_update()
    notebook = (await session.scalars(statement)).one_or_none()
    if notebook is None:
        raise NotFound("That notebook does not exist, or is closed.")
    return notebook


async def on_disk(session: AsyncSession) -> Sequence[Notebook]:
    """Every notebook of any workspace whose folder is not our own."""
    return (await session.scalars(select(Notebook).where(Notebook.path.is_not(None)))).all()
