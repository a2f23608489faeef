"""Tables of webhooks."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.kit.vault import sealed_column


class Webhook(Base):
    """An address that gets events, as far as its owner may see them."""

    __tablename__ = "webhooks"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    url: Mapped[str] = mapped_column(Text)
    types: Mapped[JsonValue]
    format: Mapped[str] = mapped_column(String(16))
    # None: the operator, who made it at the command line.
    owner_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    workspace_id: Mapped[str | None] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE")
    )
    active: Mapped[bool]
    disabled_reason: Mapped[str | None] = mapped_column(Text)
    failures: Mapped[int]  # failed deliveries in a row
    secret: Mapped[bytes] = sealed_column()
    old_secret: Mapped[bytes | None] = sealed_column(nullable=True)
    old_secret_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[Instant]


class Delivery(Base):
    """One event on its way to one webhook."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        UniqueConstraint("webhook_id", "event_id"),
        Index(None, "webhook_id", "created_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    webhook_id: Mapped[str] = mapped_column(ForeignKey("webhooks.id", ondelete="CASCADE"))
    event_id: Mapped[str] = mapped_column(String(32))
    event_type: Mapped[str] = mapped_column(String(64))
    payload: Mapped[JsonValue]
    status: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int]
    # The attempts before this round: a redelivery starts the backoff again.
    round_start: Mapped[int]
    next_attempt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_status: Mapped[int | None]
    last_error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class DeliveryAttempt(Base):
    """One attempt of a delivery."""

    __tablename__ = "webhook_attempts"

    delivery_id: Mapped[str] = mapped_column(
        ForeignKey("webhook_deliveries.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[Instant]
    milliseconds: Mapped[int]
    status: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(Text)
    response: Mapped[str | None] = mapped_column(Text)
