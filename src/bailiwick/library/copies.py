"""Notebooks that the office keeps, copied out of the data folder as plain files.

It needs the data folder and its key alone, so that a notebook which was closed can be copied too.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bailiwick.errors import Conflict, NotFound, WrongDataKey
from bailiwick.kit.files import PRIVATE_FILE, PRIVATE_FOLDER
from bailiwick.kit.keys import Key
from bailiwick.kit.sealing import sealed_folders
from bailiwick.kit.streamcipher import CipherBroken
from bailiwick.library import sealing
from bailiwick.library.root import PathNames, Root, chunks


@dataclass(slots=True)
class CopiedNotebook:
    """What came of a copy."""

    files: int = 0
    broken: list[str] = field(default_factory=list[str])  # altered on the disk, so not copied


def kept(data: Path) -> Iterator[tuple[str, str | None]]:
    """The id of every notebook that the office keeps, open or closed, and that of its key."""
    for _, notebook_id, key_id in sealed_folders(data / sealing.FOLDER):
        yield notebook_id, key_id


def copy(data: Path, notebook_id: str, target: Path, *, keys: Sequence[Key]) -> CopiedNotebook:
    """Copy a notebook's files to a new or empty folder; nothing is overwritten."""
    root = _root(data, notebook_id, keys)
    target.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise Conflict(f"{target} is not empty. Name a new folder: nothing is overwritten.")
    done = CopiedNotebook()
    for names, path in sealing.entries(root, (), root.path):
        to = target.joinpath(*_within(names))
        if path.is_dir():
            to.mkdir(mode=PRIVATE_FOLDER)
        elif _write(root, names, path, to):
            done.files += 1
        else:
            done.broken.append("/".join(names))
    return done


def _root(data: Path, notebook_id: str, keys: Sequence[Key]) -> Root:
    found = [key_id for id, key_id in kept(data) if id == notebook_id]
    if not found:
        raise NotFound(f"There is no notebook {notebook_id} in {data}.")
    for key in (*keys, None):
        if (key.id.hex() if key else None) in found:
            return sealing.root(data / sealing.FOLDER, notebook_id, key)
    raise WrongDataKey(
        f"The notebook {notebook_id} is sealed with the data key {found[0]}. Set "
        f"BAILIWICK_DATA_KEY to that key."
    )


def _within(names: PathNames) -> PathNames:
    """Names that lead nowhere else; ours do not, and a seal does not prove who wrote them."""
    if any(name in ("", ".", "..") or "/" in name or "\0" in name for name in names):
        raise Conflict(f"The notebook holds a name that leads out of it: {'/'.join(names)!r}.")
    return names


def _write(root: Root, names: PathNames, path: Path, to: Path) -> bool:
    try:
        with sealing.opened(root, names, path) as file, to.open("xb") as out:
            to.chmod(PRIVATE_FILE)
            out.writelines(chunks(file))
    except CipherBroken:
        to.unlink(missing_ok=True)
        return False
    facts = path.stat()
    os.utime(to, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    return True
