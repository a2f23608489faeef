"""Calls that a model writes into its text, where its server does not tell them from words.

Small models behind local servers do so: between `<tool_call>` tags, in a block of code, or as
nothing but JSON. Only an answer that is such a call is read as one; the gate judges it like any.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from bailiwick.kit import json_depth
from bailiwick.kit.likeness import nearest
from bailiwick.llm.chat import ModelReply, ModelToolCall, OfferedTool
from bailiwick.runs.steps.arguments import tool_named

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)
_FENCED = re.compile(r"\A```\w*\n(.*?)\n?```\Z", re.DOTALL)
# After the last entry of a list, as the models' own examples have it.
_COMMA = re.compile(r",\s*\]\s*\Z")
_ARGUMENTS = ("arguments", "parameters", "args")
_WRAPPERS = ("tool_call", "tool_calls", "function_call", "function")
_NESTED = (dict, list)


def read(reply: ModelReply, offered: Sequence[OfferedTool]) -> ModelReply:
    """The answer with the calls that stand in its text; as it is, if there are none."""
    if reply.calls or reply.finish != "stop" or not offered:
        return reply
    names = [tool.name for tool in offered]
    text = reply.content.strip()
    words, found = _tagged(text)
    if not found:
        words, found = "", [call for call in _calls(text) if _is_known(call.name, names)]
    if not found:
        return reply
    calls = [replace(call, name=tool_named(call.name, names)) for call in dict.fromkeys(found)]
    return replace(reply, content=words, calls=calls, finish="tool_calls")


def is_call(text: str) -> bool:
    """Whether a text is nothing but a call, of whatever tool."""
    return bool(_tagged(text.strip())[1] or _calls(text.strip()))


def _tagged(text: str) -> tuple[str, list[ModelToolCall]]:
    """The words before the first tag, and the calls in all of them."""
    found = [call for inside in _TAGGED.findall(text) for call in _calls(inside.strip())]
    return text.partition("<tool_call>")[0].strip(), found


def _calls(text: str) -> list[ModelToolCall]:
    """The calls that a text is, if it is nothing else."""
    if fenced := _FENCED.match(text):
        text = fenced[1].strip()
    if not text.startswith(("{", "[")) or json_depth.is_too_deep(text.encode(errors="replace")):
        return []
    try:
        found = json.loads(_COMMA.sub("]", text))
    except ValueError:
        return []
    return [*_read(found if isinstance(found, list) else [found])]


def _read(found: list[Any]) -> Iterable[ModelToolCall]:
    for each in found:
        if not isinstance(each, dict):
            continue
        call = cast("Mapping[str, Any]", each)
        inner = next(
            (call[name] for name in _WRAPPERS if isinstance(call.get(name), _NESTED)), None
        )
        given = next((call[name] for name in _ARGUMENTS if name in call), None)
        if inner is not None:
            yield from _read(inner if isinstance(inner, list) else [inner])
        elif isinstance(call.get("name"), str) and isinstance(given, dict | str):
            arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
            yield ModelToolCall("", call["name"], arguments)


def _is_known(name: str, names: Sequence[str]) -> bool:
    return tool_named(name, names) in names or nearest(name, names) is not None
