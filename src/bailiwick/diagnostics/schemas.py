"""Wire forms of diagnostics; a line has the fields that the mail office's document names."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.runs.states import RunStatus
from bailiwick.tools.trust import Label

TracePhase = Literal["director", "agent", "tool", "result"]
NodeKind = Literal["cycle", "director", "agent", "line"]
_NODE = r"^[A-Za-z0-9][A-Za-z0-9.-]{1,79}$"
NodeId = Annotated[str, Path(pattern=_NODE)]
_OneNode = Annotated[str, StringConstraints(pattern=_NODE)]
_AnyId = Annotated[str, StringConstraints(max_length=32, pattern=r"^[!-~]+$")]


class UnifiedParams(Wire):
    """Which work is asked for."""

    model_config = ConfigDict(extra="ignore")

    view: Literal["tree", "flat"] = Field(
        default="tree", description="Cycles with what is in them, or line by line"
    )
    parent_id: _OneNode | None = Field(
        default=None, description="The directors' runs of one fetch cycle, page by page"
    )
    director_id: _AnyId | None = None
    cycle_id: _OneNode | None = Field(default=None, description="Of one fetch cycle")
    state: Annotated[list[RunStatus], Field(max_length=7)] = Field(default=[])
    since: datetime | None = None
    until: datetime | None = None


class TraceDetailOut(Wire):
    """What a step was: a tool call, a call of a model, or a beginning or an end."""

    action: str = Field(
        description="director_start, director_complete, director_output, agent_start, "
        "agent_output, agent_complete, tool_call, model_request, model_response, model_error, "
        "workspace_result"
    )
    tool: str | None = None
    request: Any = Field(default=None, description="What was asked: arguments, words or a payload")
    session_id: str | None = Field(
        default=None, description="Of an agent that was asked: its agentThreadId"
    )
    status: str | None = None
    verdict: Literal["allowed", "asked", "blocked", "none"] | None = None
    code: str | None = None
    rule: str | None = None
    provider: str | None = None
    model: str | None = None
    attempt: int | None = None
    latency_ms: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    money: float | None = Field(default=None, description="In dollars")


class TraceLineOut(Wire):
    """One line of a director's work."""

    id: str
    timestamp: datetime
    director: str
    director_name: str
    agent: str = Field(description="Empty: the director itself")
    agent_name: str
    email_summary: str
    phase: TracePhase
    fetch_cycle_id: str
    dir_thread_id: str
    agent_thread_id: str = Field(description="Empty: the director itself")
    detail: TraceDetailOut
    result: Any
    error: str | None
    content_hidden: bool = Field(
        description="It is someone else's: what was asked and answered is not shown"
    )
    is_cut: bool = Field(description="Only the beginning is here; the line alone has all of it")


class TraceNodeOut(Wire):
    """A fetch cycle, a director's run, an agent's session, or one line."""

    id: str
    kind: NodeKind
    at: datetime
    ended_at: datetime | None
    state: RunStatus | None = Field(default=None, description="Of a run")
    states: dict[str, int] = Field(default={}, description="Of the directors' runs of a cycle")
    director: str = ""
    director_name: str = ""
    agent: str = ""
    agent_name: str = ""
    email_summary: str = ""
    fetch_cycle_id: str
    dir_thread_id: str = ""
    agent_thread_id: str = ""
    case_id: str | None = None
    model: str | None = None
    directors: int = 0
    agents: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    failed_calls: int = Field(default=0, description="Refused or failed tool calls")
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = Field(default=0, description="In dollars")
    latency_ms: int = Field(default=0, description="How long models took")
    content_hidden: bool = False
    children: "list[TraceNodeOut]" = Field(default=[])
    has_more_children: bool = Field(
        default=False, description="Ask with its id as parentId for all of them"
    )
    line: TraceLineOut | None = None


class OriginAttachmentOut(Wire):
    """Something that was attached."""

    name: str
    type: str
    size: int


class OriginMailOut(Wire):
    """The mail that the work began with: headers, how it begins, and what is attached."""

    id: str
    subject: str
    sender: str
    to: list[str]
    cc: list[str]
    received_at: datetime
    sent_at: datetime | None
    message_id: str
    label: Label
    snippet: str
    attachments: list[OriginAttachmentOut]
    is_gone: bool = Field(description="The mail was removed; this is what its case kept")


class NodeDetailOut(Wire):
    """All that is known of a node."""

    node: TraceNodeOut
    lines: list[TraceLineOut] = Field(description="In the order of time; agents' among them")
    lines_left_out: int = Field(description="How many more there are; the flat view pages them")
    email: OriginMailOut | None
    content_hidden: bool
    email_hidden: bool = Field(description="The mail is in an account that is not open to you")


class DiagnosticsDeletionIn(Wire):
    """What to delete: these nodes, all, or what was last touched before a moment."""

    ids: Annotated[list[_OneNode], Field(min_length=1, max_length=500)] | None = None
    all: StrictFlag = False
    before: datetime | None = None


class DiagnosticsDeletionOut(Wire):
    """How much was deleted."""

    runs: int
    lines: int


class OfficeCountsOut(Wire):
    """How much there is, whoever's it is."""

    users: int
    workspaces: int
    accounts: int
    agents: int
    mails: int
    routed: int
    cases: int
    items: int
    runs: int
    runs_under_way: int
    tool_calls: int
    provider_events: int


class RuntimeOut(Wire):
    """How the installation stands."""

    encryption: Literal["on", "off", "operator"] = Field(
        description="Of the database at rest; on PostgreSQL it is the operator's"
    )
    encryption_detail: str
    database: Literal["sqlite", "postgresql"]
    data_folder: str
    vault_key: str
    started_at: datetime
    uptime_seconds: int
    platform: str
    versions: dict[str, str]
    diagnostics_days: int = Field(description="How long what went to models is kept")
    counts: OfficeCountsOut
