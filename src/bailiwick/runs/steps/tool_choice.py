"""Which tools a model is offered: all, or for a small window those that the task is about.

What was offered stays: a run's tools only grow, with what a person says and with what was called.
Whatever is offered, a call of any tool is judged by the gate alike.
"""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bailiwick.llm import vectors
from bailiwick.llm.chat import OfferedTool
from bailiwick.llm.config import Config
from bailiwick.runs.models import RunCall, RunMessage
from bailiwick.tools.tool import Tool

SMALL_WINDOW = 16_384
_MOST = 6  # for each thing that a person says
_FEWEST, _TINY_WINDOW = 4, 8_192
# What is so much less like it than the best is not what somebody means.
_FAR = 0.6
_MOST_MESSAGES = 20
# Optional numbers and flags: each has a value that serves.
# Whoever else has seen calls wants to be shown the tools too.
MAY_LACK_TOOLS = ("compatible", "ollama")
_COUNTS = ("integer", "number", "boolean")
_SAID_TWICE = ("examples", "default")
# Whatever is to be done with a file, it is found and read with these.
_FILES = ("read_file", "list_files")
# Without these a model asks for what it could have looked up.
_GO_WITH = {
    "read_file": ("list_files",),
    "write_file": ("read_file",),
    "read_email": ("search_emails",),
    "reply_email": ("search_emails", "read_email"),
    "update_task": ("list_tasks",),
    "complete_task": ("list_tasks",),
}


async def offered(
    tools: Sequence[Tool],
    rows: Iterable[RunMessage],
    calls: Iterable[RunCall],
    *,
    window: int,
) -> list[OfferedTool]:
    """The tools as the model is shown them."""
    if window > SMALL_WINDOW:
        return [OfferedTool(each.name, each.description, each.plain_parameters) for each in tools]
    known = {each.name: each for each in tools}
    most = _FEWEST if window <= _TINY_WINDOW else _MOST
    if len(tools) <= most:
        names = [*known]
    else:
        said = [row.content for row in rows if row.role == "user" and row.kind == "message"]
        names = await asyncio.to_thread(_needed, tools, said[-_MOST_MESSAGES:], most)
    # The likeliest first: the smallest models take what they read first. New ones come last.
    chosen = dict.fromkeys((*names, *(call.tool for call in calls)))
    return [
        OfferedTool(name, _brief(known[name].description), _needful(known[name].plain_parameters))
        for name in chosen
        if name in known
    ]


def is_stuck(calls: Sequence[RunCall], config: Config, *, step: int) -> bool:
    """Whether a small model asks again for what it has just been told: then it shall answer.

    Without tools it has nothing left but words. Only the latest step of the run counts.
    """
    if config.window > SMALL_WINDOW or config.provider not in MAY_LACK_TOOLS or len(calls) < 2:
        return False
    before, last = sorted(calls, key=lambda call: call.number)[-2:]
    same = (before.tool, before.arguments) == (last.tool, last.arguments)
    told = {before.status, last.status} <= {"done", "failed", "denied"}
    return same and told and last.effect == "read" and (before.step, last.step) == (step - 1, step)


def _needed(tools: Sequence[Tool], said: Sequence[str], most: int) -> list[str]:
    about = [f"{each.title}. {each.description}" for each in tools]
    names: list[str] = []
    for words in said:
        likeness = zip(vectors.likeness(words, about), tools, strict=True)
        found = [(alike + _named(tool.name, words), tool) for alike, tool in likeness]
        nearest = sorted(found, key=lambda pair: (-pair[0], pair[1].name))[:most]
        near = [tool for alike, tool in nearest if alike > nearest[0][0] - _FAR]
        names += [tool.name for tool in near if not _is_unsaid(tool, near, words)]
        if any("file" in name.split("_") for name in names):
            names += _FILES
        names += [other for name in names for other in _GO_WITH.get(name, ())]
    return names


def _is_unsaid(tool: Tool, others: Sequence[Tool], words: str) -> bool:
    """Whether somebody who says "read the file" has chosen another way to look at the same."""
    things = tool.name.split("_")[1:]
    rivals = (each for each in others if each.name.split("_")[1:] == things)
    if tool.writes or _named(tool.name, words) > 1:
        return False
    return any(not each.writes and _named(each.name, words) > 1 for each in rivals)


def _named(name: str, words: str) -> float:
    """How much of a tool's name somebody said: all of `read_file` in "read the file"."""
    said = {word.rstrip("s") for word in re.findall(r"[a-z]+", words.lower())}
    verb, *things = (part.rstrip("s") for part in name.split("_"))
    # What it is about tells more than what is done: one can read a file and a mail.
    about = sum(thing in said for thing in things) / len(things) if things else 0.0
    return about + (verb in said) / 4


def _needful(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The form without what has a value of its own, and without examples, which they repeat."""
    fields: Mapping[str, Any] = parameters.get("properties", {})
    kept = {
        name: {word: value for word, value in field.items() if word not in _SAID_TWICE}
        for name, field in fields.items()
        if name in parameters.get("required", ()) or field.get("type") not in _COUNTS
    }
    form = {name: value for name, value in parameters.items() if name != "examples"}
    return {**form, "properties": kept}


def _brief(description: str) -> str:
    first, stop, _ = description.partition(". ")
    return first + stop.strip()
