"""Tables of outside clients."""

from datetime import datetime

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime


class Client(Base):
    """A program outside that acts for a user, within a scope of its own."""

    __tablename__ = "clients"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    hint: Mapped[str] = mapped_column(String(16))
    scope: Mapped[JsonValue]
    limits: Mapped[JsonValue]
    ask_writes: Mapped[bool]
    ask_tools: Mapped[JsonValue]
    enabled: Mapped[bool]
    # What it reported about itself when it last connected.
    agent_name: Mapped[str | None] = mapped_column(String(200))
    agent_version: Mapped[str | None] = mapped_column(String(64))
    protocol: Mapped[str | None] = mapped_column(String(16))
    created_at: Mapped[Instant]
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_seen_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
