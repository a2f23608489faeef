"""The table of diagnostics. Lines are made from what runs keep; only what was deleted is here."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant


class DeletedTrace(Base):
    """A run whose lines were deleted up to a moment, or one line that was."""

    __tablename__ = "diagnostics_deleted"

    node_id: Mapped[str] = mapped_column(String(80), primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), index=True)
    at: Mapped[Instant]
