"""OpenAI's chat API as its many servers speak it, where pydantic-ai reads OpenAI's own alone.

- Two calls that come with one index stay two.
- `reasoning_details`, as OpenRouter has them, are kept and go back as they came.
- A server that refuses to tell in a stream what it used is not asked to.
- Thoughts that stand in the text are left there: `thinking` tells them from words, however the
  server cuts them up.

Imported only when a model is used: pydantic-ai is large.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from openai import omit
from openai.types import chat
from openai.types.chat import chat_completion_chunk
from pydantic_ai.messages import ModelResponseStreamEvent, PartStartEvent, ThinkingPart
from pydantic_ai.models.openai import (
    OpenAIChatModel,
    OpenAIChatModelSettings,
    OpenAIStreamedResponse,
)

# What a detail of OpenRouter's is kept under, and the fields in which such details hold what.
DETAIL = "reasoning_detail"
_TEXTS = ("text", "summary")
_SEALS = ("signature", "data")
# Tags that nothing says: otherwise only tags that are a piece by themselves would be seen.
NO_TAGS = ("\x00think\x00", "\x00/think\x00")


@dataclass
class ChatStream(OpenAIStreamedResponse):
    """An answer while it streams."""

    _places: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    _ids: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    _arguments: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])

    def _map_thinking_delta(
        self, choice: chat_completion_chunk.Choice
    ) -> Iterable[ModelResponseStreamEvent]:
        details: Any = getattr(choice.delta, "reasoning_details", None)
        found = [each for each in details if isinstance(each, dict)] if details else []
        if not found:
            yield from super()._map_thinking_delta(choice)
        for place, detail in enumerate(cast("list[dict[str, Any]]", found)):
            kept = {name: detail[name] for name in ("type", "format", "index") if name in detail}
            for event in self._parts_manager.handle_thinking_delta(
                vendor_part_id=(DETAIL, detail.get("type"), detail.get("index", place)),
                id=detail.get("id"),
                content=_first(detail, _TEXTS) or "",
                signature=_first(detail, _SEALS),
                provider_name=self.provider_name,
                provider_details={DETAIL: kept},
            ):
                if isinstance(event, PartStartEvent):
                    self._advance_part_boundary("reasoning")
                yield event

    def _map_tool_call_delta(
        self, choice: chat_completion_chunk.Choice
    ) -> Iterable[ModelResponseStreamEvent]:
        for each in choice.delta.tool_calls or ():
            each.index = self._own_index(each)
        yield from super()._map_tool_call_delta(choice)

    def _own_index(self, delta: chat_completion_chunk.ChoiceDeltaToolCall) -> int:
        """An index for each call, also where a server gives one to all of them."""
        given: int = delta.index or 0
        place = self._places.get(given, (given, 0))
        if self._is_another(delta, place):
            place = (given, place[1] + 1)
        self._places[given] = place
        if delta.id:
            self._ids[place] = delta.id
        said = (delta.function.arguments or "") if delta.function else ""
        self._arguments[place] = self._arguments.get(place, "") + said
        # Far from those that the server gives.
        return given + place[1] * 1_000_000

    def _is_another(
        self, delta: chat_completion_chunk.ChoiceDeltaToolCall, place: tuple[int, int]
    ) -> bool:
        if place not in self._arguments:
            return False
        if delta.id:
            return delta.id != self._ids.get(place, delta.id)
        named = bool(delta.function and delta.function.name)
        return named and _is_json(self._arguments[place])


class ChatModel(OpenAIChatModel):
    """A model behind OpenAI's chat API."""

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return ChatStream

    def _get_stream_options(self, model_settings: OpenAIChatModelSettings) -> Any:
        told = cast("dict[str, Any]", model_settings).get("tells_usage", True)
        return super()._get_stream_options(model_settings) if told else omit

    @dataclass
    class _MapModelResponseContext(OpenAIChatModel._MapModelResponseContext):  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        details: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

        def _map_response_thinking_part(self, item: ThinkingPart) -> None:
            kept: dict[str, Any] | None = (item.provider_details or {}).get(DETAIL)
            if kept is None:
                super()._map_response_thinking_part(item)
            else:
                self.details.append(_detail(kept, item))

        def _into_message_param(self) -> chat.ChatCompletionAssistantMessageParam | None:
            message = super()._into_message_param()
            if message is not None and self.details:
                message["reasoning_details"] = self.details  # pyright: ignore[reportGeneralTypeIssues]
            return message


def _detail(kept: dict[str, Any], item: ThinkingPart) -> dict[str, Any]:
    kind = str(kept.get("type"))
    made = {**kept, **({"id": item.id} if item.id else {})}
    if kind.endswith("encrypted"):
        return {**made, "data": item.signature}
    made["summary" if kind.endswith("summary") else "text"] = item.content
    return {**made, "signature": item.signature} if item.signature else made


def _first(detail: dict[str, Any], names: Iterable[str]) -> str | None:
    return next((value for name in names if isinstance(value := detail.get(name), str)), None)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
