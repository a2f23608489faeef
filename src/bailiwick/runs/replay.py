"""Replays: the same request against another prompt or model, without any effect.

A call that the first run made gets the answer that it got then; for another one see `rehearsal`.
"""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.call import Result
from bailiwick.office import Office
from bailiwick.runs import repository, transcript
from bailiwick.runs.files import store
from bailiwick.runs.models import RunCall, RunMessage
from bailiwick.runs.segment import Segment
from bailiwick.runs.steps.arguments import arguments_of


async def answer(office: Office, segment: Segment, call: RunCall) -> Result | None:
    """What a call of a replay got in the first run; None if it was not made, or showed files."""
    if segment.run.kind != "replay" or not segment.run.forked_from:
        return None
    earlier = await _earlier(office, segment.run.forked_from, segment, call)
    if earlier is None or earlier.files:
        return None
    return Result(_parsed(earlier.content))


async def say_next(session: AsyncSession, segment: Segment) -> bool:
    """Say what the person said next in the first run; whether there was anything."""
    run = segment.run
    if run.kind != "replay" or not run.forked_from:
        return False
    said = _spoken(await repository.messages(session, run.forked_from))
    here = _spoken(await repository.messages(session, run.id))
    if len(here) >= len(said):
        return False
    following = said[len(here)]
    transcript.attach(
        transcript.add(session, run, "user", following.content), following.files or ()
    )
    await store.hold(session, run, following.files or ())
    return True


def _spoken(rows: Sequence[RunMessage]) -> list[RunMessage]:
    """What the person said after the first request, which may stand in the prompt."""
    said = (row for row in rows if row.role == "user" and row.kind == "message")
    return [row for row in said if row.step]


async def _earlier(
    office: Office, original: str, segment: Segment, call: RunCall
) -> RunMessage | None:
    """The answer to the same call in the first run: the second's, if this is the second."""
    async with office.storage.app.read() as session:
        calls = await repository.calls(session, original)
        messages = await repository.messages(session, original)
    before = Counter(_key(each) for each in segment.calls if each.number < call.number)
    number = before[_key(call)]
    same = [each.id for each in calls if _key(each) == _key(call)]
    if number >= len(same):
        return None
    answers = {row.tool_call_id: row for row in messages if row.role == "tool"}
    return answers.get(same[number])


def _key(call: RunCall) -> tuple[str, str]:
    arguments = arguments_of(call.arguments)
    if isinstance(arguments, dict):
        return call.tool, json.dumps(arguments, sort_keys=True)
    return call.tool, call.arguments


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
