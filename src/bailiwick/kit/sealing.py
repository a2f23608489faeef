"""Seals a folder that the office keeps: names and contents are encrypted under the data key.

Each name is encrypted for the folder that it is in (AES-SIV, so that a name is found without
reading the folder), each content for the place that its owner says. Moved by hand to another place
or folder, neither opens. The folder's own name ends with the id of the key; without that it is
plain.
"""

import errno
import io
import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from bailiwick.kit import streamcipher
from bailiwick.kit.files import alone
from bailiwick.kit.keys import Key

_SEALED = re.compile(r"(.+)\.([0-9a-f]{16})")
# A disk takes 255 bytes; a sealed name is longer by its tag and by a third.
LONGEST_NAME = 255 * 3 // 4 - 16
_LOCK = ".sealing"
SealedPlace = Sequence[str]
# How a folder is on the disk: the office's, sealed or plain, or a user's own, which stays plain.
AtRest = Literal["sealed", "plain", "yours"]
# Puts one folder, of this name in a parent, from the old key (None: plain) to the new one.
Reseal = Callable[[Path, str, Key | None, Key | None], None]


@dataclass(frozen=True, slots=True)
class KeptFolder:
    """Folders beneath the data folder that a feature keeps, and seals if there is a data key."""

    parents: str  # a pattern, such as "accounts/*": each folder that has sealed ones in it
    reseal: Reseal

    @property
    def name(self) -> str:
        """The folder directly beneath the data folder."""
        return self.parents.partition("/")[0]


class FolderSeal:
    """The seal of one folder; `domain` tells it from every other."""

    def __init__(self, key: Key, domain: str) -> None:
        info = b"sealed folder\0" + domain.encode()
        derived = HKDF(SHA256(), 96, None, info).derive(key.reveal())
        self.key_id = key.id.hex()
        self._names = AESSIV(derived[:64])
        self._contents = Key(derived[64:])

    def path(self, plain: Path) -> Path:
        """The sealed folder that stands for this one."""
        return plain.with_name(f"{plain.name}.{self.key_id}")

    def name(self, name: str, within: SealedPlace) -> str:
        """How a name in a folder is written on the disk."""
        text = os.fsencode(name)
        if len(text) > LONGEST_NAME:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        sealed = self._names.encrypt(text, [_bytes(within)])
        return urlsafe_b64encode(sealed).decode("ascii").rstrip("=")

    def opened_name(self, name: str, within: SealedPlace) -> str | None:
        """The name that was written so in this folder; None if it was not written by us."""
        try:
            sealed = urlsafe_b64decode(name + "=" * (-len(name) % 4))
            return os.fsdecode(self._names.decrypt(sealed, [_bytes(within)]))
        except (ValueError, InvalidTag):
            return None

    def write(self, pieces: Iterable[bytes], target: BinaryIO, place: SealedPlace) -> None:
        """Write a content for its place."""
        streamcipher.write(pieces, target, self._contents, place=_bytes(place))

    def reader(self, source: BinaryIO, place: SealedPlace) -> BinaryIO:
        """The content that was written for this place; `CipherBroken` if it was not."""
        raw = streamcipher.DecryptingReader(source, self._contents, place=_bytes(place))
        return cast("BinaryIO", io.BufferedReader(raw, streamcipher.CHUNK))


def at_rest(users: str | None, key: Key | None) -> AtRest:
    """How a folder is on the disk, given the path of a user's own, if it is that."""
    return "yours" if users else "sealed" if key else "plain"


def sealed_folders(parent: Path) -> Iterator[tuple[Path, str, str | None]]:
    """Every folder in a folder: the name that it stands for, and the id of its key, if sealed."""
    if not parent.is_dir():
        return
    for path in sorted(parent.iterdir()):
        if path.is_dir() and not path.is_symlink():
            found = _SEALED.fullmatch(path.name)
            yield (path, found[1], found[2]) if found else (path, path.name, None)


def reseal_all(
    data: Path, kept: Iterable[KeptFolder], *, known: Sequence[Key], new: Key | None
) -> None:
    """Put every folder that is plain, or sealed with another known key, under the new key."""
    for folder in kept:
        if next(_outdated(data, folder, known, new), None):
            with alone(data / _LOCK):  # processes that start together must not do it twice
                for parent, name, old in list(_outdated(data, folder, known, new)):
                    folder.reseal(parent, name, old, new)


def _outdated(
    data: Path, kept: KeptFolder, known: Sequence[Key], new: Key | None
) -> Iterator[tuple[Path, str, Key | None]]:
    keys = {key.id.hex(): key for key in known}
    active = new.id.hex() if new else None
    for parent in sorted(data.glob(kept.parents)):
        for _, name, key_id in sealed_folders(parent):
            # Under a key that is not here it stays: who opens it is told which one is needed.
            if key_id != active and (key_id is None or key_id in keys):
                yield parent, name, keys[key_id] if key_id else None


def other_keys(plain: Path, seal: FolderSeal | None) -> list[str]:
    """The ids of keys other than this seal's under which a folder is sealed."""
    mine = seal.key_id if seal else None
    return [
        key_id
        for _, name, key_id in sealed_folders(plain.parent)
        if name == plain.name and key_id not in (None, mine)
    ]


def _bytes(place: SealedPlace) -> bytes:
    return b"\0".join((b"at", *map(os.fsencode, place)))
