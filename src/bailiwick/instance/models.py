"""Tables of the installation itself."""

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.kit.vault import sealed_column


class Instance(Base):
    """The one row that says which installation this is."""

    __tablename__ = "instance"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    hash_key: Mapped[bytes] = sealed_column()
    created_at: Mapped[Instant]
    last_seen_at: Mapped[Instant]


class Setting(Base):
    """A run-time setting that differs from its default."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[JsonValue]
    updated_at: Mapped[Instant]


class Change(Base):
    """Who changed what, with the values before and after; written with the change itself."""

    __tablename__ = "changes"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    actor_id: Mapped[str] = mapped_column(String(64))
    actor_name: Mapped[str] = mapped_column(String(320))
    action: Mapped[str] = mapped_column(String(64), index=True)
    subject_id: Mapped[str] = mapped_column(String(64), index=True)
    before: Mapped[JsonValue | None]
    after: Mapped[JsonValue | None]
    trace_id: Mapped[str] = mapped_column(String(64))
    owner_id: Mapped[str | None] = mapped_column(String(64))  # who alone may read it; None: admins
    seal: Mapped[str | None] = mapped_column(String(64))  # see kit/ledger/records
