"""The offline model's answer to one request, piece by piece."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import date

from bailiwick.llm.chat import ModelRequest, ModelToolCall
from bailiwick.offline import toolbox
from bailiwick.offline.plan import decide
from bailiwick.offline.work import Step, described

_PIECE = re.compile(r"\A\s*\S+\s*|\S+\s*")
CHARACTERS_PER_TOKEN = 4
_MOST_NAMED = 3


async def answer(
    ask: ModelRequest, *, today: date | None = None, believes: bool = False
) -> AsyncIterator[str | ModelToolCall]:
    """The next tool calls, or the final text word by word.

    The day that the system prompt names comes before `today`.
    """
    # The weights are read and compared off the event loop.
    decided = await asyncio.to_thread(decide, ask, today=today, believes=believes)
    if isinstance(decided, str):
        for piece in _PIECE.findall(_fitting(decided, ask.max_tokens)):
            yield piece
    else:
        for piece in _PIECE.findall(_ahead(decided, ask)):
            yield piece
        for place, step in enumerate(decided):
            yield _wanted(step, f"call_{len(ask.messages)}_{place}")


def _ahead(steps: list[Step], ask: ModelRequest) -> str:
    """What is about to be changed, in a sentence; reading needs no word."""
    box = toolbox.open(ask.tools)
    changing = [step for step in steps if box.changes(step.tool)]
    descriptions = [described(step) for step in changing[:_MOST_NAMED]]
    more = f" and {len(changing) - _MOST_NAMED} more" if len(changing) > _MOST_NAMED else ""
    return f"Next I want to: {'; '.join(descriptions)}{more}." if descriptions else ""


def tokens(text: str) -> int:
    """About how many tokens a text would have been."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def _wanted(step: Step, id: str) -> ModelToolCall:
    return ModelToolCall(id, step.tool, json.dumps(step.arguments, ensure_ascii=False, default=str))


def _fitting(text: str, most: int | None) -> str:
    if most is None or tokens(text) <= most:
        return text
    cut = text[: max(1, most) * CHARACTERS_PER_TOKEN]
    return cut.rsplit(" ", 1)[0] if " " in cut else cut
