"""Users' pictures: small images, with the type taken from their content."""

from collections.abc import Iterator

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from bailiwick.errors import Invalid, NotFound, TooLarge
from bailiwick.identity import users
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage

MAX_BYTES = 2 * 1024 * 1024
KINDS = ("image/png", "image/jpeg", "image/webp")
HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-cache"}


async def receive(request: Request) -> bytes:
    """The request's body, within a size limit."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MAX_BYTES:
            raise TooLarge("A picture may have 2 MB at most.")
    return bytes(content)


async def put(storage: Storage, blobs: BlobFolder, *, user_id: str, content: bytes) -> None:
    """Store a picture as the user's."""
    kind = _kind(content)
    name = await run_in_threadpool(blobs.put, content)
    async with storage.app.write() as session:
        user = await users.get(session, user_id)
        user.avatar, user.avatar_type = name, kind
        users.emit_changed(session, user_id)


async def get(
    session: AsyncSession, blobs: BlobFolder, *, user_id: str
) -> tuple[str, Iterator[bytes]]:
    """A user's picture and its type."""
    user = await users.get(session, user_id)
    if not user.avatar or not user.avatar_type:
        raise NotFound("This user has no picture.")
    return user.avatar_type, blobs.get(user.avatar)


async def remove(session: AsyncSession, user_id: str) -> None:
    """Remove a user's picture."""
    user = await users.get(session, user_id)
    user.avatar = user.avatar_type = None
    users.emit_changed(session, user_id)


def _kind(content: bytes) -> str:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    raise Invalid.field("body", "must be a PNG, JPEG or WebP image")
