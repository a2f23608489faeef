"""Which connectors' own tools are offered: those that are on, and active in a category of theirs.

Asked at every listing of tools, so it is answered from memory. A change in this process is in force
as its transaction commits; one of another is read when the event log tells of it.
"""

import asyncio
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.connectors.registry import Connectors
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog.bus import stopped

_MARK = "open connectors"
_TOLD_BY = ("connector.changed", "account.connected")


async def mark(session: AsyncSession, connectors: Connectors) -> None:
    """What this transaction makes of the switches, to be in force once it commits."""
    await session.flush()
    session.info[_MARK] = await _read(session, connectors)


class Switches:
    """What is open at present."""

    def __init__(self, storage: Storage, connectors: Connectors) -> None:
        self._storage = storage
        self._connectors = connectors
        self._open: frozenset[str] = frozenset()
        self._reading: asyncio.Task[None] | None = None
        self._again = False
        storage.app.after_commit.append(self._committed)

    def is_open(self, connector: str) -> bool:
        """Whether a connector's own tools are offered."""
        return connector in self._open

    async def read(self) -> None:
        """Read how things are."""
        async with self._storage.app.read() as session:
            self._open = await _read(session, self._connectors)

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Read anew when the event log tells of a change."""
        if not any(event.type in _TOLD_BY for event in batch):
            return
        self._again = True
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read_again())

    async def close(self) -> None:
        """Follow no longer."""
        self._storage.app.after_commit.remove(self._committed)
        if self._reading:
            await stopped(self._reading)

    async def _read_again(self) -> None:
        while self._again:
            self._again = False
            await self.read()

    def _committed(self, session: AsyncSession) -> None:
        found: frozenset[str] | None = session.info.get(_MARK)
        if found is not None:
            self._open = found


async def _read(session: AsyncSession, connectors: Connectors) -> frozenset[str]:
    rows, active = await repository.settings(session), await repository.active(session)
    return frozenset(
        connector.name
        for connector in connectors
        if (connector.name not in rows or rows[connector.name].enabled)
        and any(active.get(category) == connector.name for category in connector.categories)
    )
