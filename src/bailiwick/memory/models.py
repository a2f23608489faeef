"""Tables of memory."""

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.tools.trust import Label

Reach = Literal["local", "shared", "global"]


class Memory(Base):
    """Something that agents remember."""

    __tablename__ = "memories"
    __table_args__ = (Index(None, "workspace_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    reach: Mapped[Reach] = mapped_column(String(16))
    owner_id: Mapped[str | None] = mapped_column(String(64))  # its owner, unless global
    owner_name: Mapped[str | None] = mapped_column(String(200))  # the agent's name at that time
    user_id: Mapped[str | None] = mapped_column(String(64))  # the person its owner acted for
    # Of a shared one: the director and the agent between whom it is. Null: all of its director's
    # agents, or all who act for the person.
    director_id: Mapped[str | None] = mapped_column(String(64))
    agent_id: Mapped[str | None] = mapped_column(String(64))
    content: Mapped[str] = mapped_column(Text)
    tags: Mapped[JsonValue]
    label: Mapped[Label] = mapped_column(String(16))
    revision: Mapped[int]
    created_by: Mapped[str] = mapped_column(String(64))
    created_key: Mapped[str | None] = mapped_column(String(200), unique=True)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # The embedding as 16-bit floats; null until the first search by meaning.
    vector: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
