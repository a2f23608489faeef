"""The disk's side of a scan: what a folder holds, piece by piece, and whether something is there.

Nothing here awaits; callers run it in a thread.
"""

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Literal

from bailiwick.errors import Invalid, NotFound, RuleViolated
from bailiwick.kit import streamcipher
from bailiwick.library.root import TEMPORARY, FileFacts, PathNames, Root
from bailiwick.tools.paths import VirtualPath

Presence = Literal["there", "gone", "closed"]
_TOGETHER = 1_000
# A path that no database can hold in an index is nobody's.
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A file as the disk shows it."""

    folder: str
    name: str
    size: int
    modified_ns: int
    inode: str
    identity: str

    @classmethod
    def of(cls, folder: PathNames, name: str, facts: FileFacts) -> "DiskFile":
        """From what the disk says; the identity is of the bytes on it, sealed or not."""
        device, number, size, modified = facts.identity
        inode = f"{device}:{number}"
        return cls(
            "/".join(folder), name, facts.size, modified, inode, f"{inode}:{size}:{modified}"
        )

    @property
    def path(self) -> str:
        """The names beneath the root."""
        return f"{self.folder}/{self.name}" if self.folder else self.name

    @property
    def modified_at(self) -> datetime:
        """When it was written to last; a time that no calendar has is the first or last one."""
        try:
            return datetime.fromtimestamp(self.modified_ns / 1e9, UTC)
        except (ValueError, OverflowError, OSError):
            return datetime(1970, 1, 1, tzinfo=UTC)

    @property
    def suffix(self) -> str:
        """The end of the name, in lower case and without its dot."""
        return VirtualPath((self.name,)).suffix.lower().lstrip(".")[:32]


@dataclass(slots=True)
class FolderListing:
    """A folder that is being listed."""

    root: Root
    names: PathNames
    folders: list[str] = field(default_factory=list[str])  # complete when all files were given

    def batches(self) -> Iterator[list[DiskFile]]:
        """Its files, some hundred at a time."""
        files = self._files()
        while some := list(islice(files, _TOGETHER)):
            yield some

    def _files(self) -> Iterator[DiskFile]:
        seen: set[str] = set()
        with self.root.folder(self.names) as handle, os.scandir(handle) as entries:
            for entry in entries:
                name = self._name(entry.name)
                facts = self._facts(entry) if name and name not in seen else None
                if name is None or facts is None:
                    continue
                seen.add(name)
                if facts.kind == "folder":
                    self.folders.append(name)
                else:
                    yield DiskFile.of(self.names, name, facts)

    def _name(self, written: str) -> str | None:
        # What is no Unicode is kept with signs of that, so that it can be told of.
        readable = os.fsencode(written).decode(errors="replace")
        name = None if readable.startswith(TEMPORARY) else self.root.name_of(readable, self.names)
        if name is None or name.startswith(TEMPORARY):
            return None
        return None if len("/".join((*self.names, name)).encode()) > _LONGEST else name

    def _facts(self, entry: "os.DirEntry[str]") -> FileFacts | None:
        try:
            return _sized(self.root, FileFacts.of(entry.stat(follow_symlinks=False)))
        except OSError:
            return None  # gone meanwhile


def names_of(path: str) -> PathNames:
    """The names that a path of the index is made of."""
    return tuple(path.split("/")) if path else ()


def is_usable(path: str) -> bool:
    """Whether callers can name this path: some names on a disk could mean another than they say."""
    try:
        return bool(VirtualPath.parse(path).names)
    except Invalid:
        return False


def file_at(root: Root, names: PathNames) -> DiskFile | None:
    """The file of these names as the disk has it now; None if there is none."""
    try:
        return DiskFile.of(names[:-1], names[-1], root.facts(names))
    except (NotFound, RuleViolated, Invalid):
        return None


def presence(root: Root, names: PathNames) -> Presence:
    """Whether a folder is there, gone, or closed to the server."""
    try:
        with root.folder(names):
            return "there"
    except NotFound:
        return "gone"
    except RuleViolated as error:
        return "closed" if is_closed(error) else "gone"


def is_closed(error: RuleViolated) -> bool:
    """Whether the disk refused for want of a permission; else it is neither file nor folder."""
    cause = error.__cause__ or error.__context__
    return isinstance(cause, OSError) and cause.errno in (errno.EACCES, errno.EPERM)


def identity(root: Root) -> tuple[str, bool]:
    """Which folder the root is on this machine, and whether there is nothing in it."""
    with root.folder(()) as handle:
        status = os.fstat(handle)
        with os.scandir(handle) as entries:
            return f"{status.st_dev}:{status.st_ino}", next(entries, None) is None


def _sized(root: Root, facts: FileFacts | None) -> FileFacts | None:
    if facts is None or root.seal is None or facts.kind == "folder":
        return facts
    return FileFacts(
        facts.kind,
        streamcipher.original_size(facts.size),
        facts.modified,
        facts.mode,
        facts.links,
        facts.identity,
    )
