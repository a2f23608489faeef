"""Files beneath a folder that cannot be left.

Every step down is taken from the folder before it, by descriptor, and never through a link: so a
name that is swapped for a link meanwhile leads nowhere. Only folders and regular files are opened.
With a seal, names and contents are encrypted on the disk, and everyone above sees them as they are.
Nothing here awaits; callers run it in a thread.
"""

import errno
import functools
import os
import stat
import unicodedata
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Literal

from bailiwick.errors import Invalid, NotFound, RuleViolated, Unavailable
from bailiwick.kit import streamcipher
from bailiwick.kit.sealing import FolderSeal
from bailiwick.kit.streamcipher import CipherBroken
from bailiwick.tools.paths import VirtualPath

PathNames = tuple[str, ...]
# Files that are being written; nobody else's business.
TEMPORARY = ".bailiwick-"
_BENEATH = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _BENEATH
# A folder on the way to the root need not be readable, where the system knows the difference.
_ON_THE_WAY = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | _BENEATH
# Never waits: a FIFO or a device that was swapped in is opened at once, and then refused.
_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | _BENEATH


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What the disk says about a file or a folder."""

    kind: Literal["file", "folder"]
    size: int
    modified: datetime
    mode: int
    links: int
    identity: tuple[int, ...]  # changes when the file is written to or replaced

    @classmethod
    def of(cls, status: os.stat_result) -> "FileFacts | None":
        """None for anything but folders and regular files."""
        kind = _kind(status)
        if kind is None:
            return None
        return cls(
            kind,
            status.st_size,
            datetime.fromtimestamp(status.st_mtime, UTC),
            stat.S_IMODE(status.st_mode) & 0o777,
            status.st_nlink,
            (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns),
        )


class Root:
    """A folder on disk, and the way to what is in it."""

    def __init__(self, path: Path, name: str, *, seal: FolderSeal | None = None) -> None:
        if os.open not in os.supports_dir_fd:
            raise Unavailable("Notebooks need Linux or macOS: this system cannot keep them closed.")
        self.path = path
        self.name = name
        self.seal = seal

    @contextmanager
    def folder(self, names: PathNames) -> Generator[int]:
        """A descriptor of a folder beneath the root, or of the root itself."""
        handle = self._top()
        try:
            for depth in range(len(names)):
                below = self._enter(handle, names[: depth + 1])
                os.close(handle)
                handle = below
            yield handle
        except OSError as error:
            if error.errno == errno.EXDEV:  # a file is on its way to another disk
                raise
            raise self.fault(error, names) from None
        finally:
            os.close(handle)

    @contextmanager
    def opened(self, names: PathNames) -> Generator[tuple[BinaryIO, FileFacts]]:
        """A regular file for reading, with what is known of it at that moment."""
        with self.folder(names[:-1]) as folder:
            name, _ = self.found(folder, names)
            try:
                handle = os.open(name, _FILE, dir_fd=folder)
            except OSError as error:
                raise self.fault(error, names) from None
        with os.fdopen(handle, "rb") as file:
            facts = self._facts(os.fstat(handle))
            if facts is None or facts.kind != "file":
                raise self._unfit(names)
            try:
                yield self.seal.reader(file, names) if self.seal else file, facts
            except CipherBroken:
                raise self._altered(names) from None

    def read(self, names: PathNames, *, most: int) -> tuple[bytes, FileFacts]:
        """The whole content of a file, if it is not larger than that."""
        with self.opened(names) as (file, facts):
            content = file.read(most + 1)
        if len(content) > most:
            raise RuleViolated(f"{self.shown(names)} is larger than {most // 1_000_000} MB.")
        return content, facts

    def facts(self, names: PathNames) -> FileFacts:
        """What the disk says about a file."""
        with self.folder(names[:-1]) as folder:
            return self.found(folder, names)[1]

    def exists(self, names: PathNames) -> bool:
        """Whether anything at all has this name."""
        try:
            with self.folder(names[:-1]) as folder:
                return self.spelled(folder, names) is not None
        except NotFound:
            return False

    def entries(self, names: PathNames, *, most: int) -> list[tuple[str, FileFacts]]:
        """The files and folders in a folder, by name; others are not there for anyone."""
        with self.folder(names) as folder, os.scandir(folder) as found:
            known: dict[str, FileFacts] = {}
            for entry in islice(found, most):
                name = self.name_of(entry.name, names)
                if name and _usable(name) and (facts := self._entry_facts(entry)):
                    known[name] = facts
        return sorted(known.items())

    def spelled(self, folder: int, names: PathNames) -> str | None:
        """How the disk spells the last name; None if nothing in the folder has it."""
        if self.seal is None:
            return spelled(folder, names[-1])
        with suppress(OSError):  # too long to be there
            name = self.disk_name(names)
            return name if _status(folder, name) else None
        return None

    def disk_name(self, names: PathNames) -> str:
        """How the last name is written on the disk when it is new."""
        return self.seal.name(names[-1], names[:-1]) if self.seal else names[-1]

    def name_of(self, written: str, folder: PathNames) -> str | None:
        """The name of an entry of a folder; None if it is not one of ours."""
        if self.seal:
            return self.seal.opened_name(written, folder)
        return unicodedata.normalize("NFC", written)

    def write(self, file: BinaryIO, names: PathNames, content: Iterable[bytes]) -> None:
        """Write a content as it is on the disk under these names."""
        if self.seal:
            self.seal.write(content, file, names)
        else:
            file.writelines(content)

    def found(self, folder: int, names: PathNames) -> tuple[str, FileFacts]:
        """How the disk spells the name of a file, and what it is."""
        name = self.spelled(folder, names)
        if name is None:
            raise self.missing(names)
        try:
            facts = self._facts(os.stat(name, dir_fd=folder, follow_symlinks=False))
        except OSError as error:
            raise self.fault(error, names) from None
        if facts is None:
            raise self._unfit(names)
        if facts.kind != "file":
            raise Invalid.field("path", f"{self.shown(names)} is a folder, not a file")
        return name, facts

    def shown(self, names: PathNames) -> str:
        """The path as callers know it."""
        return "/".join((self.name, *names))

    def missing(self, names: PathNames) -> NotFound:
        """The same words whether it is not there or not to be seen."""
        return not_there(self.shown(names))

    def fault(self, error: OSError, names: PathNames) -> Exception:
        """What the disk refused, in words."""
        match error.errno:
            case errno.ENOENT:
                return self.missing(names)
            case errno.ELOOP | errno.ENOTDIR | errno.EMLINK | errno.ENXIO | errno.EOPNOTSUPP:
                return self._unfit(names)
            case errno.ENAMETOOLONG:
                return Invalid.field("path", "is too long for this disk")
            case errno.EACCES | errno.EPERM:
                return RuleViolated(f"The server may not touch {self.shown(names)} on its disk.")
            case errno.ENOSPC | errno.EDQUOT:
                return Unavailable(f"There is no room on the disk for {self.shown(names)}.")
            case _:
                reason = error.strerror or "it does not say why"
                return Unavailable(f"The disk refuses {self.shown(names)}: {reason}.")

    def _unfit(self, names: PathNames) -> RuleViolated:
        return RuleViolated(
            f"{self.shown(names)} cannot be opened: a name in it is a link, or something that is "
            f"neither a file nor a folder."
        )

    def _altered(self, names: PathNames) -> Unavailable:
        return Unavailable(
            f"{self.shown(names)} does not open: it was changed, cut or moved on the disk by "
            f"something else than this office. Restore a backup to get it back."
        )

    def _facts(self, status: os.stat_result) -> FileFacts | None:
        facts = FileFacts.of(status)
        if facts and self.seal and facts.kind == "file":
            return replace(facts, size=streamcipher.original_size(facts.size))
        return facts

    def _entry_facts(self, entry: "os.DirEntry[str]") -> FileFacts | None:
        try:
            return self._facts(entry.stat(follow_symlinks=False))
        except OSError:
            return None  # gone meanwhile

    def _enter(self, handle: int, names: PathNames) -> int:
        name = self.spelled(handle, names)
        if name is None:
            raise self.missing(names)
        try:
            return os.open(name, _FOLDER, dir_fd=handle)
        except OSError as error:
            raise self.fault(error, names) from None

    def _top(self) -> int:
        # The path was resolved when the notebook was opened: a link on it now was put there since.
        *above, last = self.path.parts[1:]
        handle = os.open(self.path.anchor, _ON_THE_WAY)
        for part, flags in (*((name, _ON_THE_WAY) for name in above), (last, _FOLDER)):
            try:
                below = os.open(part, flags, dir_fd=handle)
            except OSError as error:
                raise Unavailable(
                    f"The folder of the notebook {self.name} cannot be opened: {error.strerror}. "
                    f"Bring it back, or close the notebook."
                ) from None
            finally:
                os.close(handle)
            handle = below
        return handle


def not_there(path: str) -> NotFound:
    """What is said of a path that does not exist, or that the caller may not know."""
    return NotFound(f"There is no {path}. List the folder above it to see what there is.")


def spelled(folder: int, name: str) -> str | None:
    """How the disk spells a name; None if nothing has it.

    A disk may find one file under several names (another case, a short form): only the name that a
    listing shows is taken, so that nothing known by one name is reached by another.
    """
    if name.startswith(TEMPORARY):
        return None
    status = _status(folder, name)
    if status is None:
        return None if name.isascii() else _decomposed(folder, name)
    other = name.swapcase()
    twin = _status(folder, other) if other != name else None
    is_alias = twin is not None and (twin.st_dev, twin.st_ino) == (status.st_dev, status.st_ino)
    if (is_alias or "~" in name) and name not in _listed(folder):
        return _decomposed(folder, name)
    return name


def _decomposed(folder: int, name: str) -> str | None:
    """The one entry that is this name in another normal form, as some systems write it."""
    alike = [found for found in _listed(folder) if unicodedata.normalize("NFC", found) == name]
    return alike[0] if len(alike) == 1 else None


def _listed(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _status(folder: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENAMETOOLONG, errno.ENOTDIR):
            return None
        raise


def _kind(status: os.stat_result) -> Literal["file", "folder"] | None:
    if stat.S_ISREG(status.st_mode):
        return "file"
    return "folder" if stat.S_ISDIR(status.st_mode) else None


@functools.lru_cache(maxsize=50_000)  # the names of a large folder are asked for again and again
def _usable(name: str) -> bool:
    if name.startswith(TEMPORARY):
        return False
    try:
        return len(VirtualPath.parse(name).names) == 1
    except Invalid:
        return False


def chunks(file: BinaryIO, *, size: int = 1 << 20) -> Iterator[bytes]:
    """A file's content, piece by piece."""
    while piece := file.read(size):
        yield piece
