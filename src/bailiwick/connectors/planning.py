"""The protocols of calendars and task lists: sketched, so that a connector can declare them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RemoteEvent:
    """An entry of a calendar."""

    remote_id: str
    title: str
    starts_at: datetime
    ends_at: datetime
    location: str = ""
    attendees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RemoteTask:
    """Something to do on a provider's list."""

    remote_id: str
    title: str
    notes: str = ""
    due: date | None = None
    done: bool = False


class Calendar(Protocol):
    """One account's calendars."""

    async def events(self, start: datetime, end: datetime) -> Sequence[RemoteEvent]:
        """What lies between two moments."""
        ...

    async def add(self, event: RemoteEvent) -> str:
        """Put an entry in; its remote id."""
        ...

    async def remove(self, remote_id: str) -> None:
        """Take an entry out."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class TaskList(Protocol):
    """One account's list of tasks."""

    async def tasks(self) -> Sequence[RemoteTask]:
        """All that are open."""
        ...

    async def add(self, task: RemoteTask) -> str:
        """Put one on; its remote id."""
        ...

    async def set_done(self, remote_id: str, *, done: bool) -> None:
        """Tick it off, or take the tick away."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
