"""Results of tools as small models read them: plain lines, without braces, quotes and empty fields.

The transcript keeps what the tool answered; this is made of it each time that it is sent, and is
the same each time.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from bailiwick.kit import json_depth
from bailiwick.llm.chat import ChatMessage
from bailiwick.runs import transcript
from bailiwick.runs.models import RunMessage

# Of the window: a result must leave room for the rest of the conversation.
_SHARE = 3
_LETTERS = 4  # to a token
_LONG = 160  # such a text stands by itself
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(?:Z|[+-]\d\d:?\d\d)?")
_ANSWER = "Answer in words, with what stands above:"
_YES_NO = {True: "yes", False: "no"}

SentPair = tuple[RunMessage | None, ChatMessage]


def plainly(pairs: Sequence[SentPair], *, window: int) -> list[SentPair]:
    """The messages of a conversation with the results of tools in plain words."""
    most = window * _LETTERS // _SHARE
    return [(row, _plain_message(message, most)) for row, message in pairs]


def as_question(pairs: Sequence[SentPair]) -> list[SentPair]:
    """The conversation without calls: what was last asked, with what was found of it.

    For a model that has the answer before it and does not see it.
    """
    users = [place for place, (_, each) in enumerate(pairs) if each["role"] == "user"]
    last = users[-1] if users else 0
    before = [pair for pair in pairs[:last] if _is_said(pair[1])]
    found = [transcript.words_of(each) for _, each in pairs[last:] if each["role"] == "tool"]
    asked = transcript.words_of(pairs[last][1])
    told = "\n\n".join(dict.fromkeys(found))
    return [*before, (None, {"role": "user", "content": f"{told}\n\n{_ANSWER} {asked}"})]


def _is_said(message: ChatMessage) -> bool:
    return message["role"] != "tool" and not message.get("tool_calls")


def _plain_message(message: ChatMessage, most: int) -> ChatMessage:
    if message["role"] != "tool":
        return message
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": transcript.clipped(plain(content), most)}
    first, *files = content
    return {**message, "content": [{**first, "text": plain(first["text"])}, *files]}


def plain(text: str) -> str:
    """A result in plain lines; what is no JSON is left as it is."""
    if json_depth.deep_field(text.encode(errors="replace"), whole="result"):
        return text
    try:
        found = json.loads(text)
    except ValueError:
        return text
    if isinstance(found, dict) and "error" in found:
        return _refusal(cast("dict[str, Any]", found))
    return _Lines().of(found) if isinstance(found, dict | list) else text


def _refusal(found: Mapping[str, Any]) -> str:
    fields = found.get("fields")
    known = isinstance(fields, Mapping) and all(name in str(found["error"]) for name in fields)
    told = "" if not fields or known else f"\n{_Lines().of(fields)}"
    return f"Error: {found['error']}{told}"


@dataclass(slots=True)
class _Lines:
    """Lines under way, and the long texts that come after them."""

    lines: list[str] = field(default_factory=list[str])

    def of(self, found: Any) -> str:
        self._add(found, "")
        return "\n".join(self.lines).strip() or "Nothing."

    def _add(self, found: Any, indent: str) -> None:
        if isinstance(found, Mapping):
            self._fields(cast("Mapping[str, Any]", found), indent)
            return
        for place, each in enumerate(cast("Sequence[Any]", found), 1):
            if isinstance(each, Mapping | list) and each:
                start = len(self.lines)
                self._add(each, indent + "   ")
                if len(self.lines) > start:
                    self.lines[start] = f"{indent}{place}. {self.lines[start].lstrip()}"
            elif (said := _scalar(each)) != "":
                self.lines.append(f"{indent}- {said}")

    def _fields(self, found: Mapping[str, Any], indent: str) -> None:
        long: list[str] = []
        short: list[str] = []
        nested: list[tuple[str, Any]] = []
        for name, value in found.items():
            # A file is named by its path in every tool.
            if value in (None, "", [], {}) or (name == "id" and "path" in found):
                continue
            if isinstance(value, Mapping) or (isinstance(value, list) and not _is_flat(value)):
                nested.append((name, value))
            elif isinstance(value, str) and ("\n" in value or len(value) > _LONG):
                long.append(value)
            else:
                short.append(f"{name}: {_flat(value)}")
        if short:
            self.lines.append(indent + ", ".join(short))
        for name, value in nested:
            self.lines.append(f"{indent}{name}:")
            self._add(value, indent + "  ")
        for text in long:
            self.lines += ["", text.strip("\n"), ""]


def _is_flat(value: list[Any]) -> bool:
    return all(not isinstance(each, dict | list) for each in value) and (
        sum(len(str(each)) for each in value) <= _LONG
    )


def _flat(value: Any) -> str:
    return "; ".join(map(_scalar, value)) if isinstance(value, list) else _scalar(value)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return _YES_NO[value]
    return _MOMENT.sub(r"\1 \2", str(value)) if value is not None else ""
