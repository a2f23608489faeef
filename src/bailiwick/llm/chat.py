"""What is asked of a model and what it answers, in OpenAI's message form."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

ChatRole = Literal["system", "user", "assistant", "tool"]
# refusal: it said that it will not, or its provider did not let it.
Finish = Literal["stop", "tool_calls", "length", "refusal"]
# {"role", "content", "tool_calls"?, "tool_call_id"?} as OpenAI's chat API has it, and of our own
# "parts"? of an answer, which its provider wants back, and "failed"? of a result; and files among
# the parts of a content, which `sight` describes.
ChatMessage = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool that the model may call."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """The form in which an answer is wanted: a JSON object that fits a schema."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to a model."""

    messages: Sequence[ChatMessage]
    tools: Sequence[OfferedTool] = ()
    max_tokens: int | None = None
    # With a form, the content of the answer is JSON, and there are no calls.
    output: AnswerForm | None = None
    # Requests of one conversation begin alike: a provider may keep what it has read of it.
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class ModelToolCall:
    """A tool call that the model wants; its arguments are text, and need not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call, and their price in millionths of a dollar; None if it is not known.

    The figures mean the same with every provider: `input_tokens` are all that the model read, from
    a cache or not, and `output_tokens` all that it wrote, thoughts too. The others are parts of
    these.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    money: int | None = None
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    reasoning_tokens: int = 0
    saved: int = 0  # by caching; below zero where writing cost more than reading saved
    estimated: bool = False  # reckoned here, at least in part: the server did not tell

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        known = self.money is not None and other.money is not None
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            (self.money or 0) + (other.money or 0) if known else None,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.saved + other.saved,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The whole answer of a model."""

    content: str
    calls: Sequence[ModelToolCall]
    finish: Finish
    spent: TokenUsage
    model_id: str  # the configuration that answered: the fallback's, if it came to that
    model: str  # as the provider names it
    parts: Mapping[str, Any] | None = None  # what its provider wants back with the next request
    cut: str | None = None  # the tool whose call the limit cut off, if it did


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer while it streams; a new attempt starts the text again."""

    attempt: int
    text: str
    # None: text of the answer. Else the place of the tool call whose name or arguments it is.
    call: int | None = None
    name: str | None = None  # the tool's name, in the first piece of a call
    thought: bool = False  # of its reasoning, which is no part of the answer
    taken_back: bool = False  # this thought was told as text before: the text starts again


@dataclass(frozen=True, slots=True)
class ModelAttempt:
    """What went over the wire, for the diagnostics; it holds no key."""

    kind: Literal["request", "response", "error"]
    number: int
    model_id: str
    provider: str
    model: str
    payload: Mapping[str, Any] = field(default_factory=dict[str, Any])
    latency_ms: int | None = None
    spent: TokenUsage | None = None
    status: int | None = None  # of HTTP


OnDelta = Callable[[Delta], Awaitable[None]]
OnAttempt = Callable[[ModelAttempt], Awaitable[None]]
