"""The table of sample offices: one for a workspace, and what it made there."""

from sqlalchemy import Boolean, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue

_ID = String(32)


class Demo(Base):
    """What the sample data of a workspace made, so that it and nothing else can be taken away."""

    __tablename__ = "demos"

    workspace_id: Mapped[str] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True
    )
    account_id: Mapped[str] = mapped_column(_ID, index=True)
    assistant_id: Mapped[str] = mapped_column(_ID)
    agents: Mapped[JsonValue]  # ids, the directors first
    filters: Mapped[JsonValue]  # ids
    rules: Mapped[JsonValue]  # ids
    notebook_id: Mapped[str | None] = mapped_column(_ID)  # of the sample papers
    contacts: Mapped[JsonValue]  # addresses that nobody here knew before
    # Whether its connector became the active one for mail by it.
    activated: Mapped[bool] = mapped_column(Boolean)
    # For whom the assistant works; None: the operator at the command line.
    user_id: Mapped[str | None] = mapped_column(_ID)
    user_name: Mapped[str] = mapped_column(String(200))
    # Whether it is being taken away; a removal that was cut short can be gone on with.
    leaving: Mapped[bool] = mapped_column(Boolean)
    run_id: Mapped[str | None] = mapped_column(_ID)
    created_at: Mapped[Instant]
