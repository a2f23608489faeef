"""Answers that ran into their limit: the model is asked to go on; none is taken for done."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.llm.chat import ModelReply
from bailiwick.runs import transcript
from bailiwick.runs.segment import Segment

_MOST = 2
TOO_OFTEN = (
    "The model's answer was cut off at its limit again and again. Allow longer answers in the "
    "agent's or the model's settings, or ask for something shorter."
)
SUMMARY = "\n[The summary was cut off at the limit here.]"
_CALL = (
    "[Cut off at the limit, in the middle of a call of {tool}: it was not carried out. Make it "
    "again, with less in it or in several calls.]"
)


def go_on(session: AsyncSession, segment: Segment, reply: ModelReply) -> bool:
    """Tell the model where it was cut off, unless it was told too often already."""
    if not reply.calls and _told(segment) >= _MOST:
        return False
    words = _CALL.format(tool=reply.cut) if reply.cut else transcript.CUT_OFF
    transcript.add(session, segment.run, "user", words, kind="note")
    return True


def _told(segment: Segment) -> int:
    """How often it was told so since something else came of it."""
    count = 0
    for row in reversed(segment.rows):
        if row.role == "user" and row.kind == "note":
            count += 1
        elif row.role != "assistant" or row.tool_calls:
            break
    return count
