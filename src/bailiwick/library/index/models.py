"""Tables of the index. The disk is the truth: all of this can be made anew from it."""

from datetime import datetime
from typing import Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime

TextState = Literal["waiting", "ready", "failed", "skipped"]
ScanState = Literal["waiting", "running", "stopped", "done", "failed"]
FileNumber = BigInteger().with_variant(Integer, "sqlite")


class IndexedFile(Base):
    """A file as the disk had it when it was last looked at."""

    __tablename__ = "indexed_files"
    __table_args__ = (
        UniqueConstraint("notebook_id", "path"),
        Index(None, "notebook_id", "folder"),
        Index(None, "notebook_id", "inode"),
        Index(None, "notebook_id", "digest"),
        Index(None, "notebook_id", "text_state"),
        Index(None, "notebook_id", "first_seen_at"),
        {"sqlite_autoincrement": True},  # a number in the full-text index is never used again
    )

    number: Mapped[int] = mapped_column(FileNumber, primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(String(32), unique=True)
    notebook_id: Mapped[str] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    # The names beneath the root, with slashes between them, as `FileLabel` has them.
    path: Mapped[str] = mapped_column(Text)
    folder: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    suffix: Mapped[str] = mapped_column(String(32))  # in lower case, without its dot
    size: Mapped[int] = mapped_column(BigInteger)
    modified_at: Mapped[Instant]
    first_seen_at: Mapped[Instant]
    inode: Mapped[str] = mapped_column(String(48))  # disk and number on it: a rename keeps both
    identity: Mapped[str] = mapped_column(String(120))  # changes when the file is written to
    digest: Mapped[str | None] = mapped_column(String(64))  # None until it is read
    media_type: Mapped[str | None] = mapped_column(String(128))
    properties: Mapped[JsonValue]  # its front matter, or an empty object
    text_state: Mapped[TextState] = mapped_column(String(16))
    problem: Mapped[str | None] = mapped_column(Text)
    attempts: Mapped[int]
    # No longer where it was. It is kept for a moment, because it may turn up elsewhere.
    gone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # The embedding of its text as 16-bit floats; null until there is one.
    vector: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)


class FileText(Base):
    """The text of a file, as one extractor read it."""

    __tablename__ = "file_texts"

    number: Mapped[int] = mapped_column(
        FileNumber, ForeignKey("indexed_files.number", ondelete="CASCADE"), primary_key=True
    )
    extractor: Mapped[str] = mapped_column(String(32), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    characters: Mapped[int]  # of the whole text, of which only the beginning may be kept


class FileTag(Base):
    """A tag that somebody gave a file, beside those of its front matter."""

    __tablename__ = "file_tags"
    __table_args__ = (Index(None, "tag"),)

    number: Mapped[int] = mapped_column(
        FileNumber, ForeignKey("indexed_files.number", ondelete="CASCADE"), primary_key=True
    )
    tag: Mapped[str] = mapped_column(String(100), primary_key=True)
    # Of the front matter: it goes when the front matter no longer has it.
    written: Mapped[bool]


class NotebookScan(Base):
    """How far the index of a notebook has come."""

    __tablename__ = "notebook_scans"

    notebook_id: Mapped[str] = mapped_column(
        ForeignKey("notebooks.id", ondelete="CASCADE"), primary_key=True
    )
    state: Mapped[ScanState] = mapped_column(String(16))
    scanned: Mapped[int]  # files seen by this scan so far
    unreadable: Mapped[int]  # folders that could not be opened
    # The names of the last folder that was done; null before the first.
    position: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    root_identity: Mapped[str | None] = mapped_column(String(48))
    problem: Mapped[str | None] = mapped_column(Text)
    began_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    updated_at: Mapped[Instant]
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)  # of the last whole scan
