"""Requests one after the other, each with the events that it leaves."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
from sqlalchemy import select

from bailiwick.accounts import switches
from bailiwick.kit.correlation import HEADER
from bailiwick.kit.eventlog.models import EventRow
from support.office import API, Office


class Told(NamedTuple):
    """What an event says."""

    type: str
    audience: set[str]
    actor: str | None
    subject: str | None
    workspace: str | None = None
    data: dict[str, Any] = {}  # noqa: RUF012


@dataclass
class Walk:
    """Requests one after the other, each with what it left in the log."""

    office: Office
    routes: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)

    async def __call__(
        self, who: httpx.AsyncClient, route: str, /, *ids: str, **options: Any
    ) -> tuple[Any, list[Told]]:
        """One request that must go well; returns its answer and the events of its trace."""
        self.routes.add(route)
        method, _, path = route.partition(" ")
        for id in ids:
            path = path[: path.index("{")] + id + path[path.index("}") + 1 :]
        trace = f"trace-{len(await self.rows())}-{method}"
        headers = {HEADER: trace, **options.pop("headers", {})}
        answer = await who.request(method, API + path, headers=headers, **options)
        assert answer.is_success, f"{route}: {answer.text}"
        assert answer.headers[HEADER] == trace
        return answer.json() if answer.content else None, await self.told(trace)

    async def told(self, trace: str) -> list[Told]:
        rows = [row for row in await self.rows() if row.trace_id == trace]
        # Which connectors are open is for the processes of the office: nobody is told.
        found = [row for row in rows if row.type != switches.CHANGED]
        assert all(not row.audience for row in rows if row not in found)
        self.types |= {row.type for row in found}
        return [told_by(row) for row in found]

    async def rows(self) -> list[EventRow]:
        async with self.office.product.storage.app.read() as session:
            return list(await session.scalars(select(EventRow).order_by(EventRow.position)))


def told_by(row: EventRow) -> Told:
    return Told(
        row.type, set(row.audience), row.actor_id, row.subject_id, row.workspace_id, row.data
    )


class Part(NamedTuple):
    """A part of the API, the requests that change something in it, and what they tell of."""

    walk: Callable[[Walk], Awaitable[None]]
    routes: set[str]
    types: set[str]


PARTS: dict[str, Part] = {}


def part(*routes: str, tells: str) -> Callable[[Callable[[Walk], Awaitable[None]]], None]:
    def add(walk: Callable[[Walk], Awaitable[None]]) -> None:
        PARTS[walk.__name__] = Part(walk, set(routes), set(tells.split()))

    return add


def person(id: str) -> set[str]:
    return {"admins", f"user:{id}"}
