"""All SQL of uploaded files."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, exists, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.files.models import FileAccess, FileBlob, FileUpload, FileUse, StoredFile
from bailiwick.kit.http.pages import PageRequest, Rows, paginate

GONE = "That file does not exist, or you may not see it."


async def own(session: AsyncSession, reader: Reader, id: str) -> StoredFile:
    """A file of someone's own, or `NotFound`."""
    statement = select(StoredFile).where(StoredFile.id == id, reader.owns(StoredFile.owner_id))
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def several(
    session: AsyncSession, reader: Reader, ids: Collection[str]
) -> dict[str, StoredFile]:
    """Those of some files that are someone's own."""
    statement = select(StoredFile).where(StoredFile.id.in_(ids), reader.owns(StoredFile.owner_id))
    return {row.id: row for row in await session.scalars(statement)}


async def listed(
    session: AsyncSession, reader: Reader, page: PageRequest, *, words: str
) -> Rows[StoredFile]:
    """Someone's files, newest first."""
    statement = select(StoredFile).where(reader.owns(StoredFile.owner_id))
    for word in words.split()[:8]:
        statement = statement.where(
            or_(
                StoredFile.title.icontains(word, autoescape=True),
                StoredFile.description.icontains(word, autoescape=True),
            )
        )
    return await paginate(session, statement, page, by=(StoredFile.created_at, StoredFile.id))


async def is_in(session: AsyncSession, file_id: str, thread_id: str) -> bool:
    """Whether a thread has a file."""
    statement = select(exists().where(FileUse.file_id == file_id, FileUse.thread_id == thread_id))
    return bool(await session.scalar(statement))


async def accesses(session: AsyncSession, file_id: str, page: PageRequest) -> Rows[FileAccess]:
    """Who had a file, newest first."""
    statement = select(FileAccess).where(FileAccess.file_id == file_id)
    return await paginate(session, statement, page, by=(FileAccess.at, FileAccess.key))


async def release(session: AsyncSession, *, message_id: str, since: datetime) -> None:
    """A message has its files no longer."""
    await _released(session, FileUse.message_id == message_id, since)


async def release_threads(
    session: AsyncSession, thread_ids: Collection[str], since: datetime
) -> None:
    """Threads have their files no longer."""
    await _released(session, FileUse.thread_id.in_(thread_ids), since)


async def release_workspace(session: AsyncSession, workspace_id: str, since: datetime) -> None:
    """The threads of a workspace have their files no longer."""
    await _released(session, FileUse.workspace_id == workspace_id, since)


async def _released(session: AsyncSession, which: object, since: datetime) -> None:
    held = select(FileUse.file_id).where(which)  # pyright: ignore[reportArgumentType]
    await session.execute(
        update(StoredFile).where(StoredFile.id.in_(held)).values(unused_since=since)
    )
    await session.execute(delete(FileUse).where(which))  # pyright: ignore[reportArgumentType]


async def unused(session: AsyncSession, before: datetime, *, limit: int) -> Sequence[StoredFile]:
    """Files that have been in no message since before a moment."""
    used = select(FileUse.file_id).where(FileUse.file_id == StoredFile.id)
    statement = select(StoredFile).where(StoredFile.unused_since < before, ~used.exists())
    return (await session.scalars(statement.limit(limit))).all()


async def unused_blobs(session: AsyncSession, before: datetime) -> Sequence[str]:
    """Contents from before a moment that no file has."""
    used = select(StoredFile.id).where(
        or_(StoredFile.blob == FileBlob.name, StoredFile.thumbnail == FileBlob.name)
    )
    statement = select(FileBlob.name).where(FileBlob.kept_at < before, ~used.exists())
    return (await session.scalars(statement)).all()


async def forget_blobs(session: AsyncSession, names: Collection[str], before: datetime) -> None:
    """Forget removed contents, except those that were stored again meanwhile."""
    old = FileBlob.kept_at < before
    await session.execute(delete(FileBlob).where(FileBlob.name.in_(names), old))


async def upload(session: AsyncSession, reader: Reader, id: str) -> FileUpload:
    """An upload of someone's own, or `NotFound`."""
    statement = select(FileUpload).where(FileUpload.id == id, reader.owns(FileUpload.owner_id))
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound("That upload does not exist, is over, or has expired. Begin a new one.")
    return found


async def count_uploads(session: AsyncSession, owner_id: str) -> int:
    """How many uploads of someone are under way."""
    statement = select(func.count()).select_from(FileUpload)
    return await session.scalar(statement.where(FileUpload.owner_id == owner_id)) or 0


async def advance(
    session: AsyncSession, id: str, *, offset: int, to: int, parts: Sequence[str]
) -> bool:
    """Note that more of an upload is here; False if someone else went on with it."""
    statement = update(FileUpload).where(FileUpload.id == id, FileUpload.offset == offset)
    values = statement.values(offset=to, parts=list(parts))
    done = await session.execute(values.returning(FileUpload.id))
    return done.scalar() is not None


async def expired_uploads(session: AsyncSession, before: datetime) -> Sequence[FileUpload]:
    """Uploads that were begun before a moment, and are not over."""
    statement = select(FileUpload).where(FileUpload.created_at < before)
    return (await session.scalars(statement)).all()
