"""Wire forms of runs: sessions as people see them, and runs with all their steps."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.agents.schemas import (
    OfAgent,
    PromptBlock,
)
from bailiwick.gate.approvals.schemas import ApprovalOut, BindingText
from bailiwick.gate.trust.typed import PastedRange
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Line, StrictFlag, Wire
from bailiwick.llm.chat import ChatRole
from bailiwick.runs.sessions import SessionStatus
from bailiwick.runs.states import CallStatus, EndReason, RunKind, RunStatus
from bailiwick.workspaces.schemas import OfWorkspace

RunId = Annotated[str, Path(pattern=ids.pattern("run"))]
OfRun = Annotated[str, StringConstraints(pattern=ids.pattern("run"))]
RunWords = Annotated[str, StringConstraints(min_length=1, max_length=100_000)]
_Value = Annotated[str, StringConstraints(max_length=50_000, pattern=r"^[^\x00]*$")]
_Variable = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_.]{0,63}$")]
_ModelId = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")]


class RunQuery(Wire):
    """Which runs are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: OfWorkspace | None = None
    agent_id: OfAgent | None = None
    status: Annotated[list[RunStatus], Field(max_length=10)] = Field(default=[])
    live: bool = Field(default=False, description="Only those that are not over")
    kind: RunKind | None = None
    task_id: _ModelId | None = None
    schedule_id: _ModelId | None = None
    parent_id: OfRun | None = None


class PastedIn(Wire):
    """A part of a message that was pasted, in characters (code points) of its content."""

    start: Annotated[int, Field(ge=0, le=100_000)]
    end: Annotated[int, Field(ge=0, le=100_000)]


PastedParts = Annotated[
    list[PastedIn] | None,
    Field(
        max_length=200,
        description="What of the content was pasted: it is material, and orders nothing. Left out: "
        "nobody knows, and only the first line orders; empty: all of it was typed",
    ),
]


_Files = Annotated[
    list[Annotated[str, StringConstraints(pattern=ids.pattern("upl"))]],
    Field(max_length=10, description="Files that were sent before, each in one message"),
]


def pasted_ranges(pasted: list[PastedIn] | None) -> list[PastedRange] | None:
    """The parts as the gate knows them."""
    return None if pasted is None else [(each.start, each.end) for each in pasted]


class AgentSessionIn(Wire):
    """A session to start; with words, it begins at once."""

    content: RunWords | None = Field(default=None, description="What the agent shall do")
    pasted: PastedParts = None
    files: _Files = Field(default=[])
    variables: Annotated[dict[_Variable, _Value], Field(max_length=50)] = Field(
        default={}, description="Values for the variables of its prompt"
    )


class SessionMessageIn(Wire):
    """Something to say to the agent."""

    content: RunWords
    pasted: PastedParts = None
    files: _Files = Field(default=[])


class ConfirmIn(Wire):
    """A person's answer to something that waits."""

    action_id: Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]+$")] = Field(
        description="The id of a pending action"
    )
    confirmed: StrictFlag
    note: Line | None = Field(default=None, description="What the agent is told with a no")
    arguments: dict[str, Any] | None = Field(
        default=None, description="All arguments as they shall be; left out, as they were asked"
    )
    binding: BindingText | None = Field(
        default=None,
        description="Of the card that was looked at: if it has changed, the answer is void",
    )


class PendingActionOut(Wire):
    """Something that the agent wants to do, and a person decides."""

    id: str
    type: str = Field(description="The tool")
    path: str | None = Field(description="The file that it is about, if it is about one")
    requires_confirmation: Literal[True] = True
    call_id: str
    approval: ApprovalOut


