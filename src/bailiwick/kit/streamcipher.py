"""Files encrypted in chunks, so that any size fits in little memory and no chunk can be moved.

`magic | salt | prefix | chunk...`: AES-256-GCM under a key derived for this file alone; the nonce
of a chunk is the prefix, its number and whether it is the last, so that a cut, swapped or repeated
chunk does not open. A file can be bound to its place: at another one it does not open.
"""

import io
import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bailiwick.kit.keys import Key

Bytes = bytes | bytearray | memoryview
_MAGIC = b"BWSC1"
_SALT = 16
_PREFIX = 7
CHUNK = 64 * 1024
_TAG = 16
HEADER = len(_MAGIC) + _SALT + _PREFIX
SEALED = CHUNK + _TAG  # bytes of a chunk that is not the last


class CipherBroken(Exception):
    """The file was altered or cut, or the key is wrong."""


class EncryptingWriter:
    """Encrypts what is written to it; `close` ends the file, without which it does not open."""

    def __init__(self, target: BinaryIO, key: Key, *, place: bytes = b"") -> None:
        salt, self._prefix = os.urandom(_SALT), os.urandom(_PREFIX)
        target.write(_MAGIC + salt + self._prefix)
        self._target = target
        self._cipher = _cipher(key, salt, place)
        self._number = 0
        self._waiting = bytearray()

    def write(self, data: Bytes) -> int:
        """Take more of the original."""
        view = memoryview(data)
        self._waiting += view
        # The last chunk is known as such only when there is no more.
        while len(self._waiting) > CHUNK:
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return view.nbytes

    def close(self) -> None:
        """Write the last chunk; the target stays open."""
        self._put(bytes(self._waiting), last=True)

    def _put(self, chunk: bytes, *, last: bool) -> None:
        nonce = _nonce(self._prefix, self._number, last=last)
        self._target.write(self._cipher.encrypt(nonce, chunk, _MAGIC))
        self._number += 1


class DecryptingReader(io.RawIOBase):
    """The original of an encrypted file, read at any place; each chunk is verified first."""

    def __init__(self, source: BinaryIO, key: Key, *, place: bytes = b"") -> None:
        super().__init__()
        self._source = source
        body = source.seek(0, os.SEEK_END) - HEADER
        source.seek(0)
        salt, self._prefix = _header(source)
        self._cipher = _cipher(key, salt, place)
        self._count = max(1, -(-body // (CHUNK + _TAG)))
        self._size = body - self._count * _TAG
        if self._size < 0:
            raise CipherBroken("the file was cut")
        self._at = 0
        self._read: tuple[int, bytes] = (-1, b"")

    def close(self) -> None:
        """Close the encrypted file too."""
        self._source.close()
        super().close()

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Go on reading elsewhere."""
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: Any, /) -> int:
        """Read from one chunk."""
        number, offset = divmod(self._at, CHUNK)
        # An empty original has a chunk too, which tells that nothing was cut off.
        chunk = self._chunk(number) if self._at < self._size or not self._size else b""
        view = memoryview(buffer).cast("B")
        piece = chunk[offset : offset + len(view)]
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def _chunk(self, number: int) -> bytes:
        if self._read[0] != number:
            self._source.seek(HEADER + number * (CHUNK + _TAG))
            nonce = _nonce(self._prefix, number, last=number == self._count - 1)
            sealed = self._source.read(CHUNK + _TAG)
            self._read = (number, _opened(self._cipher, nonce, sealed, number))
        return self._read[1]


class ChunkOpener:
    """Opens chunks of an encrypted file of which only a part is at hand."""

    def __init__(self, head: bytes, key: Key, *, size: int) -> None:
        salt, self._prefix = _header(io.BytesIO(head))
        self._cipher = _cipher(key, salt, b"")
        self._last = max(1, -(-size // CHUNK)) - 1

    def at(self, number: int) -> int:
        """Where in the encrypted file a chunk begins."""
        return HEADER + number * SEALED

    def open(self, number: int, sealed: bytes) -> bytes:
        """The original of a chunk."""
        nonce = _nonce(self._prefix, number, last=number == self._last)
        return _opened(self._cipher, nonce, sealed, number)


def encrypt(source: BinaryIO, target: BinaryIO, key: Key) -> None:
    """Write an encrypted copy of `source` to `target`."""
    write(iter(lambda: source.read(CHUNK), b""), target, key)


def write(pieces: Iterable[bytes], target: BinaryIO, key: Key, *, place: bytes = b"") -> None:
    """Write these pieces to `target`, encrypted."""
    writer = EncryptingWriter(target, key, place=place)
    for piece in pieces:
        writer.write(piece)
    writer.close()


def decrypt(source: BinaryIO, key: Key) -> Iterator[bytes]:
    """The chunks of the original, each verified before it is returned."""
    salt, prefix = _header(source)
    cipher = _cipher(key, salt, b"")
    for number, chunk, last in _chunks(source, CHUNK + _TAG):
        yield _opened(cipher, _nonce(prefix, number, last=last), chunk, number)


def original_size(size: int) -> int:
    """The size of the original, given that of the encrypted file."""
    body = size - HEADER
    return max(0, body - _TAG * max(1, -(-body // (CHUNK + _TAG))))


def _header(source: BinaryIO) -> tuple[bytes, bytes]:
    if source.read(len(_MAGIC)) != _MAGIC:
        raise CipherBroken("not an encrypted file")
    salt, prefix = source.read(_SALT), source.read(_PREFIX)
    if len(salt) < _SALT or len(prefix) < _PREFIX:
        raise CipherBroken("the file was cut")
    return salt, prefix


def _opened(cipher: AESGCM, nonce: bytes, chunk: bytes, number: int) -> bytes:
    try:
        return cipher.decrypt(nonce, chunk, _MAGIC)
    except (InvalidTag, ValueError):
        raise CipherBroken(f"chunk {number} was altered, or the key is another one") from None


def _cipher(key: Key, salt: bytes, place: bytes) -> AESGCM:
    info = b"stream\0" + place if place else b"stream"
    return AESGCM(HKDF(SHA256(), 32, salt, info).derive(key.reveal()))


def _nonce(prefix: bytes, number: int, *, last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([last])


def _chunks(source: BinaryIO, size: int) -> Iterator[tuple[int, bytes, bool]]:
    number, chunk = 0, source.read(size)
    while True:
        following = source.read(size)
        yield number, chunk, not following
        if not following:
            return
        number, chunk = number + 1, following
