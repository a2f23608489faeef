"""What goes into the gate, and what comes out."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.scope import ALL, Limits, Scope
from bailiwick.tools.tool import Arguments, Tool
from bailiwick.tools.trust import Label

CallerKind = Literal["user", "agent", "client"]
RefusalCode = Literal[
    "unknown_tool",
    "invalid_arguments",
    "unknown_id",
    "halted",
    "out_of_scope",
    "rate_limited",
    "blocked",
    "no_rule",
    "rule_failed",
    "approval_void",
    "conflict",
    "not_found",
    "failed",
    "unknown_outcome",
    "audit_failed",
]


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a tool is called, and how far they may go."""

    kind: CallerKind
    id: str
    name: str
    workspace_id: str
    user_id: str | None
    version: str = ""
    roles: tuple[str, ...] = ()  # the user's: "admin" or "user", and "workspace:write" and so on
    scope: Scope = ALL
    limits: Limits = field(default_factory=Limits)
    ask_writes: bool = False
    ask_tools: tuple[str, ...] = ()
    agent_kind: str | None = None  # assistant, director, …: of an agent alone
    # A person under their own name is their own approval; an agent never inherits that.
    approves_itself: bool = False
    # What this caller alone may use: the agents that it may ask.
    own_tools: tuple[Tool, ...] = ()
    # Patterns of the tools that whoever asked it leaves it for now; None: all of its scope.
    only_tools: tuple[str, ...] | None = None
    # The director in whose run an agent works, and the agents whose local memories it may read.
    director_id: str | None = None
    memory_access: tuple[str, ...] = ()

    @property
    def realm(self) -> str:
        """Within which virtual ids hold: one for the workspace's own, one for each client."""
        return f"client:{self.id}" if self.kind == "client" else f"workspace:{self.workspace_id}"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """How far the run has come in which a call is made."""

    steps: int = 0
    tokens: int = 0
    money: float = 0.0  # in dollars


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, as it is asked for."""

    caller: Caller
    tool: str
    arguments: Arguments
    # What the caller has read so far is kept under this id: a run's, or the client's own.
    context_id: str | None = None
    # Two calls of a caller with the same key are one; without a key each is its own.
    idempotency_key: str | None = None
    # The approval that lets it through, when a person has given one.
    approval_id: str | None = None
    # The action that this call takes back.
    undoes: str | None = None
    # A person only holds back what would go out: that is done while everything is stopped, too.
    holds_back: bool = False
    # Of a call within a run; there, one process at a time makes the calls.
    run: RunFacts | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """It was done."""

    data: Any
    label: Label = "owner"
    # Pictures and documents that it read, for a model; they are the same person's words as `data`.
    files: tuple[AttachedFile, ...] = ()
    redacted: tuple[str, ...] = ()
    action_id: str | None = None
    undoable: bool = False
    rule_id: str | None = None
    rule_name: str | None = None


@dataclass(frozen=True, slots=True)
class Denied:
    """It was not done, and why."""

    code: RefusalCode
    reason: str
    rule_id: str | None = None
    fields: dict[str, list[str]] | None = None
    retry_after: int | None = None  # seconds


@dataclass(frozen=True, slots=True)
class Pending:
    """It waits for a person."""

    approval_id: str
    reason: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Delegate:
    """An agent is asked to do it; the loop starts that run."""

    agent_id: str
    arguments: Arguments


Outcome = Result | Denied | Pending | Delegate
