"""Notebooks that the office keeps, put under another data key: file by file, safe to cut short.

A file is written whole under the new seal and only then removed from the old folder; one that is in
both already has the same content, or gets another name. The old folder goes when it is empty.
"""

import hashlib
import os
import unicodedata
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from bailiwick.errors import Conflict
from bailiwick.kit.files import PRIVATE_FOLDER
from bailiwick.kit.keys import Key
from bailiwick.kit.sealing import LONGEST_NAME, FolderSeal
from bailiwick.library import changes
from bailiwick.library.labels import INBOX
from bailiwick.library.root import TEMPORARY, PathNames, Root, chunks

FOLDER = "notebooks"


def seal_of(notebook_id: str, key: Key | None) -> FolderSeal | None:
    """The seal of a notebook that the office keeps; None without a data key."""
    return FolderSeal(key, f"{FOLDER}/{notebook_id}") if key else None


def reseal(folder: Path, notebook_id: str, old: Key | None, new: Key | None) -> None:
    """Put everything in the folder of one notebook under another key, or under none."""
    source, target = (root(folder, notebook_id, key) for key in (old, new))
    target.path.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    folders = [source.path]
    _sweep(source.path)
    for names, path in list(entries(source, (), source.path)):
        if path.is_dir():
            folders.append(path)
        else:
            _move(source, names, path, target)
    for path in reversed(folders):
        with suppress(OSError):  # what is neither file nor folder stays, and so does its folder
            path.rmdir()


def root(folder: Path, notebook_id: str, key: Key | None) -> Root:
    """The folder of a notebook under a key."""
    seal, plain = seal_of(notebook_id, key), folder.resolve() / notebook_id
    return Root(seal.path(plain) if seal else plain, notebook_id, seal=seal)


def _sweep(folder: Path) -> None:
    """Remove files whose writing was cut short."""
    for place, _, names in os.walk(folder, followlinks=False):
        for name in names:
            if name.startswith(TEMPORARY):
                (Path(place) / name).unlink()


def entries(root: Root, within: PathNames, folder: Path) -> Iterator[tuple[PathNames, Path]]:
    """Every folder and file, those too that no caller can name; a folder before what is in it."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = Path(entry.path)
        if entry.name.startswith(TEMPORARY):
            continue
        name = root.seal.opened_name(entry.name, within) if root.seal else entry.name
        if name is None:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield (*within, name), path
            yield from entries(root, (*within, name), path)
        elif entry.is_file(follow_symlinks=False):
            yield (*within, name), path


def _move(source: Root, names: PathNames, path: Path, target: Root) -> None:
    with opened(source, names, path) as file:
        digest = _digest(file)
        file.seek(0)
        to = _free(target, _normal(names), digest)
        if to is not None:
            facts = path.stat()
            changes.create(target, to, chunks(file), mode=facts.st_mode & 0o777)
            os.utime(_path(target, to), ns=(facts.st_atime_ns, facts.st_mtime_ns))
    path.unlink()


@contextmanager
def opened(root: Root, names: PathNames, path: Path) -> Generator[BinaryIO]:
    """The content of a file at this path, which has these names."""
    with path.open("rb") as file:
        yield root.seal.reader(file, names) if root.seal else file


def _digest(file: BinaryIO) -> str:
    made = hashlib.sha256()
    for piece in chunks(file):
        made.update(piece)
    return made.hexdigest()


def _path(root: Root, names: PathNames) -> Path:
    return root.path.joinpath(*(root.disk_name(names[: at + 1]) for at in range(len(names))))


def _free(target: Root, names: PathNames, digest: str) -> PathNames | None:
    """The names to write to; None if the file came there before a crash."""
    fits = target.seal is None or all(len(os.fsencode(name)) <= LONGEST_NAME for name in names)
    for to in ([names] if fits else []) + [_shortened(names, digest)]:
        if not target.exists(to):
            return to
        with target.opened(to) as (file, _):
            if _digest(file) == digest:
                return None
    raise Conflict(f"{target.shown(names)} cannot be sealed: its name is taken. Move it away.")


def _shortened(names: PathNames, digest: str) -> PathNames:
    # In an inbox, where nothing passes for the owner's words: its label is known by its old name.
    *folders, name = names
    stem, dot, end = name.rpartition(".")
    cut = f"{_cut(stem or name, 60)}~{digest[:16]}{dot and stem and f'.{end}'}"
    return (INBOX, *(_cut(each, LONGEST_NAME) for each in folders), _cut(cut, LONGEST_NAME))


def _cut(name: str, most: int) -> str:
    return os.fsencode(name)[:most].decode("utf-8", "ignore") or "_"


def _normal(names: PathNames) -> PathNames:
    return tuple(unicodedata.normalize("NFC", name) for name in names)
