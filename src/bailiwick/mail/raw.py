"""Messages as they came: most in the database, compressed; large ones as blobs.

What is attached is in there too and is kept nowhere else: it is taken out when someone asks for it.
"""

import asyncio
import zlib
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.kit import clock
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.mail.models import MailBlob, Message, Outgoing, RawMessage
from bailiwick.mail.parsing import Part, parse

LARGE = 1_000_000
_DOMAIN = "mail"
_GRACE = timedelta(days=1)
_BATCH = 500
_QUICK = 1
# Less than this is hardly worth the time.
_SMALL = 8_000
_PLAIN, _PACKED = b"\0", b"\1"


def own(blobs: BlobFolder) -> BlobFolder:
    """The blobs of mail."""
    return blobs.apart(_DOMAIN)


def packed(raw: bytes) -> bytes:
    """A message as it is kept in the database; the first byte says how."""
    return _PLAIN + raw if len(raw) <= _SMALL else _PACKED + zlib.compress(raw, _QUICK)


def unpacked(kept: bytes) -> bytes:
    """A message as it came."""
    return kept[1:] if kept[:1] == _PLAIN else zlib.decompress(kept[1:])


async def read(session: AsyncSession, blobs: BlobFolder, message: Message) -> bytes:
    """The message as it came."""
    if message.raw_blob:
        name = message.raw_blob
        return await asyncio.to_thread(lambda: b"".join(own(blobs).get(name)))
    kept = await session.get(RawMessage, message.number)
    if kept is None:
        raise NotFound("That message is not stored here any more.")
    return unpacked(kept.data)


async def part(
    session: AsyncSession, blobs: BlobFolder, message: Message, *, number: str
) -> tuple[Part, bytes]:
    """Something that is attached, and what it holds; `NotFound` if the message has no such part."""
    raw = await read(session, blobs, message)
    found = await asyncio.to_thread(lambda: parse(raw).part(number))
    if found is None:
        raise NotFound("That mail has no such attachment.")
    return found, await asyncio.to_thread(found.content)


async def forget_unused(storage: Storage, blobs: BlobFolder) -> int:
    """Remove what no message names any more, here or on its way out, after a day; how many."""
    before = clock.now() - _GRACE
    named = select(Message.number).where(Message.raw_blob == MailBlob.name)
    going = select(Outgoing.id).where(Outgoing.raw_blob == MailBlob.name)
    statement = select(MailBlob.name).where(
        MailBlob.kept_at < before, ~named.exists(), ~going.exists()
    )
    async with storage.app.read() as session:
        unused = list(await session.scalars(statement))
    removed: list[str] = []
    for name in unused:
        if await asyncio.to_thread(own(blobs).remove, name, unless_put_since=before):
            removed.append(name)  # noqa: PERF401
    for start in range(0, len(removed), _BATCH):
        some = removed[start : start + _BATCH]
        async with storage.app.write() as session:
            await session.execute(
                delete(MailBlob).where(MailBlob.name.in_(some), MailBlob.kept_at < before)
            )
    return len(removed)
