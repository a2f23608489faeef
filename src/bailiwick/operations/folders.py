"""The office's own folders in a backup: a tar of each, as it is on the disk, encrypted once more.

Nothing of it is on the disk in plain text meanwhile: the tar is made and read as it passes.
"""

import io
import os
import stat
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from pathlib import Path, PurePosixPath
from typing import IO, cast

from bailiwick.errors import BackupUnusable
from bailiwick.feature import Feature
from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER
from bailiwick.kit.keys import Key
from bailiwick.kit.sealing import KeptFolder
from bailiwick.kit.streamcipher import CipherBroken, DecryptingReader, EncryptingWriter

_FORMAT = tarfile.PAX_FORMAT


def kept(features: Sequence[Feature]) -> list[KeptFolder]:
    """The folders that features keep beneath the data folder."""
    return [folder for feature in features for folder in feature.folders]


def members(folders: Sequence[KeptFolder]) -> dict[str, str]:
    """The folders beneath the data folder, by their names in a backup."""
    return {f"{folder.name}.tar": folder.name for folder in folders}


def pack(folder: Path, target: Path, key: Key | None) -> bool:
    """Write everything in a folder to a new file; False if there is nothing."""
    found = list(_entries(folder))
    if not found:
        return False
    with target.open("xb") as out:
        target.chmod(PRIVATE_FILE)
        sink = closing(EncryptingWriter(out, key)) if key else nullcontext(out)
        with (
            sink as plain,
            tarfile.open(fileobj=cast("IO[bytes]", plain), mode="w|", format=_FORMAT) as tar,
        ):
            for path in found:
                _add(tar, path, path.relative_to(folder).as_posix())
    return True


def unpack(member: Path, folder: Path, key: Key | None) -> None:
    """Restore the files beneath a new folder, and nowhere else."""
    if not member.exists():
        return
    with member.open("rb") as source:
        try:
            plain = DecryptingReader(source, key) if key else source
            with tarfile.open(fileobj=cast("IO[bytes]", plain), mode="r|") as tar:
                for entry in tar:
                    _put(tar, entry, folder)
        except (CipherBroken, tarfile.TarError) as error:
            raise BackupUnusable(f"The backup's {member.name} does not open: {error}.") from None


def _entries(folder: Path) -> Iterator[Path]:
    """Folders, empty ones too, and regular files; never through a link."""
    for place, folders, names in os.walk(folder, followlinks=False):
        for name in sorted([*folders, *names]):
            path = Path(place) / name
            mode = path.lstat().st_mode
            if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
                yield path


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    info = tarfile.TarInfo(name)
    try:
        info.mtime = path.stat().st_mtime
        if path.is_dir():
            info.type, info.mode = tarfile.DIRTYPE, PRIVATE_FOLDER
            tar.addfile(info)
            return
        # Read whole first, because it may change while it is copied.
        content = path.read_bytes()
    except FileNotFoundError:
        return
    info.size, info.mode = len(content), PRIVATE_FILE
    tar.addfile(info, io.BytesIO(content))


def _put(tar: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> None:
    path = PurePosixPath(entry.name)
    if not (entry.isreg() or entry.isdir()) or path.is_absolute() or ".." in path.parts:
        raise BackupUnusable(f"The backup holds something that does not belong: {entry.name!r}.")
    target = folder / path
    if entry.isdir():
        target.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        return
    target.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    source = tar.extractfile(entry)
    assert source is not None
    with target.open("xb") as out:
        target.chmod(PRIVATE_FILE)
        out.write(source.read())
    os.utime(target, (entry.mtime, entry.mtime))
