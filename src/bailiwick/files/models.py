"""Tables of uploaded files: what each is, where it is used, and who has had it."""

from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue

_ID = String(32)
# Its owner alone, or also those who may read a thread that it is in.
FileVisibility = Literal["private", "thread"]
PreviewStatus = Literal["pending", "generated", "failed", "unavailable"]
AccessAction = Literal["download", "preview"]


class StoredFile(Base):
    """A file of its owner."""

    __tablename__ = "files"
    __table_args__ = (Index(None, "owner_id", "created_at"),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    owner_id: Mapped[str] = mapped_column(_ID)
    title: Mapped[str] = mapped_column(String(255))
    size: Mapped[int] = mapped_column(BigInteger)
    mime_type: Mapped[str] = mapped_column(String(128))
    checksum: Mapped[str] = mapped_column(String(64))  # SHA-256
    blob: Mapped[str] = mapped_column(String(64), index=True)
    description: Mapped[str] = mapped_column(Text)
    tags: Mapped[JsonValue]
    visibility: Mapped[FileVisibility] = mapped_column(String(16))
    preview_status: Mapped[PreviewStatus] = mapped_column(String(16))
    page_count: Mapped[int | None]
    text_excerpt: Mapped[str | None] = mapped_column(Text)
    thumbnail: Mapped[str | None] = mapped_column(String(64), index=True)  # a blob
    created_at: Mapped[Instant]
    # Since when it is in no message, if it is in none.
    unused_since: Mapped[Instant]


class FileUse(Base):
    """A message that has a file."""

    __tablename__ = "file_uses"
    __table_args__ = (Index(None, "thread_id", "file_id"),)

    file_id: Mapped[str] = mapped_column(
        ForeignKey("files.id", ondelete="CASCADE"), primary_key=True
    )
    message_id: Mapped[str] = mapped_column(_ID, primary_key=True)
    thread_id: Mapped[str] = mapped_column(_ID)
    workspace_id: Mapped[str] = mapped_column(_ID, index=True)


class FileBlob(Base):
    """A content that was stored, until no file has it any more."""

    __tablename__ = "file_blobs"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    kept_at: Mapped[Instant] = mapped_column(index=True)


class FileAccess(Base):
    """Someone had a file: once for each link, however often its player asks."""

    __tablename__ = "file_accesses"
    __table_args__ = (Index(None, "file_id", "at"),)

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    file_id: Mapped[str] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    user_id: Mapped[str] = mapped_column(_ID)
    action: Mapped[AccessAction] = mapped_column(String(16))
    thread_id: Mapped[str | None] = mapped_column(_ID)
    client_ip: Mapped[str] = mapped_column(String(64))
    user_agent: Mapped[str] = mapped_column(String(300))
    at: Mapped[Instant]


class FileUpload(Base):
    """An upload that comes in several requests."""

    __tablename__ = "file_uploads"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    owner_id: Mapped[str] = mapped_column(_ID, index=True)
    title: Mapped[str] = mapped_column(String(255))
    size: Mapped[int] = mapped_column(BigInteger)
    offset: Mapped[int] = mapped_column(BigInteger)
    parts: Mapped[JsonValue]  # the names of the pieces that are here, in order
    about: Mapped[JsonValue]
    created_at: Mapped[Instant] = mapped_column(index=True)
