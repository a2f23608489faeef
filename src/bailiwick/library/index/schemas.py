"""Wire forms of the index."""

from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from bailiwick.kit.http.wire import Wire
from bailiwick.library.index.models import NotebookScan, ScanState


class ScanIn(Wire):
    """What to do about a scan."""

    action: Literal["start", "stop"] = Field(
        description="`start` looks through the folder now, and goes on where it was stopped; "
        "`stop` ends a scan, and there is none by itself until it is started again"
    )


class NotebookIndexOut(Wire):
    """How far the index of a notebook is."""

    notebook_id: str
    state: ScanState
    scanned: int = Field(description="Files that this scan has seen so far")
    files: int = Field(description="Files in the index")
    waiting: int = Field(description="Files whose text is still to be read")
    failed: int = Field(description="Files that could not be read")
    problem: str | None = Field(description="What is wrong with the folder, in words")
    watching: str | None = Field(
        description="Why changes are only noticed by the next scan; null: they are at once"
    )
    began_at: datetime | None
    finished_at: datetime | None = Field(
        description="When the whole folder was last looked through"
    )

    next_at: datetime | None = Field(description="When it is looked through again by itself")

    @classmethod
    def of(
        cls,
        notebook_id: str,
        row: NotebookScan | None,
        *,
        counts: dict[str, int],
        every: timedelta,
        watching: str | None,
    ) -> "NotebookIndexOut":
        """From the row of a scan, and how many files there are in each state."""
        return cls(
            notebook_id=notebook_id,
            state=row.state if row else "waiting",
            scanned=row.scanned if row else 0,
            files=sum(counts.values()),
            waiting=counts.get("waiting", 0),
            failed=counts.get("failed", 0),
            problem=row.problem if row else None,
            watching=watching,
            began_at=row.began_at if row else None,
            finished_at=row.finished_at if row else None,
            next_at=row.finished_at + every
            if row and row.finished_at and row.state == "done"
            else None,
        )
