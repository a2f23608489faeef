"""Tables of the gate; its audit is in a store of its own."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.gate.call import CallerKind
from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.tools.trust import Label

_ID = String(32)


class Rule(Base):
    """What is allowed, asked about, blocked or redacted."""

    __tablename__ = "rules"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    description: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(String(20))
    condition: Mapped[JsonValue]
    fields: Mapped[JsonValue]  # what REDACT takes out
    priority: Mapped[int]
    enabled: Mapped[bool]
    connector: Mapped[str | None] = mapped_column(String(64))
    workspace_id: Mapped[str | None] = mapped_column(
        ForeignKey("workspaces.id", ondelete="CASCADE")
    )
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]


class RedactionPattern(Base):
    """Text that is taken out of whatever an agent, a model or the audit sees."""

    __tablename__ = "redaction_patterns"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    description: Mapped[str] = mapped_column(Text)
    # None: one of the built-in kinds, which have a check beside the pattern.
    pattern: Mapped[str | None] = mapped_column(Text)
    builtin: Mapped[str | None] = mapped_column(String(32), unique=True)
    replacement: Mapped[str] = mapped_column(String(200))
    enabled: Mapped[bool]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]


class Policy(Base):
    """The one row that says which version of the rules is in force."""

    __tablename__ = "policy"

    id: Mapped[int] = mapped_column(primary_key=True)
    version: Mapped[int]
    seeded: Mapped[bool]


class Approval(Base):
    """A call that waits for a person."""

    __tablename__ = "approvals"
    __table_args__ = (Index(None, "workspace_id", "status", "created_at"),)

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    # In whose name the caller acts.
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    # Whose business it is: of the account that it acts on, else in whose name it is. They answer.
    owner_id: Mapped[str] = mapped_column(_ID)
    caller_kind: Mapped[CallerKind] = mapped_column(String(16))
    caller_id: Mapped[str] = mapped_column(String(64))
    caller_name: Mapped[str] = mapped_column(String(200))
    caller_version: Mapped[str] = mapped_column(String(64))
    context_id: Mapped[str | None] = mapped_column(String(64))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    tool: Mapped[str] = mapped_column(String(128))
    tool_version: Mapped[str] = mapped_column(String(32))
    effect: Mapped[str] = mapped_column(String(16))
    connector: Mapped[str] = mapped_column(String(64))
    account_id: Mapped[str | None] = mapped_column(String(64))
    undoes: Mapped[str | None] = mapped_column(_ID)  # the action that it takes back
    arguments: Mapped[JsonValue]  # as the caller gave them, with virtual ids
    edited: Mapped[JsonValue | None]
    preview: Mapped[JsonValue | None]
    reason: Mapped[str] = mapped_column(Text)
    rule_id: Mapped[str | None] = mapped_column(_ID)
    sources: Mapped[JsonValue]
    policy_version: Mapped[int]
    binding: Mapped[str] = mapped_column(String(64))
    status: Mapped[str] = mapped_column(String(16))
    answered_by: Mapped[str | None] = mapped_column(_ID)
    answered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    note: Mapped[str | None] = mapped_column(Text)
    action_id: Mapped[str | None] = mapped_column(_ID)
    result: Mapped[JsonValue | None]
    files: Mapped[JsonValue | None]  # that it read, as a run keeps them
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[Instant]
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Action(Base):
    """A write, from its intent to its end; and whether it was taken back."""

    __tablename__ = "actions"
    __table_args__ = (
        UniqueConstraint("caller_id", "idempotency_key"),
        Index(None, "workspace_id", "created_at"),
        Index(None, "status"),
    )

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    user_id: Mapped[str | None] = mapped_column(_ID)
    owner_id: Mapped[str] = mapped_column(_ID)  # whose business it is; "*": the workspace's
    caller_kind: Mapped[CallerKind] = mapped_column(String(16))
    caller_id: Mapped[str] = mapped_column(String(64))
    caller_name: Mapped[str] = mapped_column(String(200))
    context_id: Mapped[str | None] = mapped_column(String(64))
    idempotency_key: Mapped[str] = mapped_column(String(200))
    arguments_hash: Mapped[str] = mapped_column(String(64))
    approval_id: Mapped[str | None] = mapped_column(_ID)
    tool: Mapped[str] = mapped_column(String(128))
    effect: Mapped[str] = mapped_column(String(16))
    replay: Mapped[str] = mapped_column(String(16))
    arguments: Mapped[JsonValue]  # real ids, unredacted: what undo and a second try need
    shown: Mapped[JsonValue]  # as the audit has them
    label: Mapped[Label] = mapped_column(String(16))
    scope: Mapped[JsonValue]
    status: Mapped[str] = mapped_column(String(16))  # open done failed unknown
    result: Mapped[JsonValue | None]
    summary: Mapped[str | None] = mapped_column(Text)
    error: Mapped[str | None] = mapped_column(Text)
    receipt: Mapped[JsonValue | None]
    undoable: Mapped[bool]
    undoes: Mapped[str | None] = mapped_column(_ID)
    undone_by: Mapped[str | None] = mapped_column(_ID)  # the action that took it back
    executor: Mapped[str] = mapped_column(String(128))
    created_at: Mapped[Instant]
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ReadContext(Base):
    """What a run or an outside client has read: its label, and the owner's words before that."""

    __tablename__ = "read_contexts"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    label: Mapped[Label] = mapped_column(String(16))
    words: Mapped[str | None] = mapped_column(Text)
    sources: Mapped[JsonValue]
    tainted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    updated_at: Mapped[Instant]


class Mention(Base):
    """A target that untrusted content named to a context; explains refusals, guards nothing."""

    __tablename__ = "mentions"

    context_id: Mapped[str] = mapped_column(
        ForeignKey("read_contexts.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    value: Mapped[str] = mapped_column(String(300), primary_key=True)
    source: Mapped[str] = mapped_column(String(300))


class VirtualId(Base):
    """A name under which one realm knows one entity."""

    __tablename__ = "virtual_ids"
    __table_args__ = (UniqueConstraint("realm", "kind", "account_id", "entity_id"),)

    virtual_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    realm: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(16))
    account_id: Mapped[str] = mapped_column(String(64))
    entity_id: Mapped[str] = mapped_column(String(1100))
    created_at: Mapped[Instant]


class Usage(Base):
    """How much of a limit is taken, by all processes together."""

    __tablename__ = "usage"

    subject: Mapped[str] = mapped_column(String(64), primary_key=True)
    meter: Mapped[str] = mapped_column(String(16), primary_key=True)
    begins: Mapped[int] = mapped_column(BigInteger, primary_key=True)  # of its window, in seconds
    used: Mapped[int] = mapped_column(BigInteger)


class Halt(Base):
    """There is a row while everything is stopped."""

    __tablename__ = "halts"

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[Instant]
    by: Mapped[str] = mapped_column(String(100))
    reason: Mapped[str] = mapped_column(Text)
