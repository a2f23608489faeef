"""What an agent that asked another one is told of that agent's turn: always whole, valid JSON."""

import json
from collections.abc import Sequence
from typing import Any

from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.steps.arguments import arguments_of
from bailiwick.runs.transcript import LONGEST

_MOST_CALLS = 50
_MOST_VALUE = 300
_MOST_ARGUMENTS = 2_000
_CUT = "… ({left:,} characters more)"


def answer(run: Run, output: str, calls: Sequence[RunCall]) -> str:
    """The session, what the agent said, and the calls that it made in this turn."""
    own = [call for call in calls if call.step > run.steps_before]
    told = {
        "sessionId": run.id,
        "output": "",
        "toolCalls": [_told(call) for call in own[-_MOST_CALLS:]],
        "done": run.status == "completed",
    }
    room = LONGEST - len(_text(told))
    while len(_text({**told, "output": output})) > LONGEST and room > 0:
        output, room = _cut(output, room), room // 2
    return _text({**told, "output": output})


def _told(call: RunCall) -> dict[str, Any]:
    told = {"name": call.tool, "args": _arguments(call), "success": call.status == "done"}
    if call.status != "done":
        told["error"] = _cut(call.reason or "It was not done.", _MOST_VALUE)
    return told


def _arguments(call: RunCall) -> Any:
    """The arguments, with long texts cut."""
    arguments = arguments_of(call.arguments)
    if isinstance(arguments, str):
        return _cut(call.arguments, _MOST_VALUE)
    shown = _shortened(arguments)
    return shown if len(_text(shown)) <= _MOST_ARGUMENTS else _cut(_text(shown), _MOST_ARGUMENTS)


def _shortened(value: Any) -> Any:
    match value:
        case str():
            return _cut(value, _MOST_VALUE)
        case dict():
            return {name: _shortened(each) for name, each in value.items()}
        case list():
            return [_shortened(each) for each in value]
        case _:
            return value


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + _CUT.format(left=len(text) - most)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
