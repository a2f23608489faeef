"""Tables of the inbox."""

from datetime import datetime
from typing import Literal

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime

SuggestionStatus = Literal["pending", "accepted", "rejected", "expired"]
# waiting: for a run, or for another try; undecided: the organiser looked and does not know.
JudgementStatus = Literal["waiting", "running", "judged", "undecided", "failed"]
ProposalStatus = Literal["pending", "accepted", "rejected", "expired"]
_ID = String(32)
_PATH = String(1100)
_PENDING = text("status = 'pending'")


class InboxSettings(Base):
    """How a workspace's inbox is organised; a workspace without a row has the defaults."""

    __tablename__ = "inbox_settings"

    workspace_id: Mapped[str] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE"), primary_key=True
    )
    agent_enabled: Mapped[bool]
    auto_organize: Mapped[bool]
    min_confidence: Mapped[float]
    never_touch: Mapped[JsonValue]  # patterns of names and paths
    new_folders: Mapped[bool]  # whether a suggestion may name a folder that is not there
    agent_id: Mapped[str | None] = mapped_column(_ID)  # the organiser
    owner_id: Mapped[str | None] = mapped_column(_ID)  # for whom it works by itself


class Judgement(Base):
    """A content that arrived in an inbox, and what became of looking at it: each once."""

    __tablename__ = "judgements"
    __table_args__ = (
        Index(None, "notebook_id", "digest", unique=True),
        Index(None, "workspace_id", "status"),
    )

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    notebook_id: Mapped[str] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    file_id: Mapped[str] = mapped_column(_ID)
    digest: Mapped[str] = mapped_column(String(64))
    path: Mapped[str] = mapped_column(_PATH)  # beneath the notebook, when it was looked at
    status: Mapped[JudgementStatus] = mapped_column(String(16))
    attempts: Mapped[int]
    next_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    run_id: Mapped[str | None] = mapped_column(_ID, index=True)
    problem: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]


class Suggestion(Base):
    """A proposed move of a file, and what a person said to it."""

    __tablename__ = "suggestions"
    __table_args__ = (
        Index(None, "workspace_id", "status", "created_at"),
        Index(
            "uq_suggestions_pending",
            "file_id",
            unique=True,
            sqlite_where=_PENDING,
            postgresql_where=_PENDING,
        ),
    )

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    notebook_id: Mapped[str] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    file_id: Mapped[str] = mapped_column(_ID)
    digest: Mapped[str] = mapped_column(String(64))
    file_path: Mapped[str] = mapped_column(_PATH)  # with the notebook's name
    target_folder: Mapped[str] = mapped_column(_PATH)  # with the notebook's name
    reasoning: Mapped[str] = mapped_column(Text)
    stated: Mapped[float]  # the confidence that the organiser gave
    confidence: Mapped[float]  # after what earlier decisions say of that folder
    status: Mapped[SuggestionStatus] = mapped_column(String(16))
    key: Mapped[str] = mapped_column(String(200), unique=True)  # of the call that made it
    run_id: Mapped[str | None] = mapped_column(_ID)
    vector: Mapped[bytes | None] = mapped_column(LargeBinary)  # of what the file says
    created_at: Mapped[Instant]
    resolved_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    resolved_by: Mapped[str | None] = mapped_column(_ID)
    chosen_folder: Mapped[str | None] = mapped_column(_PATH)  # where it was put, if anywhere
    new_path: Mapped[str | None] = mapped_column(_PATH)
    action_id: Mapped[str | None] = mapped_column(_ID, index=True)
    batch_id: Mapped[str | None] = mapped_column(_ID, index=True)  # with which others


class GuidelineProposal(Base):
    """A change to a guideline that past decisions speak for."""

    __tablename__ = "guideline_proposals"
    __table_args__ = (Index(None, "workspace_id", "status"),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    notebook_id: Mapped[str] = mapped_column(ForeignKey("notebooks.id", ondelete="CASCADE"))
    base: Mapped[str] = mapped_column(String(64))  # the digest of the text that it changes
    text: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    status: Mapped[ProposalStatus] = mapped_column(String(16))
    created_at: Mapped[Instant]
    resolved_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    resolved_by: Mapped[str | None] = mapped_column(_ID)
