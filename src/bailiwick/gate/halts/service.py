"""The panic stop: raised by anyone, seen by every process within a second, kept over restarts."""

import time
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.gate.models import Halt
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.kit import clock
from bailiwick.kit.db import Storage
from bailiwick.kit.engine import flags
from bailiwick.kit.eventlog import Recorded

RAISED, RELEASED = "halt.raised", "halt.released"
# Steps under way watch this flag, because nothing else interrupts them.
FLAG = "halt"
# Other processes hear of it by an event; if that is lost, they look this often.
_LOOK_SECONDS = 0.5
_ROW = 1


class Halts:
    """What this process knows of the stop."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._is_alone = storage.kind == "sqlite"
        self._up: bool | None = None
        self._looked = 0.0

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Look again when it was raised or released somewhere."""
        if any(event.type in (RAISED, RELEASED) for event in batch):
            self.forget()

    def forget(self) -> None:
        """Look again at the next call."""
        self._up = None

    async def is_up(self) -> bool:
        """Whether everything is stopped; where other processes write, never older than a second."""
        known = self._up
        if known is not None and (
            self._is_alone or time.monotonic() - self._looked < _LOOK_SECONDS
        ):
            return known
        self._looked = time.monotonic()
        async with self._storage.app.read() as session:
            self._up = await find(session) is not None
        return self._up

    async def who(self) -> str:
        """Who stopped it and when, for whoever is refused."""
        async with self._storage.app.read() as session:
            row = await find(session)
        return f" by {row.by} since {row.at:%Y-%m-%d %H:%M} UTC" if row else ""


async def find(session: AsyncSession) -> Halt | None:
    """The stop, if everything is stopped."""
    return await session.get(Halt, _ROW)


async def stop(session: AsyncSession, principal: Principal, *, reason: str) -> Halt:
    """Stop everything; said twice, the first word stays."""
    if found := await find(session):
        return found
    row = Halt(id=_ROW, at=clock.now(), by=principal.name, reason=reason)
    session.add(row)
    await flags.hoist(session, FLAG)
    _record(session, principal, RAISED, {"reason": reason})
    return row


async def release(session: AsyncSession, principal: Principal) -> None:
    """Let calls through again."""
    row = await find(session)
    if row is None:
        raise Conflict("Nothing is stopped.")
    await session.delete(row)
    await flags.lower(session, FLAG)
    _record(session, principal, RELEASED, {})


def _record(
    session: AsyncSession, principal: Principal, action: str, values: changes.Values
) -> None:
    changes.record(
        session,
        principal.actor,
        action=action,
        subject="halt",
        after=values,
        to=(audience.EVERYONE,),
    )
