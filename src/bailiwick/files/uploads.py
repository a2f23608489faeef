"""Uploads that survive a broken connection: what came is kept, and the rest follows.

The pieces lie in a folder of their own until all of it is here, encrypted if there is a data key.
A piece counts once the row names it, so two requests that send the same place cannot mix.
"""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

from starlette.requests import ClientDisconnect

from bailiwick.accounts.reader import reader_of
from bailiwick.errors import Conflict, Invalid
from bailiwick.files import kinds, repository, service
from bailiwick.files.forms import gathered
from bailiwick.files.incoming import IncomingFile, ReceivedFile, taken_kind, titled
from bailiwick.files.models import FileUpload, StoredFile
from bailiwick.files.schemas import FileAboutIn, FileUploadIn
from bailiwick.files.store import FileStore
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock, ids, streamcipher
from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER
from bailiwick.office import Office

FOLDER = "uploads"
KEPT = timedelta(days=1)
_MOST = 20  # of one person at a time
_PART = 8 * 1024 * 1024
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class UploadPart:
    """A piece of an upload on the disk; it is whole after `end`."""

    def __init__(self, office: Office, upload_id: str) -> None:
        folder = office.data / FOLDER / upload_id
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        self.path = folder / ids.new("part")
        self.size = 0
        self._file = os.fdopen(os.open(self.path, _NEW, PRIVATE_FILE), "wb")
        key = office.data_key
        self._cipher = streamcipher.EncryptingWriter(self._file, key) if key else None

    def write(self, piece: bytes) -> None:
        """Take more."""
        self.size += len(piece)
        (self._cipher or self._file).write(piece)

    def end(self) -> None:
        """Make it durable."""
        if self._cipher:
            self._cipher.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def drop(self) -> None:
        """Leave nothing of it."""
        self._file.close()
        self.path.unlink(missing_ok=True)


async def begin(office: Office, who: Principal, wanted: FileUploadIn) -> FileUpload:
    """Begin an upload."""
    async with office.storage.app.write() as session:
        reader = await reader_of(session, who)
        if await repository.count_uploads(session, reader.id) >= _MOST:
            raise Conflict(f"{_MOST} uploads are under way. End one of them first.")
        row = FileUpload(
            id=ids.new("fup"),
            owner_id=reader.id,
            title=titled(wanted.title),
            size=wanted.size,
            offset=0,
            parts=[],
            about=wanted.metadata.model_dump(),
            created_at=clock.now(),
        )
        session.add(row)
    return row


async def get(office: Office, who: Principal, upload_id: str) -> FileUpload:
    """An upload of one's own."""
    async with office.storage.app.read() as session:
        return await repository.upload(session, await reader_of(session, who), upload_id)


async def give_up(office: Office, who: Principal, upload_id: str) -> None:
    """End an upload before all of it is here."""
    row = await get(office, who, upload_id)
    await _forget(office, row)


async def go_on(
    office: Office,
    who: Principal,
    upload_id: str,
    pieces: AsyncIterator[bytes],
    *,
    offset: int | None,
) -> tuple[FileUpload, StoredFile | None]:
    """Take more of an upload from a place on; the file, once all of it is here."""
    row = await get(office, who, upload_id)
    if offset is None:
        raise Invalid.field("Upload-Offset", "is missing: from which byte on is it?")
    if offset != row.offset:
        raise _elsewhere(row.offset)
    try:
        await _take(office, row, pieces)
    except ClientDisconnect:
        raise Invalid.field("body", "was cut off; go on from where it ended") from None
    if row.offset < row.size:
        return row, None
    return row, await _finish(office, who, row)


async def _take(office: Office, row: FileUpload, pieces: AsyncIterator[bytes]) -> None:
    part = UploadPart(office, row.id)
    try:
        async for piece in gathered(pieces):
            if row.offset + part.size + len(piece) > row.size:
                raise Invalid.field("body", f"has more than the {row.size:,} bytes announced")
            if row.offset == part.size == 0 and len(piece) >= min(kinds.HEAD, row.size):
                taken_kind(piece[: kinds.HEAD], row.title)
            await asyncio.to_thread(part.write, piece)
            if part.size >= _PART:
                await _count(office, row, part)
                part = UploadPart(office, row.id)
    except Invalid:
        part.drop()
        raise
    except BaseException:
        # Whatever broke: what came until then is here.
        await asyncio.shield(_count(office, row, part))
        raise
    await _count(office, row, part)


async def _count(office: Office, row: FileUpload, part: UploadPart) -> None:
    if not part.size:
        part.drop()
        return
    await asyncio.to_thread(part.end)
    to, parts = row.offset + part.size, [*row.parts, part.path.name]
    async with office.storage.app.write() as session:
        if not await repository.advance(session, row.id, offset=row.offset, to=to, parts=parts):
            part.drop()
            raise Conflict("Another request went on with this upload. Ask how far it is.")
    row.offset, row.parts = to, parts


async def _finish(office: Office, who: Principal, row: FileUpload) -> StoredFile:
    incoming = IncomingFile(office[FileStore].contents.folder, row.title)
    try:
        received = await asyncio.to_thread(_joined, office, row, incoming)
    except Invalid:
        incoming.blob.drop()
        await _forget(office, row)
        raise
    except BaseException:
        incoming.blob.drop()
        raise
    about = FileAboutIn.model_validate(row.about)
    file = await service.keep(office, who, received, incoming.blob, about)
    await _forget(office, row)
    return file


def _joined(office: Office, row: FileUpload, incoming: IncomingFile) -> ReceivedFile:
    key = office.data_key
    for name in row.parts:
        with (_folder(office, row.id) / name).open("rb") as file:
            source = streamcipher.DecryptingReader(file, key) if key else file
            while piece := source.read(streamcipher.CHUNK):
                incoming.write(piece)
    return incoming.end()


async def _forget(office: Office, row: FileUpload) -> None:
    async with office.storage.app.write() as session:
        if known := await session.get(FileUpload, row.id):
            await session.delete(known)
    await asyncio.to_thread(shutil.rmtree, _folder(office, row.id), ignore_errors=True)


async def forget_expired(office: Office) -> None:
    """Remove uploads that nobody went on with."""
    async with office.storage.app.read() as session:
        expired = await repository.expired_uploads(session, clock.now() - KEPT)
    for row in expired:
        await _forget(office, row)


def _folder(office: Office, upload_id: str) -> Path:
    return office.data / FOLDER / upload_id


def _elsewhere(offset: int) -> Conflict:
    return Conflict(
        f"The upload goes on at byte {offset:,}.",
        errors={"Upload-Offset": [f"must be {offset}"]},
        headers={"Upload-Offset": str(offset)},
    )