class SentMessageOut(Wire):
    """What the model got in place of a message; null: as it stands in the transcript."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None


class ThoughtOut(Wire):
    """What a model thought before it answered; some providers show nothing of it."""

    text: str
    milliseconds: int | None


class SessionFileOut(Wire):
    """A file of a session."""

    name: str
    media_type: str = Field(description="By its content, whatever its name says")
    size: int
    width: int | None
    height: int | None
    pages: int | None
    saw: Literal["image", "document", "text", "redacted", "nothing"] | None = Field(
        default=None,
        description="What it was to the model: itself, its text, or only its name; null: not asked",
    )


class SessionUploadOut(SessionFileOut):
    """A file to be named in a message."""

    id: str


class RunMessageOut(Wire):
    """One message of the transcript."""

    position: int
    role: ChatRole
    content: str
    tool_calls: list[dict[str, Any]] | None
    tool_call_id: str | None
    step: int
    kind: Literal["message", "prompt", "note", "summary"]
    folded_into: int | None = Field(description="The message that stands for this one by now")
    message_id: str | None = Field(description="Of the thread, where someone said it there")
    files: list[SessionFileOut] = Field(description="What goes with it, in the order of `/files`")
    is_cut: bool = Field(description="Only a part is shown; `/content` has the whole")
    sent: SentMessageOut | None = Field(
        description="What the model got, where redaction took something out of it"
    )
    thought: ThoughtOut | None = Field(description="Its reasoning, which is no part of the answer")
    created_at: datetime


class RunCallOut(Wire):
    """A tool call, and what became of it."""

    id: str
    step: int
    tool: str
    title: str
    effect: str | None
    arguments: str = Field(description="As the model gave them; need not be JSON")
    status: CallStatus
    verdict: Literal["allowed", "asked", "blocked", "none"]
    code: str | None
    reason: str | None
    rule_id: str | None
    rule_name: str | None
    label: str | None = Field(description="Whose words it brought in")
    approval_id: str | None
    action_id: str | None
    child_id: str | None
    started_at: datetime | None
    finished_at: datetime | None
    latency_ms: int | None


class RunOut(Wire):
    """A run in a list."""

    id: str
    workspace_id: str
    agent_id: str
    agent_name: str
    user_id: str | None = Field(description="Who started it; null: the command line")
    user_name: str
    kind: RunKind
    title: str
    status: RunStatus
    why: EndReason | None = Field(description="Why it ended")
    error_message: str | None
    model_id: str | None
    parent_id: str | None
    thread_id: str | None = Field(description="The conversation that it is a branch of")
    task_id: str | None
    schedule_id: str | None
    forked_from: str | None
    fork_step: int | None
    steps: int
    step_limit: int
    api_calls_made: int
    tokens_used: int
    input_tokens: int
    output_tokens: int
    money: float = Field(description="In dollars; what is free or has no known price is 0")
    cache_read_tokens: int = Field(description="Of the input, what came from the provider's cache")
    cache_write_tokens: int = Field(description="Of the input, what went into it")
    saved: float = Field(
        description="In dollars, by caching; below 0 where writing cost more than reading saved"
    )
    files_modified: list[str]
    created_at: datetime
    started_at: datetime | None
    updated_at: datetime
    completed_at: datetime | None
    session_status: SessionStatus = Field(
        description="How it stands as a session: an agent that another one asks can be asked "
        "again while it is ongoing"
    )
    last_active_at: datetime
    expires_at: datetime | None = Field(
        description="When an agent's session ends unless it is asked again"
    )
    ended_at: datetime | None
    finalized: bool = Field(description="A director came to its end; never true of its agents")


class AgentSessionOut(RunOut):
    """A session as a person follows it."""

    session_id: str
    messages: list[RunMessageOut]
    calls: list[RunCallOut]
    pending_actions: list[PendingActionOut]
    children: list[RunOut]
    strangers: list[str] = Field(description="What it has read that is nobody's words here")
    can_speak: bool = Field(description="Whether the reader may say something here")


class LogOut(Wire):
    """One action of the agent."""

    action_type: str
    target_path: str | None
    input_summary: str
    output_summary: str
    was_allowed: bool
    execution_time_ms: int | None
    reason: str | None
    created_at: datetime | None


class ProviderEventOut(Wire):
    """What went to a model, or came from it."""

    id: str
    step: int
    attempt: int
    kind: Literal["request", "response", "error"]
    model_id: str
    provider: str
    model: str
    payload: dict[str, Any]
    status: int | None
    latency_ms: int | None
    input_tokens: int
    output_tokens: int
    money: float | None
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int = Field(description="Of the output, as far as the provider tells")
    saved: float = Field(description="In dollars, by caching")
    estimated: bool = Field(description="The provider did not tell all of it: reckoned here")
    at: datetime


class RetryIn(Wire):
    """From which step to try again."""

    step: Annotated[int, Field(ge=1, le=100_000)]


class ReplayIn(Wire):
    """Against what to replay; what is left out stays as it was."""

    model_id: _ModelId | None = None
    prompt: Annotated[list[PromptBlock], Field(max_length=50)] | None = None


class ComparedOut(Wire):
    """Two runs side by side: one line has what corresponds."""

    left: RunOut
    right: RunOut
    rows: list["ComparedRow"]


class ComparedRow(Wire):
    """What one run did here, and what the other."""

    left: RunMessageOut | None
    right: RunMessageOut | None
    same: bool


class EstimateIn(Wire):
    """What would be asked."""

    content: RunWords
    files: _Files = Field(default=[])


class EstimateOut(Wire):
    """What a run would cost, roughly."""

    model: str
    input_tokens: int
    output_tokens: int
    money: float | None = Field(description="In dollars; null: the price is not known")
    most: float | None = Field(description="In dollars, if every step that is allowed were taken")
    basis: Literal["history", "guess"] = Field(description="Earlier runs of the agent, or a guess")
    runs: int = Field(description="How many earlier runs it rests on")


class SpendRow(Wire):
    """What was used on a day, by an agent, with a model."""

    day: str
    agent_id: str
    agent_name: str
    model_id: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    money: float
    cache_read_tokens: int = Field(description="Of the input, what came from the provider's cache")
    cache_write_tokens: int = Field(description="Of the input, what went into it")
    saved: float = Field(description="In dollars, by caching; below 0 where it cost more")
    estimated_calls: int = Field(description="Calls whose tokens the provider did not tell")


class SpendOut(Page[SpendRow]):
    """Tokens and money by day; the sums are those of all pages."""

    money: float
    tokens: int
    saved: float = Field(description="In dollars, by caching; below 0 where it cost more")
    cache_read_tokens: int
    unpriced_calls: int = Field(description="Calls whose price is not known")
    estimated_calls: int = Field(
        description="Calls whose tokens the provider did not tell: stopped ones, and some servers'"
    )
