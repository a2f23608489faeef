"""What runs ask of other features."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.feature import Fact
from bailiwick.runs.models import Run


@dataclass(frozen=True, slots=True)
class KnowsCycle(Fact):
    """Knows the fetch cycle that the work of a run came of."""

    find: Callable[[AsyncSession, Run], Awaitable[str | None]]
