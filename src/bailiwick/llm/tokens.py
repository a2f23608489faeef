"""About how many tokens something is: cheap to reckon, and rather too many than too few.

Four ASCII characters are taken for a token, and every other character for at least a half and up to
nearly two. Each message, call and tool costs a few more for what is put around it.
"""

import json
from collections.abc import Iterable
from typing import Any

from bailiwick.llm.chat import ChatMessage, OfferedTool

_REPLY = 3
_MESSAGE = 4
_CALL = 8
_TOOL = 8


def count(messages: Iterable[ChatMessage], tools: Iterable[OfferedTool] = ()) -> int:
    """About how many tokens a request has."""
    return _REPLY + sum(map(_of_message, messages)) + sum(map(_of_tool, tools))


def of_text(text: str) -> int:
    """About how many tokens a text has."""
    characters, size = len(text), len(text.encode(errors="replace"))
    return -(-characters // 4) + (size - characters + 1) // 2


def _of_message(message: ChatMessage) -> int:
    calls: list[Any] = message.get("tool_calls") or []
    return _MESSAGE + _of_content(message.get("content")) + sum(map(_of_call, calls))


def _of_content(content: Any) -> int:
    if content is None:
        return 0
    return of_text(content if isinstance(content, str) else json.dumps(content, default=str))


def _of_call(call: Any) -> int:
    function = call.get("function", {})
    return _CALL + of_text(f"{function.get('name', '')}{function.get('arguments', '')}")


def _of_tool(tool: OfferedTool) -> int:
    schema = json.dumps(dict(tool.parameters), default=str)
    return _TOOL + of_text(tool.name + tool.description + schema)
