"""Handing a file out: the link, the content behind it in whole or in part, and its picture."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader, reader_of
from bailiwick.errors import Forbidden, NotFound
from bailiwick.files import accesses, kinds, service, views
from bailiwick.files.links import FileLink
from bailiwick.files.models import StoredFile
from bailiwick.files.schemas import DownloadLinkOut
from bailiwick.files.store import FileStore
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.kit.http import downloads as handed
from bailiwick.office import Office

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")
_THUMBNAIL = "image/webp"
_MOST_THUMBNAIL = 1_000_000
_NO = "There is no such file, or you may not have it."


@dataclass(frozen=True, slots=True)
class GivenLink:
    """A link as someone follows it."""

    file_id: str
    thread_id: str
    expires: int
    token: str


async def link(
    session: AsyncSession,
    office: Office,
    request: Request,
    reader: Reader,
    file_id: str,
    thread_id: str | None,
) -> DownloadLinkOut:
    """A link for someone who may have a file."""
    await _allowed(session, office, reader, file_id, thread_id)
    made = FileLink.new(file_id, reader.id, thread_id)
    query = f"thread={made.thread_id}&expires={made.expires}&token={made.token(office.hasher)}"
    return DownloadLinkOut(
        download_url=views.address(office, request, f"{file_id}/content?{query}"),
        expires_at=made.expires_at,
        file_id=file_id,
    )


async def content(
    office: Office, request: Request, who: Principal, given: GivenLink, *, to_keep: bool
) -> Response:
    """The content that a link leads to; who lost the right to it since has lost the link too."""
    thread_id = given.thread_id or None
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        made = FileLink(given.file_id, reader.id, given.thread_id, given.expires)
        made.check(office.hasher, given.token)
        file = await _allowed(session, office, reader, given.file_id, thread_id)
    await accesses.note(
        office, request, reader, file, action="download", thread_id=thread_id, once=given.token
    )
    return await _sent(office, request, file, to_keep=to_keep)


async def looked_at(
    office: Office, request: Request, who: Principal, file_id: str, thread_id: str | None
) -> tuple[Reader, StoredFile]:
    """Who looks, and a file whose preview they may see; it is noted once an hour."""
    async with office.storage.app.read() as session:
        reader = await reader_of(session, who)
        file = await service.seen(session, office, reader, file_id, thread_id)
    once = f"preview:{file.id}:{reader.id}:{thread_id}:{clock.now():%Y%m%d%H}"
    await accesses.note(
        office, request, reader, file, action="preview", thread_id=thread_id, once=once
    )
    return reader, file


async def thumbnail(office: Office, file: StoredFile) -> Response:
    """The picture of a preview, which we made ourselves."""
    if file.thumbnail is None:
        raise NotFound("There is no picture of this file, or not yet.")
    picture = await office[FileStore].contents.small(file.thumbnail, most=_MOST_THUMBNAIL)
    return handed.download(picture, "preview.webp", media_type=_THUMBNAIL, inline=True)


async def _allowed(
    session: AsyncSession, office: Office, reader: Reader, file_id: str, thread_id: str | None
) -> StoredFile:
    try:
        return await service.seen(session, office, reader, file_id, thread_id)
    except NotFound:
        raise Forbidden(_NO) from None


async def _sent(office: Office, request: Request, file: StoredFile, *, to_keep: bool) -> Response:
    kind, inline = _served_as(file.mime_type)
    headers = handed.headers(file.title, inline=inline and not to_keep)
    headers["Accept-Ranges"] = "bytes"
    part = _RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    is_part = part is not None and part[0] != "bytes=-"
    start, end = _ends(part[1], part[2], file.size) if part and is_part else (0, file.size)
    if is_part and start >= end:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{file.size}"})
    if is_part:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    headers["Content-Length"] = str(end - start)
    pieces = await _begun(
        office[FileStore].contents.read(file.blob, size=file.size, start=start, end=end)
    )
    return StreamingResponse(pieces, 206 if is_part else 200, headers=headers, media_type=kind)


def _served_as(kind: str) -> tuple[str, bool]:
    """As what a browser gets it: nothing that could act there is shown in its place."""
    if kind in kinds.PICTURES or kind in kinds.PLAYED:
        return kind, True
    if kind.startswith("text/"):
        return "text/plain; charset=utf-8", True
    return ("application/pdf" if kind == "application/pdf" else "application/octet-stream"), False


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    """From where to before where; nothing where there is no such range."""
    if not first:
        return max(0, size - int(last)), size
    return int(first), min(size, int(last) + 1 if last else size)


async def _begun(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same, with the first piece at hand: what is not there is told before the answer."""
    first = await anext(pieces, b"")

    async def rest() -> AsyncIterator[bytes]:
        yield first
        async for piece in pieces:
            yield piece

    return rest()
