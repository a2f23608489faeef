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
    __table_args__ = (
        Index(None, "case_id", "created_at"),
        Index(None, "thread_id", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(String(32))  # of the mail that it came of
    # It belongs to a case or to a thread, and there to the message that it came with.
    case_id: Mapped[str | None] = mapped_column(String(32))
    thread_id: Mapped[str | None] = mapped_column(String(32))
    message_id: Mapped[str | None] = mapped_column(String(32))
    # insight, report, dashboard and so on: how it is laid out; None: by its MIME type.
    kind: Mapped[str | None] = mapped_column(String(64))
    # What made it and of what, as its maker says.
    generator: Mapped[str | None] = mapped_column(String(200))
    data_sources: Mapped[JsonValue | None]
    about: Mapped[JsonValue | None]
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
    archived_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ArtifactLink(Base):
    """A message that shows an artifact."""

    __tablename__ = "artifact_links"

    artifact_id: Mapped[str] = mapped_column(
        ForeignKey("artifacts.id", ondelete="CASCADE"), primary_key=True
    )
    message_id: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)


class ArtifactDependency(Base):
    """An artifact that was made of another one."""

    __tablename__ = "artifact_dependencies"

    artifact_id: Mapped[str] = mapped_column(
        ForeignKey("artifacts.id", ondelete="CASCADE"), primary_key=True
    )
    on_id: Mapped[str] = mapped_column(
        ForeignKey("artifacts.id", ondelete="CASCADE"), primary_key=True, index=True
    )


class ArtifactUse(Base):
    """How often an artifact was looked at, clicked or downloaded, and from where."""

    __tablename__ = "artifact_uses"

    artifact_id: Mapped[str] = mapped_column(
        ForeignKey("artifacts.id", ondelete="CASCADE"), primary_key=True
    )
    what: Mapped[str] = mapped_column(String(16), primary_key=True)
    source: Mapped[str] = mapped_column(String(16), primary_key=True)
    count: Mapped[int]
    last_at: Mapped[Instant]


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
