"""Verbs of uploaded files."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import NotFound
from bailiwick.files import events, kinds, repository
from bailiwick.files.incoming import ReceivedFile
from bailiwick.files.models import FileBlob, FileUse, StoredFile
from bailiwick.files.schemas import FileAboutChangeIn, FileAboutIn
from bailiwick.files.store import FileStore, ReadsThread
from bailiwick.identity.principal import Principal
from bailiwick.instance.changes import Actor
from bailiwick.kit import blobs, clock, ids
from bailiwick.kit.blobs import IncomingBlob
from bailiwick.kit.db.chunks import chunks
from bailiwick.office import Office

UNUSED_KEPT = timedelta(days=30)
_GRACE = timedelta(days=1)
_BATCH = 200
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)


async def keep(
    office: Office, who: Principal, received: ReceivedFile, blob: IncomingBlob, about: FileAboutIn
) -> StoredFile:
    """Make a file of what was received."""
    try:
        name = await keep_blob(office, blob)
    finally:
        blob.drop()
    now = clock.now()
    async with office.storage.app.write() as session:
        reader = await reader_of(session, who)
        file = StoredFile(
            id=ids.new("file", length=16),
            owner_id=reader.id,
            title=received.title,
            size=received.size,
            mime_type=received.mime_type,
            checksum=received.checksum,
            blob=name,
            **about.model_dump(),
            preview_status="pending" if kinds.has_preview(received.mime_type) else "unavailable",
            created_at=now,
            unused_since=now,
        )
        session.add(file)
        await session.flush()
        events.emit(session, file, events.UPLOADED, by=who.id)
    return file


async def keep_blob(office: Office, blob: IncomingBlob) -> str:
    """Store a content; it is noted first, so that nobody takes it for one that is not needed."""
    name = blob.end()
    async with office.storage.app.write() as session:
        await session.merge(FileBlob(name=name, kept_at=clock.now()))
    return await office[FileStore].contents.keep(blob)


async def seen(
    session: AsyncSession, office: Office, reader: Reader, file_id: str, thread_id: str | None
) -> StoredFile:
    """A file of one's own, or of a thread that one may read; `NotFound` otherwise."""
    if thread_id is None:
        return await repository.own(session, reader, file_id)
    file = await session.get(StoredFile, file_id)
    is_open = file and (file.visibility == "thread" or reader.has(file.owner_id))
    if file is None or not is_open or not await repository.is_in(session, file_id, thread_id):
        raise NotFound(repository.GONE)
    for fact in office.facts(ReadsThread):
        if await fact.may(session, reader, thread_id):
            return file
    raise NotFound(repository.GONE)


async def change(
    session: AsyncSession, who: Principal, file: StoredFile, wanted: FileAboutChangeIn
) -> None:
    """Say something else of a file."""
    given = {k: v for k, v in wanted.model_dump(exclude_unset=True).items() if v is not None}
    if any(getattr(file, name) != value for name, value in given.items()):
        for name, value in given.items():
            setattr(file, name, value)
        events.emit(session, file, events.CHANGED, by=who.id)


async def remove(session: AsyncSession, who: Principal, file: StoredFile) -> None:
    """Delete a file; messages that have it only know its name from now on."""
    events.emit(session, file, events.DELETED, by=who.id)
    await session.delete(file)


async def use(
    session: AsyncSession, file_id: str, *, message_id: str, thread_id: str, workspace_id: str
) -> None:
    """Note that a message has a file."""
    await session.merge(
        FileUse(
            file_id=file_id, message_id=message_id, thread_id=thread_id, workspace_id=workspace_id
        )
    )


async def leave_workspace(session: AsyncSession, _: Actor, workspace_id: str) -> None:
    """What only threads of a workspace have goes with it."""
    await repository.release_workspace(session, workspace_id, _LONG_AGO)


async def leave_threads(session: AsyncSession, thread_ids: Sequence[str]) -> None:
    """What only these threads have goes with them."""
    await repository.release_threads(session, thread_ids, _LONG_AGO)


async def forget_unused(office: Office) -> None:
    """Delete files that have long been in no message, and contents that no file has."""
    while True:
        async with office.storage.app.write() as session:
            found = await repository.unused(session, clock.now() - UNUSED_KEPT, limit=_BATCH)
            for file in found:
                events.emit(session, file, events.DELETED, by=None)
                await session.delete(file)
        if not found:
            break
    await _forget_blobs(office)


async def _forget_blobs(office: Office) -> None:
    before, contents = clock.now() - _GRACE, office[FileStore].contents
    blobs.drop_abandoned(contents.folder.folder, before)
    async with office.storage.app.read() as session:
        unused = await repository.unused_blobs(session, before)
    gone = [name for name in unused if await contents.remove(name, unless_put_since=before)]
    for some in chunks(gone):
        async with office.storage.app.write() as session:
            await repository.forget_blobs(session, some, before)
