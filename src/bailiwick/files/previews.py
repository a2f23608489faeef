"""Previews, made in the background in the extraction process."""

import base64
from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.files import contents, events, reading, service
from bailiwick.files.models import PreviewStatus, StoredFile
from bailiwick.files.store import FileStore
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Queue
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office

PREVIEW = "files.preview"
QUEUE = Queue("previews", per_partition=2, per_process=2, poll_seconds=1.0)
# What is larger is not held in memory for a picture of it.
LARGEST = 32 * 1024 * 1024


async def make(office: Office, file_id: str) -> str:
    """Make the preview of a file that has none; says what came of it."""
    async with office.storage.app.read() as session:
        file = await session.get(StoredFile, file_id)
    if file is None or file.preview_status != "pending":
        return "nothing to do"
    status, said = await _made(office, file)
    picture = await _kept(office, said.get("thumbnail"))
    async with office.storage.app.write() as session:
        row = await session.get(StoredFile, file_id)
        if row is not None:
            row.preview_status, row.thumbnail = status, picture
            row.page_count, row.text_excerpt = said.get("pages"), said.get("excerpt")
            events.emit(session, row, events.PREVIEWED, by=None)
    return status


async def _made(office: Office, file: StoredFile) -> tuple[PreviewStatus, dict[str, Any]]:
    if file.size > LARGEST:
        return "unavailable", {}
    try:
        content = await contents.whole(office[FileStore].contents, file.blob, size=file.size)
    except NotFound:
        return "failed", {}
    thing = file.mime_type.encode() + b"\x00" + content
    (said,) = await office.extractor.read(reading.PREVIEW, [thing])
    return ("generated", said) if said else ("failed", {})


async def _kept(office: Office, encoded: str | None) -> str | None:
    if encoded is None:
        return None
    blob = office[FileStore].contents.folder.incoming()
    try:
        blob.write(base64.b64decode(encoded))
        return await service.keep_blob(office, blob)
    finally:
        blob.drop()


async def _uploads(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    return {event.position for event in batch if event.type == events.UPLOADED}


WAKES = [Wake(PREVIEW, _uploads, arguments=lambda event: (event.subject_id,))]
