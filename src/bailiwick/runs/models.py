"""Tables of runs: the run, its transcript, its tool calls, and what went to and from the model."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from bailiwick.kit.db import Base, Instant, JsonValue, UtcDateTime
from bailiwick.runs.states import CallStatus, EndReason, RunKind, RunStatus

_ID = String(32)


class Run(Base):
    """One durable execution of an agent."""

    __tablename__ = "runs"
    __table_args__ = (
        Index(None, "workspace_id", "created_at"),
        Index(None, "agent_id", "created_at"),
        Index(None, "status"),
    )

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    workspace_id: Mapped[str] = mapped_column(ForeignKey("workspaces.id", ondelete="CASCADE"))
    agent_id: Mapped[str] = mapped_column(ForeignKey("agents.id", ondelete="CASCADE"))
    # Who started it: it never has more rights than they. None: the operator at the command line.
    user_id: Mapped[str | None] = mapped_column(_ID)
    user_name: Mapped[str] = mapped_column(String(200))
    # Whether a person gave the words, and not a program with their token.
    in_person: Mapped[bool]
    kind: Mapped[RunKind] = mapped_column(String(16))
    title: Mapped[str] = mapped_column(String(200))
    words: Mapped[str | None] = mapped_column(Text)  # the first that it was given
    status: Mapped[RunStatus] = mapped_column(String(16))
    why: Mapped[EndReason | None] = mapped_column(String(16))
    error: Mapped[str | None] = mapped_column(Text)
    # None: the agent's own.
    model_id: Mapped[str | None] = mapped_column(_ID)
    prompt: Mapped[JsonValue | None]
    variables: Mapped[JsonValue]
    parent_id: Mapped[str | None] = mapped_column(_ID, index=True)
    parent_call: Mapped[str | None] = mapped_column(String(64))
    depth: Mapped[int]
    task_id: Mapped[str | None] = mapped_column(_ID, index=True)
    schedule_id: Mapped[str | None] = mapped_column(_ID, index=True)
    # The case that it works on, and the account whose mail that is about.
    case_id: Mapped[str | None] = mapped_column(_ID, index=True)
    account_id: Mapped[str | None] = mapped_column(_ID)
    # The conversation that it is a part of.
    thread_id: Mapped[str | None] = mapped_column(_ID, index=True)
    forked_from: Mapped[str | None] = mapped_column(_ID)
    fork_step: Mapped[int | None]
    # How often it was set going, and who has it now: a process that was thought dead and is not
    # finds another word here and stops.
    segment: Mapped[int]
    holder: Mapped[str | None] = mapped_column(_ID)
    length: Mapped[int]  # of the transcript
    steps: Mapped[int]
    # The step limit counts from the last message of a person.
    steps_before: Mapped[int]
    api_calls: Mapped[int]
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    money: Mapped[int] = mapped_column(BigInteger)  # millionths of a dollar
    # Parts of the input, and what they saved: `TokenUsage` has the words.
    cache_read_tokens: Mapped[int] = mapped_column(BigInteger, default=0)
    cache_write_tokens: Mapped[int] = mapped_column(BigInteger, default=0)
    saved: Mapped[int] = mapped_column(BigInteger, default=0)
    files_modified: Mapped[JsonValue]
    created_at: Mapped[Instant]
    updated_at: Mapped[Instant]
    deadline_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    completed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Of an agent that another one asks: until when it can be spoken to again, and since when not.
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Patterns of the tools that its asker leaves it in this turn; None: all that it has.
    only_tools: Mapped[JsonValue | None]
    # A director has come to its end; an agent that it asked never does by itself.
    finalized: Mapped[bool]
    # Nothing that it does has an effect: a replay, a trial, and whoever these ask.
    dry: Mapped[bool] = mapped_column(default=False)


class RunMessage(Base):
    """One message of the transcript, in OpenAI's form."""

    __tablename__ = "run_messages"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(String(16))
    content: Mapped[str] = mapped_column(Text)
    tool_calls: Mapped[JsonValue | None]
    tool_call_id: Mapped[str | None] = mapped_column(String(64))
    # The message of a thread that these words are.
    message_id: Mapped[str | None] = mapped_column(_ID)
    step: Mapped[int]
    # prompt: made from the agent's; note: of the office; summary: stands for what was folded.
    kind: Mapped[str] = mapped_column(String(16))
    # The summary that stands for this message before the model; it is kept all the same.
    folded_into: Mapped[int | None]
    # The whole text, where only a part is in `content`.
    blob: Mapped[str | None] = mapped_column(String(64))
    # Files that go with it: see `files.store`. `saw` is what each was to the model.
    files: Mapped[JsonValue | None]
    # What the model got in place of `content` and `tool_calls`, where redaction changed them.
    sent: Mapped[JsonValue | None]
    # What the provider of an answer wants back: its reasoning, signed (`llm/parts.py`).
    parts: Mapped[JsonValue | None]
    # Of a tool's result: the call came to nothing.
    failed: Mapped[bool | None]
    created_at: Mapped[Instant]


