"""The tags that people and agents give files, and all SQL of them."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.library.index import repository
from bailiwick.library.index.models import FileTag, IndexedFile


async def add(session: AsyncSession, number: int, tags: Sequence[str]) -> list[str]:
    """Give a file tags; returns those that it did not have."""
    has = set(await session.scalars(select(FileTag.tag).where(FileTag.number == number)))
    new = [tag for tag in dict.fromkeys(tags) if tag not in has]
    if new:
        await session.execute(
            insert(FileTag), [{"number": number, "tag": tag, "written": False} for tag in new]
        )
        await repository.reindex(session, [number])
    return new


async def take(session: AsyncSession, number: int, tags: Sequence[str]) -> list[str]:
    """Take tags away; returns those that it had. What its front matter says stays."""
    given = FileTag.number == number, FileTag.tag.in_(tags), FileTag.written.is_(False)
    had = list(await session.scalars(select(FileTag.tag).where(*given)))
    await session.execute(delete(FileTag).where(*given))
    await repository.reindex(session, [number])
    return had


async def of_notebooks(
    session: AsyncSession, notebook_ids: Collection[str], *, most: int
) -> list[tuple[str, int]]:
    """The tags in use, each with how many files have it, the most used first."""
    statement = (
        select(FileTag.tag, func.count())
        .join(IndexedFile, IndexedFile.number == FileTag.number)
        .where(IndexedFile.notebook_id.in_(notebook_ids), IndexedFile.gone_at.is_(None))
        .group_by(FileTag.tag)
        .order_by(func.count().desc(), FileTag.tag)
        .limit(most)
    )
    return [(row[0], row[1]) for row in await session.execute(statement)]
