"""Tables of artifacts: what is true now in one, and every version in the other."""

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.tools.trust import Label

Encoding = Literal["utf8", "base64", "binary"]
AuthorKind = Literal["director", "agent", "tool", "person"]


class Artifact(Base):
    """A deliverable as it is now; its content is that of its newest version."""

    __tablename__ = "artifacts"
    __table_args__ = (Index(None, "case_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(String(32))  # of the mail that it came of
    case_id: Mapped[str | None] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text)
    mime_type: Mapped[str | None] = mapped_column(String(255))
    encoding: Mapped[Encoding] = mapped_column(String(8))
    tags: Mapped[JsonValue]
    size: Mapped[int]  # in bytes
    preview: Mapped[str] = mapped_column(Text)  # the beginning of a text
    label: Mapped[Label] = mapped_column(String(16))
    revision: Mapped[int]
    # Who made it, in which run, and by which tool; `changed_by` is who made the newest version.
    author_kind: Mapped[AuthorKind] = mapped_column(String(16))
    author_id: Mapped[str] = mapped_column(String(64))
    author_name: Mapped[str] = mapped_column(String(200))
    changed_by: Mapped[AuthorKind] = mapped_column(String(16))
    run_id: Mapped[str | None] = mapped_column(String(32))
    tool: Mapped[str | None] = mapped_column(String(128))
    supersedes_id: Mapped[str | None] = mapped_column(String(32), index=True)
    created_key: Mapped[str | None] = mapped_column(String(200), unique=True)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ArtifactVersion(Base):
    """One version of an artifact, with its content."""

    __tablename__ = "artifact_versions"

    artifact_id: Mapped[str] = mapped_column(
        ForeignKey("artifacts.id", ondelete="CASCADE"), primary_key=True
    )
    revision: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text)
    mime_type: Mapped[str | None] = mapped_column(String(255))
    encoding: Mapped[Encoding] = mapped_column(String(8))
    tags: Mapped[JsonValue]
    size: Mapped[int]
    label: Mapped[Label] = mapped_column(String(16))
    author_kind: Mapped[AuthorKind] = mapped_column(String(16))
    author_id: Mapped[str] = mapped_column(String(64))
    author_name: Mapped[str] = mapped_column(String(200))
    at: Mapped[Instant]
    # Last, because SQLite reads through the columns before one.
    data: Mapped[str] = mapped_column(Text)
