"""Events of the index: how many files came, changed and went; their names are content."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.library.models import Notebook

CHANGED = "files.changed"


def emit_changes(
    session: AsyncSession, notebook: Notebook, *, added: int = 0, changed: int = 0, removed: int = 0
) -> None:
    """Tell the members of the workspace that the index is another."""
    eventlog.record(
        session,
        eventlog.Event(
            CHANGED,
            audience=[audience.workspace(notebook.workspace_id)],
            workspace_id=notebook.workspace_id,
            subject_id=notebook.id,
            data={"added": added, "changed": changed, "removed": removed},
        ),
    )
