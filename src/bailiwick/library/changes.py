"""Changing files beneath a root: each change happens whole or not at all, and is durable then."""

import errno
import hashlib
import os
import secrets
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress

from bailiwick.errors import BailiwickError, Conflict, RuleViolated
from bailiwick.library.root import TEMPORARY, FileFacts, PathNames, Root, chunks

# What is moved or deleted is read whole, to know its content again or to keep it for undo.
LARGEST = 100_000_000
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_NO_HARD_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)


def digest(content: bytes) -> str:
    """By which a content is known again."""
    return hashlib.sha256(content).hexdigest()


def digest_of(root: Root, names: PathNames) -> tuple[str, FileFacts]:
    """The digest of a file's content; refuses what is too large to be read for it."""
    with root.opened(names) as (file, facts):
        if facts.size > LARGEST:
            raise RuleViolated(
                f"{root.shown(names)} is larger than {LARGEST // 1_000_000} MB. Move or delete it "
                f"yourself: it is too large to be kept for undo."
            )
        made = hashlib.sha256()
        for piece in chunks(file):
            made.update(piece)
        return made.hexdigest(), facts


def create(
    root: Root, names: PathNames, content: Iterable[bytes], *, mode: int | None = None
) -> list[PathNames]:
    """A new file; nothing is ever overwritten. Returns the folders that had to be made."""
    made = _make_folders(root, names[:-1])
    try:
        with root.folder(names[:-1]) as folder, _temporary(root, folder, names) as temporary:
            _write(root, names, (folder, temporary), content, mode=mode)
            if root.spelled(folder, names) is not None:
                raise taken(root, names)
            _rename_to_free(root, (folder, temporary), (folder, root.disk_name(names)), names)
    except BaseException:
        remove_empty(root, made)
        raise
    return made


def replace(root: Root, names: PathNames, content: Iterable[bytes], *, seen: FileFacts) -> None:
    """Another content for a file that still is what was seen."""
    with root.folder(names[:-1]) as folder, _temporary(root, folder, names) as temporary:
        _write(root, names, (folder, temporary), content, mode=seen.mode)
        name = _unchanged(root, folder, names, seen)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        os.fsync(folder)


def remove(root: Root, names: PathNames, *, seen: FileFacts, linked: bool = False) -> None:
    """Remove a file that still is what was seen."""
    with root.folder(names[:-1]) as folder:
        name = _unchanged(root, folder, names, seen, linked=linked)
        os.unlink(name, dir_fd=folder)
        os.fsync(folder)


def move(
    source: Root, names: PathNames, target: Root, to: PathNames, *, seen: FileFacts
) -> list[PathNames]:
    """Move a file that still is what was seen to a free name; returns the folders made for it."""
    if source.seal or target.seal:  # sealed for its place, so it is sealed anew
        return _copy(source, names, target, to, seen=seen)
    made = _make_folders(target, to[:-1])
    try:
        with source.folder(names[:-1]) as folder, target.folder(to[:-1]) as other:
            name = _unchanged(source, folder, names, seen)
            if target.spelled(other, to) is not None:
                raise taken(target, to)
            _rename_to_free(target, (folder, name), (other, to[-1]), to)
    except OSError:  # only that they are on different disks; the root puts all else into words
        remove_empty(target, made)
        return _copy(source, names, target, to, seen=seen)
    except BaseException:
        remove_empty(target, made)
        raise
    return made


def remove_empty(root: Root, folders: Iterable[PathNames]) -> list[PathNames]:
    """Remove folders that were made for something, deepest first; returns those that were empty."""
    gone: list[PathNames] = []
    for names in sorted(folders, key=len, reverse=True):
        with suppress(BailiwickError), root.folder(names[:-1]) as folder:
            os.rmdir(root.disk_name(names), dir_fd=folder)
            gone.append(names)
    return gone


def require_sole(root: Root, folder: int, names: PathNames, facts: FileFacts) -> None:
    """Refuse a file that has another name somewhere, perhaps outside: it is not ours alone."""
    links = facts.links - (_drop_leftovers(folder, facts) if facts.links > 1 else 0)
    if links > 1:
        raise RuleViolated(
            f"{root.shown(names)} has another name elsewhere on the disk (a hard link), so it "
            f"cannot be changed from here."
        )


def taken(root: Root, names: PathNames) -> Conflict:
    """What is said when a name is not free."""
    return Conflict(
        f"There is already something called {root.shown(names)}. Nothing was overwritten; choose "
        f"another name, or replace its content with write_file."
    )


def _copy(
    source: Root, names: PathNames, target: Root, to: PathNames, *, seen: FileFacts
) -> list[PathNames]:
    """Move to another disk or seal: copied whole first, and only then removed."""
    with source.opened(names) as (file, _):
        made = create(target, to, chunks(file), mode=seen.mode)
    remove(source, names, seen=seen)
    return made


def _make_folders(root: Root, names: PathNames) -> list[PathNames]:
    made: list[PathNames] = []
    try:
        for depth in range(len(names)):
            with root.folder(names[:depth]) as folder:
                below = names[: depth + 1]
                if root.spelled(folder, below) is None and _make_folder(
                    folder, root.disk_name(below)
                ):
                    made.append(below)
                    os.fsync(folder)
    except BaseException:
        remove_empty(root, made)
        raise
    return made


def _make_folder(folder: int, name: str) -> bool:
    with suppress(FileExistsError):  # someone else made it meanwhile
        os.mkdir(name, dir_fd=folder)
        return True
    return False


@contextmanager
def _temporary(root: Root, folder: int, names: PathNames) -> Generator[str]:
    """A name in the same folder to write under; nothing is left of it at the end."""
    name = f"{TEMPORARY}{secrets.token_hex(8)}"
    try:
        yield name
    except OSError as error:
        raise root.fault(error, names) from None
    finally:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)


def _write(
    root: Root,
    names: PathNames,
    temporary: tuple[int, str],
    content: Iterable[bytes],
    *,
    mode: int | None,
) -> None:
    folder, name = temporary
    handle = os.open(name, _NEW, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        if mode is not None:
            os.fchmod(handle, mode)
        root.write(file, names, content)
        file.flush()
        os.fsync(handle)


def _rename_to_free(
    root: Root, source: tuple[int, str], target: tuple[int, str], names: PathNames
) -> None:
    """Rename without ever overwriting: a second name first, which fails if it is taken."""
    (folder, name), (other, new) = source, target
    try:
        os.link(name, new, src_dir_fd=folder, dst_dir_fd=other, follow_symlinks=False)
        os.unlink(name, dir_fd=folder)
    except FileExistsError:
        raise taken(root, names) from None
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # A disk without hard links (FAT): the name was free a moment ago, more cannot be had.
        os.rename(name, new, src_dir_fd=folder, dst_dir_fd=other)
    os.fsync(other)
    os.fsync(folder)


def _unchanged(
    root: Root, folder: int, names: PathNames, seen: FileFacts, *, linked: bool = False
) -> str:
    name, facts = root.found(folder, names)
    if facts.identity != seen.identity:
        raise Conflict(f"{root.shown(names)} was changed at this very moment. Look at it again.")
    if not linked:
        require_sole(root, folder, names, facts)
    return name


def _drop_leftovers(folder: int, facts: FileFacts) -> int:
    """Second names that a crash of ours left beside the file."""
    with os.scandir(folder) as entries:
        left = [
            entry.name
            for entry in entries
            if entry.name.startswith(TEMPORARY) and entry.inode() == facts.identity[1]
        ]
    for name in left:
        os.unlink(name, dir_fd=folder)
    return len(left)
