"""A transcript as the offline model reads it: who asked for what, and what tools answered."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bailiwick.kit.json_depth import DEEPEST, is_too_deep
from bailiwick.llm.chat import ChatMessage
from bailiwick.offline.text import listed

OutcomeStatus = Literal["done", "refused", "waiting", "lost"]

_REFUSED = frozenset(listed("denied refused blocked error failed forbidden rejected expired"))
_WAITING = frozenset(listed("pending waiting"))
_SAID_NO = re.compile(
    r"^\W*(?:error|denied|refused|blocked|forbidden|failed|not (?:done|allowed|permitted|found))\b",
    re.IGNORECASE,
)
_SAID_WAIT = re.compile(r"^\W*not done yet\b|\bwaits? for (?:a person|approval)\b", re.IGNORECASE)
_LOST = re.compile(r"^\W*there is no (?:answer|result)\b", re.IGNORECASE)
_FOLDED = re.compile(r"^\[Summary of \d+ earlier messages\b")
LONGEST_REASON = 400


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What came of a tool call."""

    status: OutcomeStatus
    data: Any = None
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.status == "done"


@dataclass(frozen=True, slots=True)
class FinishedCall:
    """A call that was made, and what came of it."""

    tool: str
    arguments: Mapping[str, Any]
    outcome: ToolOutcome


@dataclass(slots=True)
class Turn:
    """What a person said, and what was done about it."""

    said: str
    calls: list[FinishedCall] = field(default_factory=list[FinishedCall])
    answer: str = ""
    folded: bool = False  # a summary stands for some of what was done


@dataclass(slots=True)
class Talk:
    """A whole transcript."""

    system: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])

    @property
    def now(self) -> Turn:
        """The turn that is to be answered."""
        return self.turns[-1] if self.turns else Turn("")

    @property
    def earlier(self) -> Sequence[Turn]:
        """The turns before it."""
        return self.turns[:-1]


def read(messages: Sequence[ChatMessage]) -> Talk:
    """Understand a transcript; what is odd in it is passed over."""
    talk = Talk()
    results = _results(messages)
    for message in messages:
        role, text = message.get("role"), text_in(message.get("content"))
        if role == "system":
            talk.system = f"{talk.system}\n{text}".strip()
        elif role == "user" and _FOLDED.match(text) and talk.turns:
            talk.turns[-1].folded = True
        elif role == "user":
            talk.turns.append(Turn(text))
        elif role == "assistant":
            turn = talk.turns[-1] if talk.turns else Turn("")
            turn.calls += _calls(message, results)
            turn.answer = text or turn.answer
            if not talk.turns:
                talk.turns.append(turn)
    return talk


def text_in(content: Any) -> str:
    """The text of a message, whether it is given whole or in parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence) and not isinstance(content, bytes | bytearray):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def outcome_of(content: Any) -> ToolOutcome:
    """What a tool's answer says: done, refused and why, or waiting for a person."""
    text = text_in(content)
    data = _parsed(text) if text or isinstance(content, str) else content
    if isinstance(data, Mapping):
        return _of_object(data)
    if isinstance(data, str):
        if _LOST.search(data[:80]):
            return ToolOutcome("lost", reason=_short(data))
        if _SAID_WAIT.search(data[:300]):
            return ToolOutcome("waiting", data, _short(data))
        if _SAID_NO.search(data):
            return ToolOutcome("refused", data, _short(data))
    return ToolOutcome("done", data)


def _of_object(data: Mapping[str, Any]) -> ToolOutcome:
    status = str(data.get("status", "")).lower()
    wrong = data.get("error")
    if status in _WAITING and ("approval_id" in data or "reason" in data):
        return ToolOutcome("waiting", data, _reason(data))
    # A task may well have a status of its own: a refusal says why.
    refused = status in _REFUSED and ("reason" in data or "code" in data or wrong)
    if refused or wrong or data.get("isError") is True:
        return ToolOutcome("refused", data, _reason(data))
    return ToolOutcome("done", data)


def _reason(data: Mapping[str, Any]) -> str:
    for _ in range(DEEPEST):
        found = (data.get(name) for name in ("reason", "error", "message", "detail", "content"))
        said = next((each for each in found if each and isinstance(each, str | Mapping)), None)
        if isinstance(said, str):
            return _short(said)
        if said is None:
            break
        data = said
    return _short(str(data.get("code") or ""))


def _short(text: str) -> str:
    return " ".join(text.split())[:LONGEST_REASON]


def _parsed(text: str) -> Any:
    if text.lstrip()[:1] not in tuple('[{"') or is_too_deep(text.encode(errors="replace")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _results(messages: Sequence[ChatMessage]) -> dict[str, Any]:
    return {
        str(message.get("tool_call_id")): message.get("content")
        for message in messages
        if message.get("role") == "tool"
    }


def _calls(message: ChatMessage, results: Mapping[str, Any]) -> list[FinishedCall]:
    made: list[FinishedCall] = []
    asked = message.get("tool_calls")
    for call in asked if isinstance(asked, Sequence) else ():
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            continue
        id = str(call.get("id"))
        came = (
            outcome_of(results[id])
            if id in results
            else ToolOutcome("lost", reason="no answer came")
        )
        made.append(
            FinishedCall(str(function.get("name")), _arguments(function.get("arguments")), came)
        )
    return made


def _arguments(given: Any) -> Mapping[str, Any]:
    data = _parsed(given) if isinstance(given, str) else given
    return data if isinstance(data, Mapping) else {}
