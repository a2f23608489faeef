"""Table of what people want to be told of."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, JsonValue


class NotificationChoice(Base):
    """What one person wants their browsers to show; no row: nothing."""

    __tablename__ = "notification_choices"

    user_id: Mapped[str] = mapped_column(
        String(32), ForeignKey("users.id", ondelete="CASCADE"), primary_key=True
    )
    desktop: Mapped[bool]
    events: Mapped[JsonValue]
    subjects: Mapped[bool]
