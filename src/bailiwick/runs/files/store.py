"""Keeps files of sessions: read elsewhere, stored once, and removed when no session has them."""

import asyncio
import base64
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict, Invalid, NotFound
from bailiwick.kit import clock, ids
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.kit.db.chunks import chunks
from bailiwick.office import Office
from bailiwick.runs.files import reading, repository
from bailiwick.runs.models import Run, RunBlob, RunFile, RunMessage, RunUpload
from bailiwick.tools.facts import AttachedFile

MOST = 10  # in one message, or of one tool call
_MOST_WAITING = 50
_LONGEST_NAME = 100
_DOMAIN = "runs"
_GRACE = timedelta(days=1)
# A file as the transcript has it: name, media_type, size, width, height, pages, text and blob.
KeptFile = dict[str, Any]


def own(blobs: BlobFolder) -> BlobFolder:
    """The blobs of sessions."""
    return blobs.apart(_DOMAIN)


async def upload(office: Office, user_id: str, file: AttachedFile) -> RunUpload:
    """Keep a file that someone wants to attach to a message."""
    (kept,) = await keep(office, [file])
    if refused := kept.get("refused"):
        raise Invalid.field("body", refused)
    async with office.storage.app.write() as session:
        if await repository.count_uploads(session, user_id) >= _MOST_WAITING:
            raise Conflict("Many files wait to be sent. Send them first, or wait until tomorrow.")
        row = RunUpload(
            id=ids.new("upl"),
            user_id=user_id,
            blob=kept["blob"],
            file=kept,
            created_at=clock.now(),
        )
        session.add(row)
    return row


async def keep(office: Office, files: Sequence[AttachedFile]) -> list[KeptFile]:
    """Files as transcripts have them, their contents stored; or why one is `refused`."""
    read = await office.extractor.read(reading.READ, [file.content for file in files])
    made = await asyncio.to_thread(
        lambda: [_stored(own(office.blobs), *pair) for pair in zip(files, read, strict=True)]
    )
    now = clock.now()
    async with office.storage.app.write() as session:
        for blob in {each["blob"] for each in made if "blob" in each}:
            await session.merge(RunBlob(name=blob, kept_at=now))
    return made


async def keep_read(office: Office, run_id: str, files: Sequence[AttachedFile]) -> list[KeptFile]:
    """Files that a tool read in a run, kept as long as it; what cannot be kept is left out."""
    kept = [file for file in await keep(office, files[:MOST]) if "refused" not in file]
    async with office.storage.app.write() as session:
        run = await session.get(Run, run_id)
        if run is None:
            return []
        await hold(session, run, kept)
    return kept


async def taken(session: AsyncSession, user_id: str | None, given: Sequence[str]) -> list[KeptFile]:
    """The uploads of these ids, which are used up."""
    found = await repository.uploads(session, user_id or "", given)
    if missing := [id for id in given if id not in found]:
        raise Invalid.field("files", f"{missing[0]} is no file that you have sent and not used")
    for row in found.values():
        await session.delete(row)
    return [found[id].file for id in dict.fromkeys(given)]


async def hold(session: AsyncSession, run: Run, files: Sequence[KeptFile]) -> None:
    """Note that a run has files, so that they stay as long as it does."""
    for blob in {file["blob"] for file in files}:
        await session.merge(RunFile(run_id=run.id, blob=blob))


async def content(
    session: AsyncSession, blobs: BlobFolder, run_id: str, *, position: int, number: int
) -> tuple[KeptFile, bytes]:
    """One file of a message."""
    row = await session.get(RunMessage, (run_id, position))
    files: list[KeptFile] = (row.files if row else None) or []
    if number >= len(files):
        raise NotFound("There is no such file in this session.")
    return files[number], await asyncio.to_thread(blobs.read, files[number]["blob"])


async def forget_unused(storage: Storage, blobs: BlobFolder) -> int:
    """Remove day-old files that no session has any more; return how many."""
    before = clock.now() - _GRACE
    async with storage.app.write() as session:
        await repository.forget_uploads(session, before)
    async with storage.app.read() as session:
        unused = await repository.unused_blobs(session, before)
    removed = [
        name
        for name in unused
        if await asyncio.to_thread(own(blobs).remove, name, unless_put_since=before)
    ]
    for some in chunks(removed):
        async with storage.app.write() as session:
            await repository.forget_blobs(session, some, before)
    return len(removed)


def _stored(blobs: BlobFolder, file: AttachedFile, read: dict[str, Any] | None) -> KeptFile:
    name = " ".join(file.name.split())[:_LONGEST_NAME] or "file"
    facts = read or {"refused": "could not be read"}
    if "refused" in facts:
        return {"name": name, **facts}
    encoded = facts.pop("content", None)
    content = base64.b64decode(encoded) if encoded else file.content
    return {"name": name, "size": len(content), "blob": blobs.put(content), **facts}
