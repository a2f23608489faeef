"""Original messages: most in the database, compressed; large ones as blobs.

Attachments are stored apart (see `attachments`), and are put back when the whole message is read.
"""

import asyncio
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.kit import clock
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.kit.db.chunks import chunks
from bailiwick.mail import attachments, repository
from bailiwick.mail.attachments import AttachmentWriter
from bailiwick.mail.models import MailMessage, MailPart, RawMessage
from bailiwick.mail.parsing import parse

LARGE = 1_000_000
_DOMAIN = "mail"
_GRACE = timedelta(days=1)
_QUICK = 1
# Compressing less than this is not worth the time.
_SMALL = 8_000
_PLAIN, _PACKED = b"\0", b"\1"


def own(blobs: BlobFolder) -> BlobFolder:
    """The blobs of mail."""
    return blobs.apart(_DOMAIN)


def packed(raw: bytes) -> bytes:
    """The stored form of a message; its first byte names the compression."""
    return _PLAIN + raw if len(raw) <= _SMALL else _PACKED + zlib.compress(raw, _QUICK)


def unpacked(kept: bytes) -> bytes:
    """The original of a stored message."""
    return kept[1:] if kept[:1] == _PLAIN else zlib.decompress(kept[1:])


@dataclass(frozen=True, slots=True)
class RawAttachment:
    """An attachment of a stored message."""

    name: str  # safe to use as a file's name
    type: str
    content: bytes


async def read(session: AsyncSession, blobs: BlobFolder, message: MailMessage) -> bytes:
    """The original message."""
    kept = await session.get(RawMessage, message.number) if not message.raw_blob else None
    if kept is None and not message.raw_blob:
        raise NotFound("That message is not stored here any more.")
    parts = await repository.parts(session, message)
    return await asyncio.to_thread(_whole, own(blobs), message.raw_blob, kept, parts)


async def attached(
    session: AsyncSession, blobs: BlobFolder, message: MailMessage, numbers: Sequence[str]
) -> list[RawAttachment]:
    """The content of an attachment; `NotFound` if the message has no such part."""
    known = {part["part"]: part for part in message.attachments}
    if any(number not in known for number in numbers):
        raise NotFound("That mail has no such attachment.")
    apart = {part.part: part.blob for part in await repository.parts(session, message)}
    inside = [number for number in numbers if number not in apart]
    whole = await read(session, blobs, message) if inside else b""
    found = await asyncio.to_thread(_contents, own(blobs), apart, numbers, whole)
    return [
        RawAttachment(known[number]["name"], known[number]["type"], content)
        for number, content in zip(numbers, found, strict=True)
    ]


def _whole(
    blobs: BlobFolder, name: str | None, kept: RawMessage | None, parts: Sequence[MailPart]
) -> bytes:
    rest = blobs.read(name) if name else unpacked(kept.data if kept else b"")
    return attachments.fill(
        rest,
        (
            (part.at, AttachmentWriter(part.width, crlf=part.crlf), blobs.read(part.blob))
            for part in parts
        ),
    )


def _contents(
    blobs: BlobFolder, apart: Mapping[str, str], numbers: Sequence[str], whole: bytes
) -> list[bytes]:
    parsed = parse(whole)
    found: list[bytes] = []
    for number in numbers:
        if number in apart:
            found.append(blobs.read(apart[number]))
        elif part := parsed.part(number):
            found.append(part.content())
        else:
            raise NotFound("That mail has no such attachment.")
    return found


async def forget_unused(storage: Storage, blobs: BlobFolder) -> int:
    """Remove day-old blobs that no message refers to, received or outgoing; return how many."""
    before = clock.now() - _GRACE
    async with storage.app.read() as session:
        unused = await repository.unused_blobs(session, before)
    removed: list[str] = []
    for name in unused:
        if await asyncio.to_thread(own(blobs).remove, name, unless_put_since=before):
            removed.append(name)  # noqa: PERF401
    for some in chunks(removed):
        async with storage.app.write() as session:
            await repository.forget_blobs(session, some, before)
    return len(removed)
