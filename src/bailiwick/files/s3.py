"""Contents in a store that speaks S3: one object each, encrypted here if there is a data key.

What comes is received on this machine's disk and sent on from there. An object that was put a
while ago is put anew when its content comes again, so that housekeeping sees that it is fresh.
"""

import asyncio
import hashlib
import io
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx2

from bailiwick.errors import NotFound, Unavailable
from bailiwick.files.contents import DOMAIN, PIECE
from bailiwick.files.s3_signature import EMPTY, S3Key, signed
from bailiwick.kit import clock, streamcipher
from bailiwick.kit.blobs import BlobFolder, IncomingBlob
from bailiwick.kit.keys import Key
from bailiwick.kit.net import transport
from bailiwick.kit.net.client import client
from bailiwick.kit.net.private import LOCAL
from bailiwick.kit.net.transport import CheckedTransport

_FRESH = timedelta(hours=12)
_CONNECT, _READ = 10.0, 60.0
_OK, _PART, _NONE, _GONE = 200, 206, 204, 404


class S3Contents:
    """Contents in a bucket, under a prefix."""

    def __init__(self, blobs: BlobFolder, url: str, key: S3Key, *, data_key: Key | None) -> None:
        self.folder = blobs.apart(DOMAIN)
        self._url = url.rstrip("/")
        self._key = key
        self._data_key = data_key
        # The operator chose the store, as they chose the database: it may be next door.
        self._client = client(CheckedTransport(LOCAL), connect=_CONNECT, read=_READ)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def keep(self, incoming: IncomingBlob) -> str:
        """Send it on, unless it is there and fresh."""
        name = await asyncio.to_thread(incoming.end)
        put_at = await self._put_at(name)
        if put_at is None or put_at < clock.now() - _FRESH:
            await self._put(name, incoming.path)
        incoming.drop()
        return name

    async def read(self, name: str, *, size: int, start: int, end: int) -> AsyncIterator[bytes]:
        """Ask for the range that holds it."""
        if start >= end:
            return
        if self._data_key is None:
            async with self._range(name, start, end) as pieces:
                async for piece in pieces:
                    yield piece
            return
        head = await self._beginning(name, streamcipher.HEADER)
        opener = streamcipher.ChunkOpener(head, self._data_key, size=size)
        first, last = start // streamcipher.CHUNK, (end - 1) // streamcipher.CHUNK
        number = first
        async with self._range(name, opener.at(first), opener.at(last + 1)) as pieces:
            async for sealed in _cut(pieces, streamcipher.SEALED):
                at = number * streamcipher.CHUNK
                yield opener.open(number, sealed)[max(0, start - at) : end - at]
                number += 1

    async def small(self, name: str, *, most: int) -> bytes:
        """Ask for all of it."""
        stored = await self._beginning(name, 2 * most)
        return self.folder.reader(io.BytesIO(stored)).read(most)

    async def remove(self, name: str, *, unless_put_since: datetime) -> bool:
        """Remove the object, unless it was put since."""
        put_at = await self._put_at(name)
        if put_at is not None and put_at >= unless_put_since:
            return False
        if put_at is not None:
            async with self._asked("DELETE", name, {}, expected=(_OK, _NONE, _GONE)):
                pass
        return True

    async def _put_at(self, name: str) -> datetime | None:
        async with self._asked("HEAD", name, {}, expected=(_OK, _GONE)) as answer:
            if answer.status_code == _GONE:
                return None
            told = answer.headers.get("last-modified")
            return parsedate_to_datetime(told) if told else datetime(2000, 1, 1, tzinfo=UTC)

    async def _put(self, name: str, path: Path) -> None:
        digest, size = await asyncio.to_thread(_measured, path)
        headers = {
            "content-length": str(size),
            "content-type": "application/octet-stream",
        }
        async with self._asked("PUT", name, headers, digest=digest, path=path):
            pass

    async def _beginning(self, name: str, most: int) -> bytes:
        async with self._range(name, 0, most) as pieces:
            return b"".join([piece async for piece in pieces])

    @asynccontextmanager
    async def _range(self, name: str, start: int, end: int) -> AsyncGenerator[AsyncIterator[bytes]]:
        headers = {"range": f"bytes={start}-{end - 1}"}
        async with self._asked("GET", name, headers, expected=(_PART, _OK, _GONE)) as answer:
            if answer.status_code == _GONE:
                raise NotFound("That file is not stored here.")
            if answer.status_code == _OK and start:
                raise Unavailable("The store of files does not know ranges.")
            yield answer.aiter_raw()

    @asynccontextmanager
    async def _asked(
        self,
        method: str,
        name: str,
        headers: Mapping[str, str],
        *,
        digest: str = EMPTY,
        path: Path | None = None,
        expected: tuple[int, ...] = (_OK,),
    ) -> AsyncGenerator[httpx2.Response]:
        url = f"{self._url}/{name}"
        given = {**headers, "accept-encoding": "identity"}
        proved = signed(self._key, method, url, given, at=clock.now(), digest=digest)
        content = _pieces(path) if path else None
        try:
            async with self._client.stream(method, url, headers=proved, content=content) as answer:
                if answer.status_code not in expected:
                    raise Unavailable(
                        f"The store of files refused a request ({answer.status_code}). "
                        f"Look at BAILIWICK_S3_URL and its key."
                    )
                yield answer
        except httpx2.TransportError as error:
            why = transport.failure(error) or type(error).__name__
            raise Unavailable(f"The store of files cannot be reached: {why}.") from None


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece
    finally:
        file.close()


async def _cut(pieces: AsyncIterator[bytes], size: int) -> AsyncIterator[bytes]:
    """The same bytes in pieces of one size; the last may be shorter."""
    held = bytearray()
    async for piece in pieces:
        held += piece
        while len(held) >= size:
            yield bytes(held[:size])
            del held[:size]
    if held:
        yield bytes(held)


def _measured(path: Path) -> tuple[str, int]:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
