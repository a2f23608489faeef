"""Which connectors' own tools are offered: those that are on, and active in a category of theirs.

Asked at every listing of tools, so it is answered from memory. The event of a change says what is
open after it, so it is in force as the transaction commits.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.connectors.registry import Connectors
from bailiwick.kit.eventlog import Event, Recorded, record

CHANGED = "connectors.switched"


async def emit(session: AsyncSession, connectors: Connectors) -> None:
    """Say what this transaction makes of the switches."""
    await session.flush()
    found = await read(session, connectors)
    record(session, Event(CHANGED, audience=(), data={"open": sorted(found)}))


class Switches:
    """What is open at present."""

    def __init__(self, found: frozenset[str]) -> None:
        self._open = found

    def is_open(self, connector: str) -> bool:
        """Whether a connector's own tools are offered."""
        return connector in self._open

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Take over what the newest change says."""
        for event in batch:
            if event.type == CHANGED:
                self._open = frozenset(event.data["open"])


async def read(session: AsyncSession, connectors: Connectors) -> frozenset[str]:
    """The connectors that are open."""
    rows, active = await repository.settings(session), await repository.active(session)
    return frozenset(
        connector.name
        for connector in connectors
        if (connector.name not in rows or rows[connector.name].enabled)
        and any(active.get(category) == connector.name for category in connector.categories)
    )
