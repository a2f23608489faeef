"""Events of files, for their owners alone."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.files.models import StoredFile
from bailiwick.instance import audience
from bailiwick.kit import eventlog

UPLOADED, CHANGED, DELETED = "file.uploaded", "file.changed", "file.deleted"
PREVIEWED, ACCESSED = "file.previewed", "file.accessed"


def emit(
    session: AsyncSession, file: StoredFile, type: str, *, by: str | None, **data: Any
) -> None:
    """Say what became of a file."""
    eventlog.record(
        session,
        eventlog.Event(
            type,
            audience=(audience.user(file.owner_id),),
            workspace_id=None,
            actor_id=by,
            subject_id=file.id,
            data={"fileId": file.id, **data},
        ),
    )
