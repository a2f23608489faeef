"""One answer of a model as it streams; whatever goes wrong leaves here as `Failed`.

Imported only when a model is used: pydantic-ai is large.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from bailiwick.llm import messages, tokens
from bailiwick.llm.chat import Finish, ModelRequest, ModelToolCall
from bailiwick.llm.errors import AttemptFailed
from bailiwick.llm.failures import failure
from bailiwick.llm.outgoing import RedactedRequest

# No answer is so long: a server that never ends must not fill the memory.
LONGEST = 4_000_000


@dataclass(frozen=True, slots=True)
class StreamPiece:
    """A piece of text, or of the tool call at this place."""

    text: str
    call: int | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """The answer when it has ended."""

    content: str
    calls: Sequence[ModelToolCall]
    finish: Finish
    input_tokens: int
    output_tokens: int


async def answer(
    model: Model,
    ask: RedactedRequest,
    *,
    provider: str,
    files: Mapping[str, bytes],
    silence: float,
    max_tokens: int | None,
) -> AsyncGenerator[StreamPiece | WholeAnswer]:
    """The pieces of an answer, and at last the whole; `silence` is how long it may say nothing."""
    settings = ModelSettings() if max_tokens is None else ModelSettings(max_tokens=max_tokens)
    try:
        async with AsyncExitStack() as stack:
            opening = model_request_stream(
                model,
                messages.to_messages(ask.messages, files),
                model_settings=settings,
                model_request_parameters=_parameters(model, ask, provider),
            )
            async with asyncio.timeout(silence):
                response = await stack.enter_async_context(opening)
            reader, events = _StreamReader(), aiter(response)
            while True:
                async with asyncio.timeout(silence):
                    event = await anext(events, None)
                if event is None:
                    break
                if piece := reader.read(event):
                    yield piece
            yield _whole(response.get(), ask)
    except AttemptFailed:
        raise
    except TimeoutError as error:
        raise AttemptFailed(f"it said nothing for {silence:g} seconds", again=True) from error
    except Exception as error:
        raise failure(error) from error


@dataclass(slots=True)
class _StreamReader:
    """Makes pieces of events; thoughts are not part of an answer."""

    calls: dict[int, int] = field(default_factory=dict[int, int])  # places by part
    length: int = 0

    def read(self, event: ModelResponseStreamEvent) -> StreamPiece | None:
        match event:
            case PartStartEvent(part=TextPart(content=text)):
                piece = StreamPiece(text) if text else None
            case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
                piece = StreamPiece(text) if text else None
            case PartStartEvent(part=ToolCallPart() as part):
                place = self.calls.setdefault(event.index, len(self.calls))
                piece = StreamPiece(_text(part.args), place, part.tool_name)
            case PartDeltaEvent(delta=ToolCallPartDelta() as delta):
                place = self.calls.get(event.index)
                piece = None if place is None else StreamPiece(_text(delta.args_delta), place)
            case _:
                piece = None
        self.length += len(piece.text) if piece else 0
        if self.length > LONGEST:
            raise AttemptFailed(f"its answer was longer than {LONGEST} characters", again=False)
        return piece


def _parameters(model: Model, ask: ModelRequest, provider: str) -> ModelRequestParameters:
    if ask.output is None:
        return messages.parameters(ask.tools)
    return messages.form(ask.output, messages.form_mode(model, provider))


def _text(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    # Some providers give whole calls at once.
    return ToolCallPart(tool_name="", args=arguments).args_as_json_str() if arguments else ""  # pyright: ignore[reportArgumentType]


def _whole(response: ModelResponse, ask: ModelRequest) -> WholeAnswer:
    content, calls = messages.content_of(response), messages.calls_of(response)
    if ask.output and calls:
        # The form was a tool: what it was called with is the answer.
        content, calls = calls[0].arguments, []
    if not content and not calls:
        raise _nothing(response)
    finish: Finish = "tool_calls" if calls else "stop"
    if response.finish_reason == "length":
        finish = "length"
    asked, said = response.usage.input_tokens, response.usage.output_tokens
    if not asked and not said:
        # Some servers do not say; a budget must count it all the same.
        written = content + "".join(call.name + call.arguments for call in calls)
        asked, said = tokens.count(ask.messages, ask.tools), tokens.of_text(written)
    return WholeAnswer(content, calls, finish, asked, said)


def _nothing(response: ModelResponse) -> AttemptFailed:
    match response.finish_reason:
        case "content_filter":
            return AttemptFailed("it refused to answer this (a content filter)", again=False)
        case "length":
            advice = "Allow it a longer answer in Settings → Models."
            return AttemptFailed("its answer ended before it began", again=False, advice=advice)
        case _:
            return AttemptFailed("its answer was empty", again=True)
