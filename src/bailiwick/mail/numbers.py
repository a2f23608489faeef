"""The numbers of messages: by workspace, then by date, so that "newest first" is a reverse scan.

A number is a slot of the workspace, the second in which the message was received, and random bits.
The search index knows messages by it, so matches of one workspace between two dates are adjacent
there. Two workspaces may share a slot, and a message may lie some seconds after its date where many
came at once, so a query by numbers checks the workspace and the date too.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.mail import repository

_RANDOM = 6
PER_SECOND = 1 << _RANDOM
_SECONDS = 32
_SLOT = _SECONDS + _RANDOM
_SLOT_BITS = 24
_WIDEST = 1 << 20  # numbers; some hours
_LATEST = (1 << _SECONDS) - _WIDEST - 1
_ROOM = 16
_TURNS = 12


async def choose(
    session: AsyncSession, workspace_id: str, moments: Sequence[datetime]
) -> list[int]:
    """A free number for each message, by its time of receipt."""
    chosen: list[int | None] = [None] * len(moments)
    used: set[int] = set()
    firsts = [_first(workspace_id, moment) for moment in moments]
    crowds = Counter(firsts)
    for turn in range(_TURNS):
        for place, first in enumerate(firsts):
            if chosen[place] is None:
                # More room than needed, and four times as much at each further try.
                room = max(PER_SECOND, crowds[first] * _ROOM) << 2 * turn
                number = first + secrets.randbelow(min(room, _WIDEST))
                if number not in used:
                    used.add(number)
                    chosen[place] = number
        there = [number for number in chosen if number is not None]
        taken = await repository.taken(session, there)
        if not taken and None not in chosen:
            return there
        chosen = [None if number in taken else number for number in chosen]
    raise RuntimeError("no free number was found for a message")


def span(
    workspace_id: str, *, after: datetime | None = None, before: datetime | None = None
) -> tuple[int, int]:
    """The least and the greatest number of a workspace's messages."""
    slot = _slot(workspace_id)
    least = slot if after is None else _first(workspace_id, after)
    greatest = slot + (1 << _SLOT) - 1
    if before is not None:
        greatest = min(_first(workspace_id, before) + _WIDEST, greatest)
    return least, greatest


@lru_cache(maxsize=256)
def _slot(workspace_id: str) -> int:
    digest = hashlib.sha256(workspace_id.encode()).digest()
    return (int.from_bytes(digest[:4]) >> (32 - _SLOT_BITS)) << _SLOT


def _first(workspace_id: str, moment: datetime) -> int:
    seconds = min(max(int(moment.timestamp()), 0), _LATEST)
    return _slot(workspace_id) | seconds << _RANDOM
