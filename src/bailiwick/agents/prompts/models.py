"""Tables of prompts."""

from typing import Literal

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue

PromptKind = Literal["prompt", "template"]


class Prompt(Base):
    """Messages with variables: a prompt that agents use, or a template that is copied."""

    __tablename__ = "prompts"
    __table_args__ = (UniqueConstraint("workspace_id", "kind", "name"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    kind: Mapped[PromptKind] = mapped_column(String(16))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(String(500))
    messages: Mapped[JsonValue]  # [{role, content}]
    imprint: Mapped[JsonValue]  # the same: an example conversation
    # None: made at the command line.
    owner_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    revision: Mapped[int]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
