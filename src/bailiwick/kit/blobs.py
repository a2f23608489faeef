"""Blobs: bytes kept once under a digest of their content, encrypted if there is a data key.

With a key the digest is keyed too, so that a name in the folder does not tell which well-known
file it is. A blob is never changed; it appears in one step, whole.
"""

import hashlib
import hmac
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from bailiwick.errors import NotFound
from bailiwick.kit import streamcipher
from bailiwick.kit.files import PRIVATE_FOLDER, replacing
from bailiwick.kit.keys import Key

_NAME = re.compile(r"[0-9a-f]{64}")


class BlobFolder:
    """A folder of blobs."""

    def __init__(self, folder: Path, key: Key | None) -> None:
        self.folder = folder
        self._key = key

    def put(self, content: bytes | BinaryIO) -> str:
        """Keep the content and return its name; the same content is kept once."""
        source = io.BytesIO(content) if isinstance(content, bytes) else content
        name = self._name(source)
        path = self.path(name)
        if not path.exists():
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

    def path(self, name: str) -> Path:
        """Where a blob lies; refuses anything that is not a digest."""
        if not _NAME.fullmatch(name):
            raise NotFound("That file is not stored here.")
        return self.folder / name[:2] / name

    def names(self) -> Iterator[str]:
        """Every blob in the folder."""
        for path in sorted(self.folder.glob("??/*")):
            if _NAME.fullmatch(path.name):
                yield path.name

    def _name(self, source: BinaryIO) -> str:
        made = (
            hmac.new(self._key.reveal(), b"blob", hashlib.sha256) if self._key else hashlib.sha256()
        )
        while chunk := source.read(streamcipher.CHUNK):
            made.update(chunk)
        return made.hexdigest()

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
