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

_KEPT = 200  # workspaces


@dataclass(frozen=True, slots=True)
class _CachedFilters:
    stamp: Stamp
    filters: CompiledFilters


class FilterCache:
    """The compiled filters of each workspace."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, _CachedFilters] = OrderedDict()

    async def of(self, session: AsyncSession, workspace_id: str) -> CompiledFilters:
        """The filters of a workspace that are on, in their order."""
        stamp = await repository.stamp(session, workspace_id)
        held = self._held.get(workspace_id)
        if held is None or held.stamp != stamp:
            rows = await repository.enabled(session, workspace_id)
            entries = [FilterEntry.of(row) for row in rows]
            held = _CachedFilters(stamp, await asyncio.to_thread(CompiledFilters, entries))
            self._held[workspace_id] = held
        self._held.move_to_end(workspace_id)
        if len(self._held) > _KEPT:
            self._held.popitem(last=False)
        return held.filters


async def zone(session: AsyncSession) -> str:
    """The office's time zone, in which dates are matched."""
    return (await settings.stored(session)).time_zone or local_zone()
