"""Where contents are: a folder of this machine, or a store of objects elsewhere."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import BinaryIO, Protocol

from bailiwick.kit.blobs import BlobFolder, IncomingBlob

PIECE = 256 * 1024
DOMAIN = "files"


class FileContents(Protocol):
    """A store of contents, each under a digest of it."""

    @property
    def folder(self) -> BlobFolder:
        """Where contents are received."""
        ...

    async def keep(self, incoming: IncomingBlob) -> str:
        """Store what was received, once; its name."""
        ...

    def read(self, name: str, *, size: int, start: int, end: int) -> AsyncIterator[bytes]:
        """The bytes of a content of this size, from a place to before another one."""
        ...

    async def small(self, name: str, *, most: int) -> bytes:
        """The beginning of a content, whatever its size."""
        ...

    async def remove(self, name: str, *, unless_put_since: datetime) -> bool:
        """Remove a content that nothing refers to; whether it is gone."""
        ...


class FolderContents:
    """Contents in the folder of blobs."""

    def __init__(self, blobs: BlobFolder) -> None:
        self.folder = blobs.apart(DOMAIN)

    async def keep(self, incoming: IncomingBlob) -> str:
        """Put it into the folder."""
        return await asyncio.to_thread(incoming.keep)

    async def read(self, name: str, *, size: int, start: int, end: int) -> AsyncIterator[bytes]:
        """Read it piece by piece."""
        del size
        file = await asyncio.to_thread(self.folder.open, name)
        try:
            await asyncio.to_thread(file.seek, start)
            while start < end and (piece := await asyncio.to_thread(_next, file, end - start)):
                start += len(piece)
                yield piece
        finally:
            file.close()

    async def small(self, name: str, *, most: int) -> bytes:
        """Read it at once."""

        def read() -> bytes:
            with self.folder.open(name) as file:
                return file.read(most)

        return await asyncio.to_thread(read)

    async def remove(self, name: str, *, unless_put_since: datetime) -> bool:
        """Remove it from the folder."""
        return await asyncio.to_thread(self.folder.remove, name, unless_put_since=unless_put_since)


async def whole(contents: FileContents, name: str, *, size: int) -> bytes:
    """A content that is small enough to be held."""
    pieces = [piece async for piece in contents.read(name, size=size, start=0, end=size)]
    return b"".join(pieces)


def _next(file: BinaryIO, most: int) -> bytes:
    return file.read(min(PIECE, most))
