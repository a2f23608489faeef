"""All SQL of redaction patterns."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.gate.models import RedactionPattern
from bailiwick.gate.redactions.kinds import KINDS

_PLACES = {kind.id: place for place, kind in enumerate(KINDS)}


async def everything(session: AsyncSession) -> Sequence[RedactionPattern]:
    """All patterns: the built-in kinds, then the others by age."""
    rows = await session.scalars(
        select(RedactionPattern).order_by(RedactionPattern.created_at, RedactionPattern.id)
    )
    return sorted(rows, key=_place)


async def get(session: AsyncSession, id: str) -> RedactionPattern:
    """A pattern, or `NotFound`; nobody else changes it meanwhile."""
    statement = select(RedactionPattern).where(RedactionPattern.id == id).with_for_update()
    pattern = (await session.scalars(statement)).one_or_none()
    if pattern is None:
        raise NotFound("That pattern does not exist.")
    return pattern


async def is_named(session: AsyncSession, name: str, *, besides: str) -> bool:
    """Whether another pattern has this name."""
    statement = select(RedactionPattern.id).where(
        RedactionPattern.name == name, RedactionPattern.id != besides
    )
    return await session.scalar(statement) is not None


async def count(session: AsyncSession) -> int:
    """How many patterns people have made."""
    statement = select(func.count(RedactionPattern.id)).where(RedactionPattern.builtin.is_(None))
    return await session.scalar(statement) or 0


def _place(row: RedactionPattern) -> int:
    return _PLACES.get(row.builtin or "", len(KINDS))
