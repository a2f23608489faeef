"""The offline model as pydantic-ai has models, so that the one adapter speaks to it as to any.

Imported only when a model is used: pydantic-ai is large.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel
from pydantic_ai.settings import ModelSettings

from bailiwick.kit import clock
from bailiwick.llm import messages as llm_messages
from bailiwick.llm import tokens
from bailiwick.llm.chat import AnswerForm, ModelRequest, ModelToolCall, OfferedTool
from bailiwick.offline.answer import answer
from bailiwick.offline.forms import filled
from bailiwick.offline.names import GULLIBLE

_ARGUMENTS = 200  # characters of a call's arguments that stream together


def offline_model(name: str) -> "OfflineModel":
    """The model that is rules and not AI; the one of the other name believes all that it reads."""
    stream = partial(_stream, believes=name == GULLIBLE.model)
    return OfflineModel(stream_function=stream, model_name=name)


class OfflineModel(FunctionModel):
    """Also says about how many tokens it read, which budgets and windows count."""

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """Answer piece by piece."""
        opened = super().request_stream(
            messages, model_settings, model_request_parameters, run_context
        )
        async with opened as response:
            tools = _offered(model_request_parameters.function_tools)
            response.usage.input_tokens = tokens.count(llm_messages.from_messages(messages), tools)
            yield response


async def _stream(
    messages: list[ModelMessage], info: AgentInfo, *, believes: bool
) -> AsyncIterator[str | DeltaToolCalls]:
    if wanted := info.model_request_parameters.output_object:
        form = AnswerForm(wanted.name or "", wanted.json_schema)
        yield json.dumps(filled(form, _asked(messages)), ensure_ascii=False)
        return
    most = (info.model_settings or {}).get("max_tokens")
    ask = ModelRequest(_asked(messages), _offered(info.function_tools), most)
    place = 0
    async for piece in answer(ask, today=clock.now().date(), believes=believes):
        if isinstance(piece, str):
            yield piece
        else:
            for delta in _pieces(piece):
                yield {place: delta}
            place += 1


def _asked(messages: list[ModelMessage]) -> list[dict[str, Any]]:
    """The transcript without results whose calls are gone: they look like words of the user."""
    return [
        message
        for message in llm_messages.from_messages(messages)
        if message["role"] != "user" or not message["content"].startswith(llm_messages.ORPHAN)
    ]


def _offered(tools: list[Any]) -> list[OfferedTool]:
    return [OfferedTool(t.name, t.description or "", t.parameters_json_schema) for t in tools]


def _pieces(call: ModelToolCall) -> list[DeltaToolCall]:
    text = call.arguments
    cuts = range(0, len(text), _ARGUMENTS)
    return [
        DeltaToolCall(name=call.name, json_args="", tool_call_id=call.id),
        *(DeltaToolCall(json_args=text[cut : cut + _ARGUMENTS]) for cut in cuts),
    ]
