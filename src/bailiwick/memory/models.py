"""Tables of memory."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime


class Memory(Base):
    """Something that agents remember."""

    __tablename__ = "memories"
    __table_args__ = (Index(None, "workspace_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    reach: Mapped[str] = mapped_column(String(16))  # local shared global
    owner_id: Mapped[str | None] = mapped_column(String(64))  # whose it is, unless global
    content: Mapped[str] = mapped_column(Text)
    tags: Mapped[JsonValue]
    label: Mapped[str] = mapped_column(String(16))
    revision: Mapped[int]
    created_by: Mapped[str] = mapped_column(String(64))
    created_key: Mapped[str | None] = mapped_column(String(200), unique=True)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
