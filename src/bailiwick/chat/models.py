"""Tables of conversations: threads, their messages, and what people put to these."""

from datetime import datetime
from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime

_ID = String(32)
ThreadStatus = Literal["active", "archived", "deleted"]
MessageRole = Literal["user", "assistant", "system"]


class Thread(Base):
    """A conversation of its owner with an assistant."""

    __tablename__ = "threads"
    __table_args__ = (Index(None, "owner_id", "status", "last_activity_at"),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(_ID)
    # Who answers now; an earlier message may have been another's.
    agent_id: Mapped[str] = mapped_column(ForeignKey("agents.id", ondelete="CASCADE"), index=True)
    status: Mapped[ThreadStatus] = mapped_column(String(16))
    # What a person called it; empty: as its first run is.
    title: Mapped[str] = mapped_column(String(200))
    run_id: Mapped[str | None] = mapped_column(_ID)
    is_pinned: Mapped[bool]
    # The last message of the branch that is shown.
    head_id: Mapped[str | None] = mapped_column(_ID)
    # What people and services said of it: priority, intent, stage and so on.
    about: Mapped[JsonValue]
    # Each in a line of its own, to be found by.
    tags: Mapped[str] = mapped_column(Text)
    length: Mapped[int]  # how many messages it ever had
    tokens: Mapped[int] = mapped_column(BigInteger)
    created_at: Mapped[Instant]
    last_activity_at: Mapped[Instant]
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ThreadMessage(Base):
    """One message; together they are a tree, of which a path from the root is shown."""

    __tablename__ = "thread_messages"
    __table_args__ = (Index(None, "thread_id", "number", unique=True),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    thread_id: Mapped[str] = mapped_column(ForeignKey("threads.id", ondelete="CASCADE"))
    number: Mapped[int]
    parent_id: Mapped[str | None] = mapped_column(_ID)
    role: Mapped[MessageRole] = mapped_column(String(16))
    subtype: Mapped[str | None] = mapped_column(String(64))
    # Whose words it is: a person's, or an agent's.
    user_id: Mapped[str | None] = mapped_column(_ID)
    agent_id: Mapped[str | None] = mapped_column(_ID)
    # The run that it was said in, or that said it.
    run_id: Mapped[str | None] = mapped_column(_ID, index=True)
    # Of an answer: how long the transcript was then.
    position: Mapped[int | None]
    # The same answer is taken into the thread once.
    key: Mapped[str | None] = mapped_column(String(100), unique=True)
    content: Mapped[str] = mapped_column(Text)
    blocks: Mapped[JsonValue | None]
    files: Mapped[JsonValue | None]
    about: Mapped[JsonValue]
    hidden: Mapped[bool]
    tokens: Mapped[int] = mapped_column(BigInteger)
    milliseconds: Mapped[int | None]
    model: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[Instant]
    edited_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class MessageReaction(Base):
    """Someone's emoji on a message."""

    __tablename__ = "message_reactions"

    message_id: Mapped[str] = mapped_column(
        ForeignKey("thread_messages.id", ondelete="CASCADE"), primary_key=True
    )
    emoji: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(_ID, primary_key=True)
    created_at: Mapped[Instant]


class MessageStar(Base):
    """A message that someone keeps in mind."""

    __tablename__ = "message_stars"

    message_id: Mapped[str] = mapped_column(
        ForeignKey("thread_messages.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[str] = mapped_column(_ID, primary_key=True)


class ThreadShare(Base):
    """Someone who may read another's thread."""

    __tablename__ = "thread_shares"

    thread_id: Mapped[str] = mapped_column(
        ForeignKey("threads.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[str] = mapped_column(
        ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    created_at: Mapped[Instant]
