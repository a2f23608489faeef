"""Tables of the planner."""

from datetime import date, datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, UtcDateTime


class Task(Base):
    """Something to do, on the workspace's own list."""

    __tablename__ = "tasks"
    __table_args__ = (Index(None, "workspace_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(500))
    notes: Mapped[str] = mapped_column(Text)
    due: Mapped[date | None]
    label: Mapped[str] = mapped_column(String(16))
    # The agent's work on it: its state, the latest run, and its report.
    assigned_to: Mapped[str | None] = mapped_column(String(32), index=True)
    state: Mapped[str] = mapped_column(String(16), default="open")  # open queued done failed
    run_id: Mapped[str | None] = mapped_column(String(32))
    report: Mapped[str | None] = mapped_column(Text)
    report_label: Mapped[str | None] = mapped_column(String(16))  # the trust label of the report
    revision: Mapped[int]
    created_by: Mapped[str] = mapped_column(String(64))
    created_key: Mapped[str | None] = mapped_column(String(200), unique=True)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    completed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
