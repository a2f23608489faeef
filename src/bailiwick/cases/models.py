"""The table of cases. How a case stands is read from its run: it is kept nowhere twice."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, UtcDateTime
from bailiwick.tools.trust import Label

_ID = String(32)


class Case(Base):
    """One mail and one director. What is said of the mail stays, also when the mail goes."""

    __tablename__ = "cases"
    __table_args__ = (
        Index(None, "workspace_id", "created_at"),
        Index(None, "message_id", "director_id", unique=True),
        Index(None, "owner_id", "director_id", "digest", unique=True),
    )

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(_ID)  # of the account
    account_id: Mapped[str] = mapped_column(_ID, index=True)
    message_id: Mapped[str] = mapped_column(_ID)
    # Of what the mail says and who sent it: the same mail in two accounts makes one case.
    digest: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(Text)
    sender_name: Mapped[str] = mapped_column(Text)
    sender_address: Mapped[str] = mapped_column(Text)
    received_at: Mapped[Instant]
    label: Mapped[Label] = mapped_column(String(16))  # whose words the mail is
    director_id: Mapped[str] = mapped_column(_ID, index=True)
    filter_id: Mapped[str] = mapped_column(_ID)
    cycle_id: Mapped[str] = mapped_column(_ID, index=True)  # the fetch that brought the mail
    run_id: Mapped[str | None] = mapped_column(_ID)  # the newest one
    problem: Mapped[str | None] = mapped_column(Text)  # why there is no run
    created_at: Mapped[Instant]
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deletion: Mapped[str | None] = mapped_column(_ID, index=True)  # with which others it went
