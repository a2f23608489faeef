"""Tables of the library."""

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant


class Notebook(Base):
    """A folder on disk that is opened to a workspace."""

    __tablename__ = "notebooks"
    __table_args__ = (UniqueConstraint("workspace_id", "name"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    # None: a folder of our own in the data folder.
    path: Mapped[str | None] = mapped_column(Text)
    # Whether the owner says that all in it is their own words; else it may be a stranger's.
    trusted: Mapped[bool]
    created_at: Mapped[Instant]


class FileLabel(Base):
    """Whose words a file holds that was written through the gate, as long as it is unchanged."""

    __tablename__ = "file_labels"

    notebook_id: Mapped[str] = mapped_column(
        ForeignKey("notebooks.id", ondelete="CASCADE"), primary_key=True
    )
    path: Mapped[str] = mapped_column(String(1100), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    label: Mapped[str] = mapped_column(String(16))
    updated_at: Mapped[Instant]


class FileVersion(Base):
    """A content that a file had, and who gave it that: whoever wrote through the gate, or nobody.

    A row stands for the moment from which the file held the content; that of a deletion holds the
    last one. The content is a blob of the library's own.
    """

    __tablename__ = "file_versions"
    __table_args__ = (Index("ix_file_versions_of_file", "notebook_id", "path", "at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    # Without a foreign key: the rows of a closed notebook go with their contents.
    notebook_id: Mapped[str] = mapped_column(String(32))
    path: Mapped[str] = mapped_column(String(1100))
    digest: Mapped[str] = mapped_column(String(64))
    blob: Mapped[str] = mapped_column(String(64), index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    label: Mapped[str | None] = mapped_column(String(16))  # None: the usual one of its place
    change: Mapped[str] = mapped_column(String(16))
    # None: another program wrote it, past the gate.
    author_id: Mapped[str | None] = mapped_column(String(64))
    author_name: Mapped[str | None] = mapped_column(String(200))
    context_id: Mapped[str | None] = mapped_column(String(64))  # the run, or what stands for one
    at: Mapped[Instant] = mapped_column(index=True)


class FileSight(Base):
    """Which content of a file a run, or a program, saw last."""

    __tablename__ = "file_sights"

    context_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    notebook_id: Mapped[str] = mapped_column(
        ForeignKey("notebooks.id", ondelete="CASCADE"), primary_key=True
    )
    path: Mapped[str] = mapped_column(String(1100), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))
    at: Mapped[Instant] = mapped_column(index=True)
