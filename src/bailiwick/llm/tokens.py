"""About how many tokens something is: cheap to reckon, and rather too many than too few.

Four ASCII characters are taken for a token, and every other character for at least a half and up to
nearly two. Each message, call and tool costs a few more for what is put around it.
"""

import json
from collections.abc import Iterable
from typing import Any

from bailiwick.llm import parts
from bailiwick.llm.chat import ChatMessage, OfferedTool

_REPLY = 3
_MESSAGE = 4
_CALL = 8
_TOOL = 8
_TILE = 85  # of any picture
_PICTURE = 1_600  # of the largest: providers make them smaller
_PAGE = 2_000


def count(messages: Iterable[ChatMessage], tools: Iterable[OfferedTool] = ()) -> int:
    """About how many tokens a request has."""
    return _REPLY + sum(map(_of_message, messages)) + sum(map(_of_tool, tools))


def of_text(text: str) -> int:
    """About how many tokens a text has."""
    characters, size = len(text), len(text.encode(errors="replace"))
    return -(-characters // 4) + (size - characters + 1) // 2


def _of_message(message: ChatMessage) -> int:
    calls: list[Any] = message.get("tool_calls") or []
    kept = of_text(parts.characters(message["parts"])) if message.get("parts") else 0
    return _MESSAGE + _of_content(message.get("content")) + sum(map(_of_call, calls)) + kept


def _of_content(content: Any) -> int:
    if content is None:
        return 0
    if isinstance(content, str):
        return of_text(content)
    return sum(_of_file(part) if part.get("type") == "file" else _of_part(part) for part in content)


def _of_part(part: Any) -> int:
    text = part.get("text")
    return of_text(text if isinstance(text, str) else json.dumps(part, default=str))


def _of_file(part: Any) -> int:
    """A picture by its size, a page as a picture with its text; or the text, if it is more."""
    seen = (part.get("pages") or 1) * _PAGE
    if part.get("width"):
        seen = min(_PICTURE, _TILE + part["width"] * part["height"] // 750)
    return _CALL + max(seen, of_text(part.get("text") or ""))


def _of_call(call: Any) -> int:
    function = call.get("function", {})
    return _CALL + of_text(f"{function.get('name', '')}{function.get('arguments', '')}")


def _of_tool(tool: OfferedTool) -> int:
    schema = json.dumps(dict(tool.parameters), default=str)
    return _TOOL + of_text(tool.name + tool.description + schema)
