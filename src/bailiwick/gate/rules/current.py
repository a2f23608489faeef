"""Something made from the database that is read once, and again only after a change."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Recorded

T = TypeVar("T")


class Current(Generic[T]):
    """Holds the newest. The events of a change make it read anew, whoever made it."""

    def __init__(
        self,
        storage: Storage,
        read: Callable[[AsyncSession], Awaitable[T]],
        *,
        event_types: tuple[str, ...],
    ) -> None:
        self._storage = storage
        self._read = read
        self._event_types = event_types
        self._held: tuple[int, T] | None = None
        self._version = 0
        self._reading = asyncio.Lock()

    async def current(self) -> T:
        """What is in force now; nothing is read unless something changed."""
        held = self._held
        if held is not None and held[0] == self._version:
            return held[1]
        async with self._reading:
            return await self._newest()

    def forget(self) -> None:
        """Read it anew the next time: someone changed it."""
        self._version += 1

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Forget when the event log tells of a change."""
        if any(event.type.startswith(self._event_types) for event in batch):
            self.forget()

    async def _newest(self) -> T:
        # Once more for a change that was committed while it was read.
        while self._held is None or self._held[0] != self._version:
            version = self._version
            async with self._storage.app.read() as session:
                self._held = version, await self._read(session)
        return self._held[1]
