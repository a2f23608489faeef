"""The office's own folders in a backup: one tar of all files, encrypted under the data key."""

import io
import os
import stat
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bailiwick.errors import BackupUnusable
from bailiwick.kit import streamcipher
from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER
from bailiwick.kit.keys import Key
from bailiwick.kit.streamcipher import CipherBroken

FOLDER = "notebooks"
MEMBER = "notebooks.tar"


def pack(data: Path, target: Path, key: Key | None) -> bool:
    """Add every file of the office's own notebooks; False if there are none."""
    files = list(_files(data / FOLDER))
    if not files:
        return False
    with tempfile.TemporaryFile(dir=target.parent) as plain:
        with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for path in files:
                _add(tar, path, path.relative_to(data / FOLDER).as_posix())
        plain.seek(0)
        with target.open("xb") as out:
            target.chmod(PRIVATE_FILE)
            if key:
                streamcipher.encrypt(plain, out, key)
            else:
                while chunk := plain.read(1 << 20):
                    out.write(chunk)
    return True


def unpack(member: Path, staged: Path, key: Key | None) -> None:
    """Restore the files beneath a new data folder, and nowhere else."""
    if not member.exists():
        return
    with tempfile.TemporaryFile(dir=member.parent) as plain, member.open("rb") as source:
        try:
            for chunk in streamcipher.decrypt(source, key) if key else iter(_chunks(source)):
                plain.write(chunk)
        except CipherBroken as error:
            raise BackupUnusable(f"The backup's papers do not open: {error}.") from None
        plain.seek(0)
        with tarfile.open(fileobj=plain, mode="r:") as tar:
            for entry in tar:
                _put(tar, entry, staged / FOLDER)


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder, followlinks=False):
        for name in sorted(names):
            path = Path(place) / name
            if stat.S_ISREG(path.lstat().st_mode):
                yield path


def _add(tar: tarfile.TarFile, path: Path, name: str) -> None:
    try:
        # Read whole first, because it may change while it is copied.
        content = path.read_bytes()
    except FileNotFoundError:
        return
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), PRIVATE_FILE
    tar.addfile(info, io.BytesIO(content))


def _put(tar: tarfile.TarFile, entry: tarfile.TarInfo, folder: Path) -> None:
    path = PurePosixPath(entry.name)
    if not entry.isreg() or path.is_absolute() or ".." in path.parts:
        raise BackupUnusable(f"The backup holds something that does not belong: {entry.name!r}.")
    target = folder / path
    target.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    source = tar.extractfile(entry)
    assert source is not None
    with target.open("xb") as out:
        target.chmod(PRIVATE_FILE)
        out.write(source.read())


def _chunks(source: io.BufferedReader) -> Iterator[bytes]:
    while chunk := source.read(1 << 20):
        yield chunk
