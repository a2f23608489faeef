"""The compiled filters of each workspace, compiled again only after a change.

A change is detected by a query on the caller's own session, so the answer fits what that session
sees, in every process.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import settings
from bailiwick.kit.engine.schedules import local_zone
from bailiwick.mail.filters import repository
from bailiwick.mail.filters.compiled import CompiledFilters, FilterEntry
from bailiwick.mail.filters.repository import Stamp

_KEPT = 200  # people in workspaces


@dataclass(frozen=True, slots=True)
class _CachedFilters:
    stamp: Stamp
    filters: CompiledFilters


class FilterCache:
    """The compiled filters of each person in a workspace."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str], _CachedFilters] = OrderedDict()

    async def of(self, session: AsyncSession, workspace_id: str, owner_id: str) -> CompiledFilters:
        """The filters of someone in a workspace that are on, in their order."""
        whose = (workspace_id, owner_id)
        stamp = await repository.stamp(session, *whose)
        held = self._held.get(whose)
        if held is None or held.stamp != stamp:
            rows = await repository.enabled(session, *whose)
            entries = [FilterEntry.of(row) for row in rows]
            held = _CachedFilters(stamp, await asyncio.to_thread(CompiledFilters, entries))
            self._held[whose] = held
        self._held.move_to_end(whose)
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)
        return held.filters


async def zone(session: AsyncSession) -> str:
    """The office's time zone, in which dates are matched."""
    return (await settings.stored(session)).time_zone or local_zone()
