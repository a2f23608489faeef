"""Tables of agents."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.kit.vault import sealed_column


class Agent(Base):
    """A configured worker: model, prompt, tools, scope, limits."""

    __tablename__ = "agents"
    __table_args__ = (Index(None, "workspace_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    owner_id: Mapped[str] = mapped_column(String(32))
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(16))
    model_id: Mapped[str | None] = mapped_column(String(32))  # None: its asker's, or the default
    prompt_id: Mapped[str | None] = mapped_column(String(32), index=True)
    prompt: Mapped[JsonValue]  # its own, unless it uses a shared one
    imprint: Mapped[JsonValue]
    scope: Mapped[JsonValue]
    limits: Mapped[JsonValue]
    ask_writes: Mapped[bool]
    ask_tools: Mapped[JsonValue]
    colleagues: Mapped[JsonValue]  # ids of agents that it may ask, in their order
    # Of a director: whose mail reaches it (none: its owner's, or that of all whom it is shared
    # with), and the agents whose local memories it may read.
    accounts: Mapped[JsonValue]
    memory_access: Mapped[JsonValue]
    position: Mapped[int]
    step_limit: Mapped[int]
    timeout_seconds: Mapped[int]
    tokens_per_run: Mapped[int | None] = mapped_column(BigInteger)
    money_per_run: Mapped[float | None]
    active: Mapped[bool]
    shared: Mapped[bool]
    revision: Mapped[int]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    # Its runs are kept, so its row is too.
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class AgentCredential(Base):
    """A secret of one agent; it is written, used, and never shown."""

    __tablename__ = "agent_credentials"
    __table_args__ = (UniqueConstraint("agent_id", "name"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    agent_id: Mapped[str] = mapped_column(ForeignKey("agents.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(32))
    value: Mapped[bytes] = sealed_column()
    created_at: Mapped[Instant]
