"""All SQL of the installation's one row."""

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.models import Instance


async def find(session: AsyncSession) -> Instance | None:
    """This installation, unless this is its first start."""
    return (await session.scalars(select(Instance))).one_or_none()


async def get(session: AsyncSession) -> Instance:
    """This installation."""
    return (await session.scalars(select(Instance))).one()


async def seen(session: AsyncSession, at: datetime) -> None:
    """Remember when it was last alive."""
    await session.execute(update(Instance).values(last_seen_at=at))
