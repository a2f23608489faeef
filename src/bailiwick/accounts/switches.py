"""Which connectors offer their own tools: enabled ones that are active in a category.

It is asked at every listing of tools, so it is answered from memory. The event of a change carries
the new state, which applies as the transaction commits.
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.connectors.registry import Connectors
from bailiwick.kit.eventlog import Event, Recorded, record

CHANGED = "connectors.switched"


async def emit(session: AsyncSession, connectors: Connectors) -> None:
    """Record the switches' state after this transaction."""
    await session.flush()
    found = await read(session, connectors)
    record(session, Event(CHANGED, audience=(), data={"open": sorted(found)}))


class Switches:
    """The connectors that offer their tools at present."""

    def __init__(self, found: frozenset[str]) -> None:
        self._open = found

    def is_open(self, connector: str) -> bool:
        """Whether a connector's own tools are offered."""
        return connector in self._open

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Apply the newest event."""
        for event in batch:
            if event.type == CHANGED:
                self._open = frozenset(event.data["open"])


async def read(session: AsyncSession, connectors: Connectors) -> frozenset[str]:
    """Read the open connectors from the database."""
    rows, active = await repository.settings(session), await repository.active(session)
    return frozenset(
        connector.name
        for connector in connectors
        if (connector.name not in rows or rows[connector.name].enabled)
        and any(active.get(category) == connector.name for category in connector.categories)
    )
