"""One answer of a model as it streams; whatever goes wrong leaves here as `Failed`.

Imported only when a model is used: pydantic-ai is large.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Awaitable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings

from bailiwick.llm import answers, messages, parts, thinking
from bailiwick.llm.chat import Finish, ModelRequest, ModelToolCall, TokenUsage
from bailiwick.llm.config import Config
from bailiwick.llm.errors import AttemptFailed
from bailiwick.llm.failures import failure
from bailiwick.llm.outgoing import RedactedRequest
from bailiwick.llm.parts import ProviderParts
from bailiwick.llm.tally import StreamTally
from bailiwick.llm.thinking import ThoughtPiece, ThoughtSplitter

# No answer is so long: a server that never ends must not fill the memory.
LONGEST = 4_000_000
# Whose servers may leave thoughts in the text.
_AGAIN = "Say it in another way, or choose another model."
_TAGGED = frozenset(("compatible", "ollama", "azure", "mistral"))


@dataclass(frozen=True, slots=True)
class StreamPiece:
    """A piece of text, of a thought, or of the tool call at this place."""

    text: str
    call: int | None = None
    name: str | None = None
    thought: bool = False
    taken_back: bool = False  # this thought was passed on as the text


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """The answer when it has ended."""

    content: str
    calls: Sequence[ModelToolCall]
    finish: Finish
    used: TokenUsage
    parts: ProviderParts | None = None
    cut: str | None = None  # the tool whose call was cut off at the limit


async def answer(
    model: Model,
    ask: RedactedRequest,
    config: Config,
    *,
    settings: ModelSettings,
    files: Mapping[str, bytes],
    tally: StreamTally,
    in_words: bool = False,
) -> AsyncGenerator[StreamPiece | WholeAnswer]:
    """The pieces of an answer, and at last the whole; a form may be asked for in words alone."""
    silence = config.timeout_seconds
    try:
        async with AsyncExitStack() as stack:
            opening = model_request_stream(
                model,
                messages.to_messages(ask.messages, config, files),
                model_settings=settings,
                model_request_parameters=_parameters(model, ask, config, in_words=in_words),
            )
            async with asyncio.timeout(silence):
                response = await _opened(stack.enter_async_context(opening), tally)
            reader = _StreamReader(tally, tagged=config.provider in _TAGGED)
            events = aiter(response)
            while True:
                async with asyncio.timeout(silence):
                    event = await anext(events, None)
                for piece in reader.read(event) if event else reader.end():
                    yield piece
                if event is None:
                    break
            tally.ended = True
            yield _whole(response.get(), reader, ask, config)
    except AttemptFailed:
        raise
    except TimeoutError as error:
        raise AttemptFailed(f"it said nothing for {silence:g} seconds", again=True) from error
    except Exception as error:
        raise failure(error) from error


async def _opened(opening: Awaitable[StreamedResponse], tally: StreamTally) -> StreamedResponse:
    """The answer's beginning; whoever is stopped while it is awaited has asked all the same."""
    tally.begun = True
    try:
        response = await opening
    except Exception:
        tally.begun = False  # refused, or never there
        raise
    tally.open(response)
    return response


