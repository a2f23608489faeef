"""Tables of the library."""

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint
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
