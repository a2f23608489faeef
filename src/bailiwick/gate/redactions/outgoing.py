"""Requests to models without what the patterns find, whoever wrote it and wherever it came from.

Each text is redacted by itself, so that the same text is always the same to the model. What makes a
conversation hold together stays as it is: the ids of calls, the names of tools, virtual ids, and
arguments that are JSON. Reasoning is signed, and is sent as it is or not at all.
"""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.redactions.redactor import Redactor
from bailiwick.gate.virtual_names import IN_TEXT
from bailiwick.llm import parts
from bailiwick.llm.chat import AnswerForm, ChatMessage, ModelRequest, OfferedTool
from bailiwick.llm.outgoing import RedactedRequest

TextMap = Callable[[str], str]
_LARGE = 20_000
_JSON = ("{", "[")
# Strings, closed or not, and whole numbers with as many digits as somebody's number has. Nothing
# here is tried twice: the time is linear in the text.
_LITERAL = re.compile(
    r'"(?:[^"\\]++|\\.)*+"?|(?<![0-9.])-?[0-9]{9,}+(?![0-9.eE])',
    re.DOTALL,
)
# What a schema says in words; the rest of it are names and rules.
_WORDS = frozenset(("description", "title", "default", "examples", "enum", "const", "$comment"))
_NAMED = frozenset(("properties", "patternProperties", "$defs", "definitions"))


async def redacted_request(redactors: RedactorCache, ask: ModelRequest) -> RedactedRequest:
    """A request as a model may see it; a large one is searched beside the event loop."""
    redactor = await redactors.current()
    if _is_large(ask):
        return await asyncio.to_thread(_redacted, redactor, ask)
    return _redacted(redactor, ask)


def _redacted(redactor: Redactor, ask: ModelRequest) -> RedactedRequest:
    made = RedactedRequest(ask.messages, ask.tools, ask.max_tokens, ask.output, ask.conversation)
    # Within JSON a text is found as it reads, not as it is escaped; then all is read as it stands.
    for way in (_in_json, _in_text):
        made = _passed(redactor, made, way)
    return made


def _passed(
    redactor: Redactor, ask: RedactedRequest, way: Callable[[str, TextMap], str]
) -> RedactedRequest:
    found: dict[str, str] = {}
    _mapped(ask, lambda text: way(text, lambda piece: found.setdefault(piece, piece)))
    pieces, changed = redactor.value(list(found))
    if not changed:
        return ask
    known = dict(zip(found, pieces, strict=True))
    return _mapped(ask, lambda text: way(text, known.__getitem__))


def _in_text(text: str, each: TextMap) -> str:
    # Every second part is a virtual id.
    parts = IN_TEXT.split(text)
    return "".join(part if place % 2 else each(part) for place, part in enumerate(parts))


def _in_json(text: str, each: TextMap) -> str:
    if not text.lstrip().startswith(_JSON):
        return text
    return _LITERAL.sub(lambda match: _literal(match[0], each), text)


def _literal(word: str, each: TextMap) -> str:
    if not word.startswith('"'):
        said = each(word)
        return word if said == word else json.dumps(said)
    try:
        value: str = json.loads(word, strict=False)
    except ValueError:
        return word
    said = _in_text(value, each)
    return word if said == value else json.dumps(said, ensure_ascii=False)


def _mapped(ask: ModelRequest, each: TextMap) -> RedactedRequest:
    """The request with every text of it put through a function."""
    return RedactedRequest(
        [_message(message, each) for message in ask.messages],
        [_tool(tool, each) for tool in ask.tools],
        ask.max_tokens,
        _form(ask.output, each) if ask.output else None,
        ask.conversation,
    )


def _message(message: ChatMessage, each: TextMap) -> ChatMessage:
    made = {**message, "content": _content(message.get("content"), each)}
    if calls := message.get("tool_calls"):
        made["tool_calls"] = [_call(call, each) for call in calls]
    if (kept := message.get("parts")) and any(each(text) != text for text in parts.texts(kept)):
        # A signed text that is changed is refused by its provider: all of it stays here.
        del made["parts"]
    return made


def _content(content: Any, each: TextMap) -> Any:
    if isinstance(content, str):
        return each(content)
    if not isinstance(content, list | tuple):
        return content
    return [
        _text_part(part, each) if isinstance(part.get("text"), str) else part for part in content
    ]


def _text_part(part: Mapping[str, Any], each: TextMap) -> dict[str, Any]:
    said, name = each(part["text"]), each(part.get("name") or "")
    if part.get("type") != "file":
        return {**part, "text": said}
    # Whoever is shown the file would see what was taken out of its text.
    gone = part.get("redacted", False) or said != part["text"] or name != part.get("name", "")
    return {**part, "text": said, "name": name, "redacted": gone}


def _call(call: Mapping[str, Any], each: TextMap) -> dict[str, Any]:
    function = call.get("function", {})
    arguments: str = function.get("arguments") or ""
    said = each(arguments)
    if said != arguments and _is_json(arguments) and not _is_json(said):
        said = json.dumps({"arguments": said}, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": said}}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _form(form: AnswerForm, each: TextMap) -> AnswerForm:
    return AnswerForm(form.name, _schema(form.schema, each))


def _tool(tool: OfferedTool, each: TextMap) -> OfferedTool:
    return OfferedTool(tool.name, each(tool.description), _schema(tool.parameters, each))


def _schema(schema: Any, each: TextMap) -> Any:
    if isinstance(schema, list | tuple):
        return [_schema(inner, each) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, inner in schema.items():
        if key in _NAMED and isinstance(inner, Mapping):
            made[key] = {name: _schema(one, each) for name, one in inner.items()}
        else:
            made[key] = _words(inner, each) if key in _WORDS else _schema(inner, each)
    return made


def _words(value: Any, each: TextMap) -> Any:
    match value:
        case str():
            return each(value)
        case list() | tuple():
            return [_words(inner, each) for inner in value]
        case dict():
            return {name: _words(inner, each) for name, inner in value.items()}
        case _:
            return value


def _is_large(ask: ModelRequest) -> bool:
    size = 0
    for message in ask.messages:
        size += len(str(message.get("content") or ""))
        size += sum(len(str(call)) for call in message.get("tool_calls") or ())
        size += sum(map(len, parts.texts(message.get("parts") or {})))
        if size > _LARGE:
            return True
    return len(ask.tools) > 20
