"""Files encrypted in chunks, so that any size fits in little memory and no chunk can be moved.

`magic | salt | prefix | chunk...`: AES-256-GCM under a key derived for this file alone; the nonce
of a chunk is the prefix, its number and whether it is the last, so that a cut, swapped or repeated
chunk does not open.
"""

import os
from collections.abc import Iterator
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bailiwick.kit.keys import Key

_MAGIC = b"BWSC1"
_SALT = 16
_PREFIX = 7
CHUNK = 64 * 1024
_TAG = 16


class CipherBroken(Exception):
    """The file was altered or cut, or the key is wrong."""


def encrypt(source: BinaryIO, target: BinaryIO, key: Key) -> None:
    """Write an encrypted copy of `source` to `target`."""
    salt, prefix = os.urandom(_SALT), os.urandom(_PREFIX)
    target.write(_MAGIC + salt + prefix)
    cipher = _cipher(key, salt)
    for number, chunk, last in _chunks(source, CHUNK):
        target.write(cipher.encrypt(_nonce(prefix, number, last=last), chunk, _MAGIC))


def decrypt(source: BinaryIO, key: Key) -> Iterator[bytes]:
    """The chunks of the original, each verified before it is returned."""
    if source.read(len(_MAGIC)) != _MAGIC:
        raise CipherBroken("not an encrypted file")
    salt, prefix = source.read(_SALT), source.read(_PREFIX)
    if len(salt) < _SALT or len(prefix) < _PREFIX:
        raise CipherBroken("the file was cut")
    cipher = _cipher(key, salt)
    for number, chunk, last in _chunks(source, CHUNK + _TAG):
        try:
            yield cipher.decrypt(_nonce(prefix, number, last=last), chunk, _MAGIC)
        except (InvalidTag, ValueError):
            raise CipherBroken(f"chunk {number} was altered, or the key is another one") from None


def _cipher(key: Key, salt: bytes) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt, b"stream").derive(key.reveal()))


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
