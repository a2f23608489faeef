r"""How a prompt becomes the messages that a model reads.

`{{name}}` stands for a value. Values go in once, as they are: braces inside a value are only text,
or whoever writes the value could look at the other values. `\{{` is written for plain braces.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from bailiwick.errors import Invalid
from bailiwick.llm.chat import ChatRole

MOST_MESSAGES = 50
MOST_CHARACTERS = 50_000
MOST_NAME = 64
# A short mark can stand for a long value, many times over.
MOST_INSERTED = 1_000_000
VariableValues = Mapping[str, str]

_MARK = re.compile(
    rf"(?P<escape>\\\{{\{{)"
    rf"|\{{\{{[ \t]*+(?P<name>[a-z][a-z0-9_.]{{0,{MOST_NAME - 1}}}+)[ \t]*+\}}\}}"
)


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message: who says it, and what."""

    role: ChatRole
    content: str


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A variable that every prompt may use."""

    name: str
    meaning: str
    example: str


# The page and the documentation show this table.
BUILT_IN = (
    BuiltIn("date", "The day, where the office is", "2026-11-15"),
    BuiltIn("time", "The time of day, where the office is", "14:05"),
    BuiltIn("weekday", "The day of the week", "Sunday"),
    BuiltIn("user", "The name of whoever started the run", "Olive Owner"),
    BuiltIn("agent", "The name of the agent", "Reply writer"),
    BuiltIn("workspace", "The name of the workspace", "Home"),
    BuiltIn("input", "What the agent was asked", "Sum up this week's mail."),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class UndefinedVariable(Invalid):
    """A message uses a variable that has no value here."""

    def __init__(self, name: str, *, field: str, known: Iterable[str]) -> None:
        there = ", ".join(sorted(known)) or "none"
        message = f"{{{{{name}}}}} has no value here; there are: {there}"
        super().__init__(f"{field}: {message}", errors={field: [message]})
        self.name = name


def variables(messages: Iterable[PromptMessage]) -> list[str]:
    """The variables that messages use, each once, in the order in which they first appear."""
    found = (mark["name"] for each in messages for mark in _MARK.finditer(each.content))
    return list(dict.fromkeys(name for name in found if name))


def render(
    messages: Sequence[PromptMessage], values: VariableValues, *, field: str = "prompt"
) -> list[PromptMessage]:
    """The messages with every variable replaced, or `UndefinedVariable`."""
    room, rendered = MOST_INSERTED, list[PromptMessage]()
    for place, each in enumerate(messages):
        filled = _Filling(values, f"{field}.{place}.content", room)
        rendered.append(replace(each, content=_MARK.sub(filled, each.content)))
        room = filled.room
    return rendered


def built_in(*, now: datetime, user: str, agent: str, workspace: str, input: str) -> dict[str, str]:
    """The values of the variables that every prompt may use; `now` in the office's time zone."""
    return {
        "date": now.date().isoformat(),
        "time": f"{now:%H:%M}",
        "weekday": _WEEKDAYS[now.weekday()],
        "user": user,
        "agent": agent,
        "workspace": workspace,
        "input": input,
    }


def read(stored: Iterable[Mapping[str, Any]]) -> list[PromptMessage]:
    """Messages as they are kept in the database."""
    return [PromptMessage(each["role"], each["content"]) for each in stored]


@dataclass(slots=True)
class _Filling:
    """Puts values in the place of marks, as long as there is room."""

    values: VariableValues
    field: str
    room: int

    def __call__(self, mark: re.Match[str]) -> str:
        if mark["escape"]:
            return "{{"
        if (name := mark["name"]) not in self.values:
            raise UndefinedVariable(name, field=self.field, known=self.values)
        self.room -= len(self.values[name])
        if self.room < 0:
            raise Invalid.field(
                self.field,
                f"its variables would put in more than {MOST_INSERTED:,} characters",
            )
        return self.values[name]
