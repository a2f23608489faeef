"""Blobs: bytes stored once under a digest of their content, encrypted if there is a data key.

With a key the digest is keyed too, so that a name in the folder does not reveal which well-known
file it is. A blob never changes and appears whole, in one step. A feature that keeps its blobs
apart has its own names for them, and may remove one that it no longer needs.
"""

import hashlib
import hmac
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from bailiwick.errors import NotFound
from bailiwick.kit import streamcipher
from bailiwick.kit.files import PRIVATE_FOLDER, replacing, sync_folder
from bailiwick.kit.keys import Key

_NAME = re.compile(r"[0-9a-f]{64}")
_INCOMING = ".incoming."


class _Digest(Protocol):
    def update(self, data: bytes, /) -> None: ...
    def hexdigest(self) -> str: ...


class BlobFolder:
    """A folder of blobs."""

    def __init__(self, folder: Path, key: Key | None, *, domain: str = "") -> None:
        self.folder = folder
        self._key = key
        self._domain = domain

    def apart(self, domain: str) -> "BlobFolder":
        """The same folder for contents of one kind, shared with no other kind."""
        return BlobFolder(self.folder, self._key, domain=domain)

    def put(self, content: bytes | BinaryIO) -> str:
        """Store the content and return its name; the same content is stored once."""
        source = io.BytesIO(content) if isinstance(content, bytes) else content
        name = self._name(source)
        path = self.path(name)
        try:
            os.utime(path)  # marked as fresh, so that `remove` spares it
        except FileNotFoundError:
            source.seek(0)
            self._write(source, path)
        return name

    def get(self, name: str) -> Iterator[bytes]:
        """The content in chunks; `NotFound` if there is no such blob."""
        try:
            file = self.path(name).open("rb")
        except FileNotFoundError:
            raise NotFound("That file is not stored here.") from None
        return self._chunks(file)

    def open(self, name: str) -> BinaryIO:
        """The content, to be read from any place on; `NotFound` if there is no such blob."""
        try:
            return self.reader(self.path(name).open("rb"))
        except FileNotFoundError:
            raise NotFound("That file is not stored here.") from None

    def reader(self, file: BinaryIO) -> BinaryIO:
        """The content of a file that is on the disk as blobs are."""
        if not self._key:
            return file
        raw = streamcipher.DecryptingReader(file, self._key)
        return cast("BinaryIO", io.BufferedReader(raw, streamcipher.CHUNK))

    def incoming(self) -> "IncomingBlob":
        """A blob that is still being received."""
        return IncomingBlob(self, self._key, self._digest())

    def read(self, name: str) -> bytes:
        """The whole content; `NotFound` if there is no such blob."""
        return b"".join(self.get(name))

    def remove(self, name: str, *, unless_put_since: datetime) -> bool:
        """Remove a blob that nothing refers to; whether it was removed."""
        path = self.path(name)
        aside = path.with_name(f".{name}.removed")
        try:
            path.rename(aside)
        except FileNotFoundError:
            return True
        # Checked only now: a `put` from here on writes the file anew.
        if aside.stat().st_mtime >= unless_put_since.timestamp():
            aside.rename(path)
            return False
        aside.unlink()
        return True

    def path(self, name: str) -> Path:
        """The path of a blob; refuses anything that is not a digest."""
        if not _NAME.fullmatch(name):
            raise NotFound("That file is not stored here.")
        return self.folder / name[:2] / name

    def names(self) -> Iterator[str]:
        """Every blob in the folder."""
        for path in sorted(self.folder.glob("??/*")):
            if _NAME.fullmatch(path.name):
                yield path.name

    def _name(self, source: BinaryIO) -> str:
        made = self._digest()
        while chunk := source.read(streamcipher.CHUNK):
            made.update(chunk)
        return made.hexdigest()

    def _digest(self) -> _Digest:
        domain = f"{self._domain}\0".encode() if self._domain else b"blob"
        if self._key:
            return hmac.new(self._key.reveal(), domain, hashlib.sha256)
        # Keyed by the domain, so that no content of another kind can be made to have the same name.
        return hmac.new(domain, digestmod=hashlib.sha256) if self._domain else hashlib.sha256()

    def _chunks(self, file: BinaryIO) -> Iterator[bytes]:
        with file:
            if self._key:
                yield from streamcipher.decrypt(file, self._key)
            else:
                while chunk := file.read(streamcipher.CHUNK):
                    yield chunk

    def _write(self, source: BinaryIO, path: Path) -> None:
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        with replacing(path) as file:
            if self._key:
                streamcipher.encrypt(source, file, self._key)
            else:
                shutil.copyfileobj(source, file)


class IncomingBlob:
    """A blob that comes piece by piece: on the disk at once, encrypted, in no memory.

    It is in no folder of blobs until `keep`, and `drop` leaves nothing of it.
    """

    def __init__(self, folder: BlobFolder, key: Key | None, digest: _Digest) -> None:
        folder.folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder.folder, prefix=_INCOMING)
        self.path = Path(name)
        self.size = 0
        self._folder = folder
        self._file = os.fdopen(handle, "wb")
        self._digest = digest
        self._plain = hashlib.sha256()
        self._cipher = streamcipher.EncryptingWriter(self._file, key) if key else None

    def write(self, data: bytes) -> None:
        """Take the next piece."""
        self.size += len(data)
        self._digest.update(data)
        self._plain.update(data)
        (self._cipher or self._file).write(data)

    @property
    def checksum(self) -> str:
        """The SHA-256 of what came until now."""
        return self._plain.hexdigest()

    def end(self) -> str:
        """There is no more: its name; it is durable on the disk, and not yet kept."""
        if not self._file.closed:
            if self._cipher:
                self._cipher.close()
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
        return self._digest.hexdigest()

    def keep(self) -> str:
        """Put it into the folder, once; its name."""
        path = self._folder.path(name := self.end())
        try:
            os.utime(path)
        except FileNotFoundError:
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            self.path.replace(path)
            sync_folder(path.parent)
        self.drop()
        return name

    def drop(self) -> None:
        """Leave nothing of it where it was received."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def drop_abandoned(folder: Path, before: datetime) -> None:
    """Remove what processes that ended were receiving."""
    for path in folder.glob(f"{_INCOMING}*"):
        if path.stat().st_mtime < before.timestamp():
            path.unlink(missing_ok=True)
