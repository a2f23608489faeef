"""Tables of schedules."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, UtcDateTime
from bailiwick.kit.engine.schedules import Timing


class Schedule(Base):
    """Words that an agent is given again and again, in the name of whoever wrote them."""

    __tablename__ = "schedules"
    __table_args__ = (Index(None, "workspace_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    agent_id: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(100))
    words: Mapped[str] = mapped_column(Text)
    timing: Mapped[str] = mapped_column(String(200))  # as it was typed
    cron: Mapped[str] = mapped_column(String(200))
    zone: Mapped[str] = mapped_column(String(64))
    enabled: Mapped[bool]
    # For whom it runs, never with more rights than theirs. None: the operator at the command line.
    user_id: Mapped[str | None] = mapped_column(String(32))
    user_name: Mapped[str] = mapped_column(String(200))
    # Whether a person wrote the words, and not a program with their token.
    in_person: Mapped[bool]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    # Since when it stands as it does: what was due before is not made up for.
    since: Mapped[Instant]
    last_due_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_run_id: Mapped[str | None] = mapped_column(String(32))
    last_error: Mapped[str | None] = mapped_column(Text)

    @property
    def due(self) -> Timing:
        """When it is due."""
        return Timing(self.cron, self.zone)
