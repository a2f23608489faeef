"""Tables of the event log."""

from sqlalchemy import BigInteger, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue


class EventRow(Base):
    """Something that happened, with ids rather than content."""

    __tablename__ = "events"
    __table_args__ = ({"sqlite_autoincrement": True},)  # a pruned position is never used again

    position: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer, "sqlite"), primary_key=True
    )
    id: Mapped[str] = mapped_column(String(32), unique=True)
    type: Mapped[str] = mapped_column(String(64))
    at: Mapped[Instant] = mapped_column(index=True)
    audience: Mapped[JsonValue]
    workspace_id: Mapped[str | None] = mapped_column(String(32))
    actor_id: Mapped[str | None] = mapped_column(String(64))
    subject_id: Mapped[str | None] = mapped_column(String(64))
    data: Mapped[JsonValue]
    trace_id: Mapped[str] = mapped_column(String(64))


class ReaderRow(Base):
    """How far a durable reader of the log has come."""

    __tablename__ = "event_readers"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    position: Mapped[int] = mapped_column(BigInteger)