@dataclass(slots=True)
class _StreamReader:
    """Makes pieces of events, and keeps what the library would lose."""

    tally: StreamTally
    tagged: bool
    calls: dict[int, int] = field(default_factory=dict[int, int])  # places by part
    count: int = 0  # of calls
    length: int = 0
    # The latest call at each part, and those whose place another one took.
    latest: dict[int, ToolCallPart] = field(default_factory=dict[int, ToolCallPart])
    replaced: dict[int, list[ToolCallPart]] = field(default_factory=dict[int, list[ToolCallPart]])
    thought_since: float | None = None
    thought_ms: int | None = None
    splitter: ThoughtSplitter = field(default_factory=ThoughtSplitter)

    def read(self, event: ModelResponseStreamEvent) -> list[StreamPiece]:
        found = [piece for piece in self._pieces(event) if piece.text or piece.name]
        self.tally.add("".join((piece.name or "") + piece.text for piece in found))
        self.length += sum(len(piece.text) for piece in found)
        if self.length > LONGEST:
            raise AttemptFailed(f"its answer was longer than {LONGEST} characters", again=False)
        for piece in found:
            self._clock(piece)
        return found

    def end(self) -> list[StreamPiece]:
        """What was held back until it was clear what it is."""
        return self._split(self.splitter.end())

    def parts(self, response: ModelResponse) -> list[ModelResponsePart]:
        """All parts of the answer, with calls that the library took for one, and thoughts apart."""
        made: list[ModelResponsePart] = []
        for place, part in enumerate(response.parts):
            made += self.replaced.get(place, [])
            made += _untagged(part) if self.tagged and isinstance(part, TextPart) else [part]
        return made

    def _pieces(self, event: ModelResponseStreamEvent) -> list[StreamPiece]:
        match event:
            case PartStartEvent(part=TextPart(content=text)):
                return self._said(text)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                return self._said(text)
            case PartStartEvent(part=ThinkingPart(content=text)):
                return [StreamPiece(text, thought=True)]
            case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)):
                return [StreamPiece(text or "", thought=True)]
            case PartStartEvent(part=ToolCallPart() as part):
                place = self._begun(event.index, part)
                return [StreamPiece(_text(part.args), place, part.tool_name)]
            case PartDeltaEvent(delta=ToolCallPartDelta() as delta):
                place = self.calls.get(event.index)
                return [] if place is None else [StreamPiece(_text(delta.args_delta), place)]
            case _:
                return []

    def _said(self, text: str) -> list[StreamPiece]:
        return self._split(self.splitter.feed(text)) if self.tagged else [StreamPiece(text)]

    def _split(self, pieces: Iterable[ThoughtPiece]) -> list[StreamPiece]:
        return [
            StreamPiece(
                piece.text,
                thought=piece.kind != "text",
                taken_back=piece.kind == "taken_back",
            )
            for piece in pieces
        ]

    def _begun(self, index: int, part: ToolCallPart) -> int:
        """The place of a call that begins here, where another one may have been."""
        before = self.latest.get(index)
        if before is not None and before.tool_call_id != part.tool_call_id:
            self.replaced.setdefault(index, []).append(before)
        if before is None or before.tool_call_id != part.tool_call_id:
            self.calls[index] = self.count
            self.count += 1
        self.latest[index] = part
        return self.calls[index]

    def _clock(self, piece: StreamPiece) -> None:
        """How long it thought: until it says or does something."""
        if piece.thought:
            self.thought_since = self.thought_since or time.monotonic()
        elif self.thought_since is not None:
            self.thought_ms = round((time.monotonic() - self.thought_since) * 1000) + (
                self.thought_ms or 0
            )
            self.thought_since = None


def _untagged(part: TextPart) -> list[ModelResponsePart]:
    return [
        replace(part, content=piece.text)
        if piece.kind == "text"
        else ThinkingPart(piece.text, id=answers.TAGGED)
        for piece in thinking.split(part.content)
    ]


def _parameters(
    model: Model, ask: ModelRequest, config: Config, *, in_words: bool
) -> ModelRequestParameters:
    if ask.output is None:
        return messages.parameters(ask.tools)
    mode = "prompted" if in_words else messages.form_mode(model, config.provider)
    return messages.form(ask.output, mode)


def _text(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    # Some providers give whole calls at once.
    return ToolCallPart(tool_name="", args=arguments).args_as_json_str() if arguments else ""  # pyright: ignore[reportArgumentType]


def _whole(
    response: ModelResponse, reader: _StreamReader, ask: ModelRequest, config: Config
) -> WholeAnswer:
    if response.state == "incomplete" or response.finish_reason == "error":
        raise AttemptFailed("its answer was cut off", again=True)
    found = reader.parts(response)
    content, calls = answers.content_of(found), answers.calls_of(found)
    if ask.output and calls:
        # The form was a tool: what it was called with is the answer.
        content, calls = calls[0].arguments, []
    finish: Finish = "tool_calls" if calls else "stop"
    cut = None
    if response.finish_reason == "length":
        finish, calls, cut = "length", *_uncut(calls)
    if response.finish_reason == "content_filter":
        # What it says of its refusal is its answer; what it began to do is not done.
        refusal = (response.provider_details or {}).get("refusal") or ""
        finish, calls, content = "refusal", [], "\n\n".join(filter(None, (content, refusal)))
    kept = parts.made(config, answers.parts_of(found), ms=reader.thought_ms)
    if not content.strip() and not calls and not cut:
        raise _nothing(response, thought=parts.thought(kept))
    if finish in ("length", "refusal") and calls != answers.calls_of(found):
        kept = None
    return WholeAnswer(content, calls, finish, reader.tally.usage, kept, cut)


def _uncut(calls: list[ModelToolCall]) -> tuple[list[ModelToolCall], str | None]:
    """The calls without the last one, if the limit cut it off, and whose call that was."""
    try:
        json.loads(calls[-1].arguments or "{}" if calls else "{}")
    except ValueError:
        return calls[:-1], calls[-1].name
    return calls, None


def _nothing(response: ModelResponse, *, thought: str) -> AttemptFailed:
    match response.finish_reason:
        case "content_filter":
            said = "it refused to answer this, and did not say why (a content filter)"
            return AttemptFailed(said, again=False)
        case "length":
            said = "its answer ended before it began" + (
                ": all the room went into its reasoning" if thought else ""
            )
            advice = "Allow it a longer answer in Settings → Models."
            return AttemptFailed(said, again=False, advice=advice)
        case _ if thought:
            said = "it thought, and then ended without an answer"
        case _:
            said = "its answer was empty: not a word, and no call of a tool"
    return AttemptFailed(said, again=True, advice=_AGAIN)
