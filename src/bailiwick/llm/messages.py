"""OpenAI's messages to those of pydantic-ai, and back.

What a provider would refuse is put right on the way: a result whose call is gone becomes text, and
a call without a result gets one that says so. Arguments stay text, JSON or not. Beside OpenAI's, a
message may have `parts`, which go back to the model that they came from (`parts.py`), and a result
`failed`, which is told to those who have a word for it.

Imported only when a model is used: pydantic-ai is large.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from bailiwick.llm import answers, sight
from bailiwick.llm import parts as provider_parts
from bailiwick.llm.chat import AnswerForm, ChatMessage, OfferedTool
from bailiwick.llm.config import Config

FormMode = Literal["native", "tool", "prompted"]
# Many of their models know no tools.
_NO_TOOLS = frozenset(("ollama",))

ORPHAN = "Result of a tool call that is no longer in this conversation:\n"
NO_RESULT = "There is no result: the call was not carried out, or its result was lost."
# Those whose API says of a result that it is an error; the others read it in the text.
_TOLD_OF_FAILURE = frozenset(("anthropic", "bedrock", "google"))


def to_messages(
    messages: Sequence[ChatMessage],
    config: Config | None = None,
    files: Mapping[str, bytes] | None = None,
) -> list[ModelMessage]:
    """A conversation as pydantic-ai has it, for a model; `files` are those that are shown."""
    tells_failure = config is not None and config.provider in _TOLD_OF_FAILURE
    mapped: list[ModelMessage] = []
    parts: list[ModelRequestPart] = []
    orphans: list[ModelRequestPart] = []
    open_calls: dict[str, str] = {}  # ids of calls that wait for a result, and their tools
    for message in messages:
        role = message.get("role")
        if role == "tool":
            result = _result(message, open_calls, files or {}, tells_failure=tells_failure)
            # Nothing may come between calls and their results.
            (parts if isinstance(result, ToolReturnPart) else orphans).append(result)
            continue
        parts += _closed(open_calls, orphans)
        if role == "assistant":
            if parts:
                mapped.append(ModelRequest(parts=parts))
                parts = []
            calls = [_call(call) for call in message.get("tool_calls") or ()]
            open_calls = {call.tool_call_id: call.tool_name for call in calls}
            mapped.append(_answer(message, calls, config))
        else:
            system = role == "system"
            parts.append(
                SystemPromptPart(content=text_of(message))
                if system
                else UserPromptPart(content=_content(message, files or {}))
            )
    parts += _closed(open_calls, orphans)
    if parts:
        mapped.append(ModelRequest(parts=parts))
    return mapped


def from_messages(messages: Iterable[ModelMessage]) -> list[dict[str, Any]]:
    """A conversation of pydantic-ai as OpenAI has it."""
    mapped: list[dict[str, Any]] = []
    for message in messages:
        if isinstance(message, ModelRequest):
            mapped += [_from_part(part) for part in message.parts]
        else:
            said: dict[str, Any] = {
                "role": "assistant",
                "content": answers.content_of(message.parts),
            }
            if calls := answers.calls_of(message.parts):
                said["tool_calls"] = [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    }
                    for call in calls
                ]
            mapped.append(said)
    return mapped


def form_mode(model: Model, provider: str) -> FormMode:
    """How a form is asked for: by the provider's own schemas, by a tool, or in words."""
    if model.profile.get("supports_json_schema_output", False):
        return "native"
    has_tools = model.profile.get("supports_tools", True) and provider not in _NO_TOOLS
    return "tool" if has_tools else "prompted"


def form(wanted: AnswerForm, mode: FormMode) -> ModelRequestParameters:
    """What asks for an answer in a form."""
    schema = dict(wanted.schema)
    if mode == "tool":
        tool = ToolDefinition(
            name=wanted.name, parameters_json_schema=schema, kind="output", strict=False
        )
        return ModelRequestParameters(
            output_mode="tool", output_tools=[tool], allow_text_output=False
        )
    asked = OutputObjectDefinition(json_schema=schema, name=wanted.name)
    return ModelRequestParameters(output_mode=mode, output_object=asked)


def parameters(tools: Iterable[OfferedTool]) -> ModelRequestParameters:
    """The tools on offer."""
    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=dict(tool.parameters),
                # As the tool has it: strict schemas would be rewritten.
                strict=False,
            )
            for tool in tools
        ]
    )


def text_of(message: ChatMessage) -> str:
    """A message's words; what is not text is left out by name."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(
        part["text"] if part.get("type") == "text" else _named(part) for part in content
    )


def _named(part: Any) -> str:
    return (
        f"[{sight.caption(part) if part.get('type') == 'file' else part.get('type', 'something')}]"
    )


def _content(message: ChatMessage, files: Mapping[str, bytes]) -> str | list[UserContent]:
    """A message's words, and the files that are shown with it, each after its name."""
    parts = sight.parts_of(message)
    if not any(part.get("type") == "file" and part["blob"] in files for part in parts):
        return text_of(message)
    made: list[UserContent] = []
    for part in parts:
        if part.get("type") != "file":
            made.append(text_of({"content": [part]}))
            continue
        made.append(f"[{sight.caption(part)}]")
        if part["blob"] in files:
            content = files[part["blob"]]
            made.append(BinaryContent(data=content, media_type=part["media_type"]))
    return made


def _answer(
    message: ChatMessage, calls: Sequence[ToolCallPart], config: Config | None
) -> ModelResponse:
    kept: provider_parts.ProviderParts | None = message.get("parts")
    if kept is None or config is None or not provider_parts.fit(kept, config):
        return ModelResponse(parts=[*_said(message), *calls])
    name = next((part["name"] for part in kept["parts"] if part.get("name")), None)
    return ModelResponse(
        parts=answers.with_parts(text_of(message), calls, kept), provider_name=name
    )


def _said(message: ChatMessage) -> list[ModelResponsePart]:
    text = text_of(message)
    return [TextPart(content=text)] if text else []


def _call(call: Any) -> ToolCallPart:
    function = call.get("function", {})
    return ToolCallPart(
        tool_name=function.get("name", ""),
        args=function.get("arguments") or "",
        tool_call_id=call.get("id", ""),
    )


def _result(
    message: ChatMessage,
    open_calls: dict[str, str],
    files: Mapping[str, bytes],
    *,
    tells_failure: bool,
) -> ModelRequestPart:
    id = message.get("tool_call_id", "")
    tool = open_calls.pop(id, None)
    if tool is None:
        return UserPromptPart(content=ORPHAN + text_of(message))
    outcome = "failed" if tells_failure and message.get("failed") else "success"
    content = _content(message, files)
    return ToolReturnPart(tool_name=tool, content=content, tool_call_id=id, outcome=outcome)


def _closed(open_calls: dict[str, str], orphans: list[ModelRequestPart]) -> list[ModelRequestPart]:
    """What ends a row of results: a word for each that is lost, then those without a call."""
    lost = [
        ToolReturnPart(tool_name=tool, content=NO_RESULT, tool_call_id=id)
        for id, tool in open_calls.items()
    ]
    rest = [*lost, *orphans]
    open_calls.clear()
    orphans.clear()
    return rest


def _from_part(part: ModelRequestPart) -> dict[str, Any]:
    match part:
        case SystemPromptPart():
            return {"role": "system", "content": part.content}
        case ToolReturnPart():
            text = part.model_response_str()
            return {"role": "tool", "tool_call_id": part.tool_call_id, "content": text}
        case _:
            return {"role": "user", "content": str(getattr(part, "content", ""))}