class RunUpload(Base):
    """A file that someone has sent, and that is in no message yet."""

    __tablename__ = "run_uploads"

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    user_id: Mapped[str] = mapped_column(_ID, index=True)
    blob: Mapped[str] = mapped_column(String(64), index=True)
    file: Mapped[JsonValue]
    created_at: Mapped[Instant]


class RunFile(Base):
    """A blob that a run has among its files."""

    __tablename__ = "run_files"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    blob: Mapped[str] = mapped_column(String(64), primary_key=True, index=True)


class RunBlob(Base):
    """A blob of sessions, kept until no run and no upload refers to it."""

    __tablename__ = "run_blobs"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    kept_at: Mapped[Instant]


class RunCall(Base):
    """A tool call that the model wanted, and what became of it."""

    __tablename__ = "run_calls"

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    number: Mapped[int]
    step: Mapped[int]
    tool: Mapped[str] = mapped_column(String(128))
    effect: Mapped[str | None] = mapped_column(String(16))
    arguments: Mapped[str] = mapped_column(Text)  # as the model gave them
    status: Mapped[CallStatus] = mapped_column(String(16))
    code: Mapped[str | None] = mapped_column(String(32))
    reason: Mapped[str | None] = mapped_column(Text)
    rule_id: Mapped[str | None] = mapped_column(_ID)
    rule_name: Mapped[str | None] = mapped_column(String(100))
    label: Mapped[str | None] = mapped_column(String(16))
    asked: Mapped[bool]
    approval_id: Mapped[str | None] = mapped_column(_ID, index=True)
    action_id: Mapped[str | None] = mapped_column(_ID)
    child_id: Mapped[str | None] = mapped_column(_ID)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    latency_ms: Mapped[int | None]


class ProviderEvent(Base):
    """What went to a model or came from it; appended, never changed, and redacted."""

    __tablename__ = "provider_events"
    __table_args__ = (Index(None, "run_id", "at"), Index(None, "at"))

    id: Mapped[str] = mapped_column(_ID, primary_key=True)
    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"))
    workspace_id: Mapped[str] = mapped_column(_ID)
    agent_id: Mapped[str] = mapped_column(_ID)
    user_id: Mapped[str | None] = mapped_column(_ID)
    step: Mapped[int]
    attempt: Mapped[int]
    kind: Mapped[str] = mapped_column(String(16))
    model_id: Mapped[str] = mapped_column(_ID)
    provider: Mapped[str] = mapped_column(String(32))
    model: Mapped[str] = mapped_column(String(200))
    payload: Mapped[JsonValue]
    status: Mapped[int | None]
    latency_ms: Mapped[int | None]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    money: Mapped[int | None] = mapped_column(BigInteger)
    cache_read_tokens: Mapped[int] = mapped_column(default=0)
    cache_write_tokens: Mapped[int] = mapped_column(default=0)
    reasoning_tokens: Mapped[int] = mapped_column(default=0)
    saved: Mapped[int] = mapped_column(BigInteger, default=0)
    estimated: Mapped[bool] = mapped_column(default=False)
    at: Mapped[Instant]
