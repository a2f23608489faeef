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
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Protocol

from bailiwick.errors import NotFound
from bailiwick.kit import streamcipher
from bailiwick.kit.files import PRIVATE_FOLDER, replacing
from bailiwick.kit.keys import Key

_NAME = re.compile(r"[0-9a-f]{64}")


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
