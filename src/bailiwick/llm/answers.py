"""An answer of pydantic-ai: its words, its calls and its parts as they are kept, and back.

Imported only when a model is used: pydantic-ai is large.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponsePart, TextPart, ThinkingPart, ToolCallPart

from bailiwick.llm.chat import ModelToolCall
from bailiwick.llm.parts import ProviderParts

# Thoughts that stood in the text: servers take them away, and want none back.
TAGGED = "content"


def content_of(parts: Iterable[ModelResponsePart]) -> str:
    """The words of an answer."""
    return "".join(part.content for part in parts if isinstance(part, TextPart))


def calls_of(parts: Iterable[ModelResponsePart]) -> list[ModelToolCall]:
    """The calls of an answer, their arguments as the model wrote them."""
    found = [part for part in parts if isinstance(part, ToolCallPart)]
    return [ModelToolCall(part.tool_call_id, part.tool_name, _arguments(part)) for part in found]


def with_parts(
    text: str, calls: Sequence[ToolCallPart], kept: ProviderParts
) -> list[ModelResponsePart]:
    """Words, calls and thoughts in the order in which the provider gave them."""
    made: list[ModelResponsePart] = []
    left = list(calls)
    lengths = [part["length"] for part in kept["parts"] if part["kind"] == "text"]
    # Words that redaction made others are sent as one.
    lengths = lengths if sum(lengths) == len(text) else [len(text), *([0] * len(lengths[1:]))]
    for part in kept["parts"]:
        about: dict[str, Any] = {
            "provider_name": part.get("name"),
            "provider_details": part.get("details"),
        }
        match part["kind"]:
            case "thought" if not _goes_back(part, kept):
                pass
            case "thought":
                thought, seal = part["text"], part.get("signature")
                made.append(ThinkingPart(thought, id=part.get("id"), signature=seal, **about))
            case "text":
                words, text = text[: lengths[0]], text[lengths.pop(0) :]
                if words or part.get("details"):
                    made.append(TextPart(words, id=part.get("id"), **about))
            case _ if left:
                call = left.pop(0)
                made.append(replace(call, id=part.get("id"), **about))
            case _:
                pass
    return [*made, *([TextPart(content=text)] if text else []), *left]


def _goes_back(part: Mapping[str, Any], kept: ProviderParts) -> bool:
    """Whether a provider takes a thought: some take none but what they have signed themselves."""
    if part.get("id") == TAGGED:
        return False
    sealed = kept["provider"] in ("anthropic", "bedrock") or kept["api"] == "responses"
    if not sealed or part.get("signature") or "raw_content" in part.get("details", {}):
        return True
    # The summaries of one item come apart, and the first of them is signed.
    signed = {each["id"] for each in kept["parts"] if each.get("signature") and each.get("id")}
    return part.get("id") in signed


def parts_of(response: Sequence[ModelResponsePart]) -> list[dict[str, Any]]:
    """The parts of an answer as they are kept."""
    kept: list[dict[str, Any]] = []
    for part in response:
        match part:
            case ThinkingPart():
                told = {"kind": "thought", "text": part.content, "signature": part.signature}
            case TextPart():
                told = {"kind": "text", "length": len(part.content)}
            case ToolCallPart():
                told = {"kind": "call"}
            case _:
                continue
        told |= {"id": part.id, "name": part.provider_name, "details": part.provider_details}
        kept.append({name: value for name, value in told.items() if value is not None})
    return kept


def _arguments(part: ToolCallPart) -> str:
    if part.args is None:
        return ""
    return part.args if isinstance(part.args, str) else part.args_as_json_str()
