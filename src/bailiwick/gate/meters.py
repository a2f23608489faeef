"""Meters: how much a caller has used in a window of time, counted over all processes.

A process takes a small block from the shared count and hands it out from memory: the bound is never
passed, and most calls ask no database. What a process had left when it ended is lost to the window.
The SQL of meters is here.
"""

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.models import Usage
from bailiwick.kit.db import Storage

Meter = Literal["requests", "tokens", "money"]
HOUR, DAY = 3600, 86_400
MILLIONTH = 1_000_000  # money is counted in millionths
_PARTS = 50
_TAKE = text(
    "INSERT INTO usage (subject, meter, begins, used) VALUES (:subject, :meter, :begins, :amount) "
    "ON CONFLICT (subject, meter, begins) DO UPDATE SET used = usage.used + excluded.used "
    "WHERE usage.used + excluded.used <= :limit RETURNING used"
)
_ADD = text(
    "INSERT INTO usage (subject, meter, begins, used) VALUES (:subject, :meter, :begins, :amount) "
    "ON CONFLICT (subject, meter, begins) DO UPDATE SET used = usage.used + excluded.used"
)


@dataclass(slots=True)
class _Block:
    begins: int
    left: int


class Meters:
    """What this process has taken and not yet handed out."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._blocks: dict[tuple[str, Meter], _Block] = {}
        self._taking: defaultdict[tuple[str, Meter], asyncio.Lock] = defaultdict(asyncio.Lock)

    async def take(self, subject: str, meter: Meter, *, limit: int, seconds: int) -> int | None:
        """Use one; None if that is within the limit, else the seconds until the next window."""
        now = int(time.time())
        begins = now - now % seconds
        key = (subject, meter)
        if self._handed_out(key, begins):
            return None
        # One at a time takes a block: the others find it, instead of taking theirs over it.
        async with self._taking[key]:
            if self._handed_out(key, begins):
                return None
            for size in dict.fromkeys((max(1, limit // _PARTS), 1)):
                if await self._reserve(subject, meter, begins, amount=size, limit=limit):
                    self._blocks[key] = _Block(begins, size - 1)
                    return None
        return begins + seconds - now

    def _handed_out(self, key: tuple[str, Meter], begins: int) -> bool:
        block = self._blocks.get(key)
        if block is None or block.begins != begins or block.left == 0:
            return False
        block.left -= 1
        return True

    async def used(self, subject: str, meter: Meter, *, seconds: int) -> tuple[int, int]:
        """How much is used in this window, and the seconds until the next."""
        now = int(time.time())
        begins = now - now % seconds
        async with self._storage.app.read() as session:
            row = await session.get(Usage, (subject, meter, begins))
        return (row.used if row else 0), begins + seconds - now

    async def reserve(self, subject: str, meter: Meter, *, amount: int, limit: int) -> bool:
        """Set aside what may be used today, unless that passes the limit; `add` corrects it."""
        now = int(time.time())
        return await self._reserve(subject, meter, now - now % DAY, amount=amount, limit=limit)

    async def give_back(self, subject: str, meter: Meter, *, amount: int) -> None:
        """Return what was set aside and not used."""
        async with self._storage.app.write() as session:
            await add(session, subject, meter, amount=-amount)

    async def _reserve(
        self, subject: str, meter: Meter, begins: int, *, amount: int, limit: int
    ) -> bool:
        if amount > limit:
            return False
        values = {
            "subject": subject,
            "meter": meter,
            "begins": begins,
            "amount": amount,
            "limit": limit,
        }
        async with self._storage.app.write() as session:
            return (await session.execute(_TAKE, values)).first() is not None


async def add(session: AsyncSession, subject: str, meter: Meter, *, amount: int) -> None:
    """Count what was used, whether or not it passes a limit: a model's tokens and their price."""
    now = int(time.time())
    begins = now - now % DAY
    values = {"subject": subject, "meter": meter, "begins": begins, "amount": amount}
    await session.execute(_ADD, values)


async def forget_old(session: AsyncSession) -> None:
    """Drop windows that have passed."""
    await session.execute(delete(Usage).where(Usage.begins < int(time.time()) - 2 * DAY))
