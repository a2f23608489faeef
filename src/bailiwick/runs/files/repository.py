"""SQL of files in sessions."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.runs.models import RunBlob, RunFile, RunUpload


async def uploads(
    session: AsyncSession, user_id: str, ids: Collection[str]
) -> dict[str, RunUpload]:
    """Those of the uploads that are someone's own."""
    statement = select(RunUpload).where(RunUpload.id.in_(ids), RunUpload.user_id == user_id)
    return {row.id: row for row in await session.scalars(statement)}


async def count_uploads(session: AsyncSession, user_id: str) -> int:
    """How many files someone has sent that are in no message yet."""
    statement = select(func.count()).select_from(RunUpload).where(RunUpload.user_id == user_id)
    return await session.scalar(statement) or 0


async def forget_uploads(session: AsyncSession, before: datetime) -> None:
    """Drop files that were sent before a moment and got into no message."""
    await session.execute(delete(RunUpload).where(RunUpload.created_at < before))


async def unused_blobs(session: AsyncSession, before: datetime) -> Sequence[str]:
    """Blobs from before a moment that no session and no upload refers to."""
    used = select(RunFile.run_id).where(RunFile.blob == RunBlob.name)
    sent = select(RunUpload.id).where(RunUpload.blob == RunBlob.name)
    statement = select(RunBlob.name).where(RunBlob.kept_at < before, ~used.exists(), ~sent.exists())
    return (await session.scalars(statement)).all()


async def forget_blobs(session: AsyncSession, names: Collection[str], before: datetime) -> None:
    """Forget removed blobs, except those that were stored again meanwhile."""
    await session.execute(delete(RunBlob).where(RunBlob.name.in_(names), RunBlob.kept_at < before))
