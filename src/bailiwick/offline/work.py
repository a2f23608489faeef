"""A plan is an ordinary function that yields the calls it wants and is sent what came of them.

It is run anew from its beginning for every answer: what the transcript already holds is sent at
once, and the first calls that it does not hold are the answer. So nothing has to be remembered
between two answers, and a call that was made is never made again.
"""

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, TypeVar

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline.arguments import Slots, fill
from bailiwick.offline.request import ParsedRequest
from bailiwick.offline.toolbox import Toolbox
from bailiwick.offline.transcript import FinishedCall, Talk, ToolOutcome

MOST_CALLS = 40
MOST_AT_ONCE = 12

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """A call that is wanted."""

    tool: str
    arguments: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The same for the same call."""
        return key(self.tool, self.arguments)


Steps = Generator[list[Step], list[ToolOutcome], T]


@dataclass(frozen=True, slots=True)
class Doc:
    """A text that was read, and where."""

    name: str
    text: str
    day: date | None = None
    facts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(slots=True)
class Work:
    """What is known while a request is worked on."""

    talk: Talk
    box: Toolbox
    request: ParsedRequest
    today: date | None
    believes: bool = False  # whether what it reads may tell it what to do
    docs: list[Doc] = field(default_factory=list[Doc])
    product: str = ""  # what was made last: a summary, a draft, an answer
    troubles: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def call(self, tool: OfferedTool, slots: Slots, *, quiet: bool = False) -> Steps[ToolOutcome]:
        """Make one call; what goes wrong is told in the end, unless it is a mere attempt."""
        return (yield from self.calls([(tool, slots)], quiet=quiet))[0]

    def calls(
        self, wanted: Sequence[tuple[OfferedTool, Slots]], *, quiet: bool = False
    ) -> Steps[list[ToolOutcome]]:
        """Make several calls at once."""
        filled = [fill(tool, slots) for tool, slots in wanted]
        steps = [
            Step(tool.name, each.arguments)
            for (tool, _), each in zip(wanted, filled, strict=True)
            if not each.missing
        ]
        came = iter((yield steps) if steps else [])
        outcomes: list[ToolOutcome] = []
        for (tool, _), each in zip(wanted, filled, strict=True):
            outcome = _lacking(each.missing) if each.missing else next(came)
            if not (outcome.ok or quiet):
                self.troubles.append(_told(tool, each.arguments, outcome))
            outcomes.append(outcome)
        return outcomes


def key(tool: str, arguments: Mapping[str, Any]) -> str:
    """The same for the same call."""
    return f"{tool} {json.dumps(arguments, sort_keys=True, default=str)}"


def follow(steps: Steps[str], done: Sequence[FinishedCall]) -> list[Step] | str:
    """Run a plan over the calls that were made: the next calls, or the final words."""
    known = {key(each.tool, each.arguments): each.outcome for each in done}
    left = MOST_CALLS - len(done)
    try:
        wanted = next(steps)
        while True:
            fresh = list({step.key: step for step in wanted if step.key not in known}.values())
            if fresh and left > 0:
                steps.close()
                return fresh[: min(left, MOST_AT_ONCE)]
            wanted = steps.send([known.get(step.key, _ENOUGH) for step in wanted])
    except StopIteration as ended:
        return str(ended.value)


_ENOUGH = ToolOutcome("refused", reason=f"I stop after {MOST_CALLS} calls for one request.")


def _lacking(names: Sequence[str]) -> ToolOutcome:
    listed = " and ".join(name.replace("_", " ") for name in names)
    return ToolOutcome("refused", reason=f"Your words do not tell me the {listed} for it.")


def described(step: Step) -> str:
    """A call in a few words."""
    lists = [", ".join(map(str, v)) for v in step.arguments.values() if isinstance(v, list) and v]
    texts = [v for v in step.arguments.values() if isinstance(v, str)]
    short = [each for each in (*lists, *texts) if 0 < len(each) < 120]
    return step.tool.replace("_", " ") + (f" ({', '.join(short[:2])})" if short else "")


def _told(tool: OfferedTool, arguments: Mapping[str, Any], outcome: ToolOutcome) -> str:
    what = described(Step(tool.name, arguments))
    reason = outcome.reason or "no reason was given"
    if outcome.status == "waiting":
        return f"Not done yet: {what} waits for a person. {reason}"
    if outcome.status == "lost":
        return (
            f"I do not know whether this was done: {what}. No answer came, so I did not repeat it."
        )
    return f"Not done: {what}. {reason}"
