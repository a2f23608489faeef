"""Which tools a model is offered: all, or for a small window those that the task is about.

What was offered stays: a run's tools only grow, with what a person says and with what was called.
Whatever is offered, a call of any tool is judged by the gate alike.
"""

import asyncio
from collections.abc import Iterable, Sequence

from bailiwick.llm import vectors
from bailiwick.llm.chat import OfferedTool
from bailiwick.runs.models import RunCall, RunMessage
from bailiwick.tools.tool import Tool

SMALL_WINDOW = 16_384
_MOST = 6  # for each thing that a person says
_MOST_MESSAGES = 20
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
    names = {call.tool for call in calls}
    if len(tools) <= _MOST:
        names |= {each.name for each in tools}
    else:
        said = [row.content for row in rows if row.role == "user" and row.kind == "message"]
        names |= await asyncio.to_thread(_needed, tools, said[-_MOST_MESSAGES:])
    return [
        OfferedTool(each.name, _brief(each.description), each.plain_parameters)
        for each in tools
        if each.name in names
    ]


def _needed(tools: Sequence[Tool], said: Sequence[str]) -> set[str]:
    about = [f"{each.title}. {each.description}" for each in tools]
    names: set[str] = set()
    for words in said:
        found = zip(vectors.likeness(words, about), tools, strict=True)
        nearest = sorted(found, key=lambda pair: (-pair[0], pair[1].name))[:_MOST]
        names |= {tool.name for _, tool in nearest}
    return names | {other for name in names for other in _GO_WITH.get(name, ())}


def _brief(description: str) -> str:
    first, stop, _ = description.partition(". ")
    return first + stop.strip()
