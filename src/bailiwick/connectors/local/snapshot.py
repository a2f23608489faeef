"""The state of a Maildir at one moment, small enough to be a cursor.

A folder is read again only if the modification time of one of its parts changed. A time that was
still fresh when it was read is not kept, because the same tick may bring another change.
"""

import time
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bailiwick.connectors.local import keywords, names
from bailiwick.connectors.local.maildir import Maildir, files, label_remote
from bailiwick.connectors.mail import MailFlag

_FRESH_NS = 2 * 10**9
Times = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class FolderState:
    """The messages of one folder: ids, and the letters of each."""

    at: Times | None  # times of cur, new and the labels; None: read the folder again
    table: keywords.Table
    letters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class MaildirLook:
    """The outer state of a folder, for noticing changes without reading messages."""

    at: Times
    is_fresh: bool
    names: frozenset[str]  # its file names, read only while the times are too fresh to tell

    def is_like(self, before: "MaildirLook") -> bool:
        """Whether nothing has changed between the two."""
        return self.at == before.at and (self.names == before.names or not before.is_fresh)


@dataclass(frozen=True, slots=True)
class MessageSnapshot:
    """The folder of a message, and its flags."""

    folders: tuple[str, ...]
    flags: frozenset[MailFlag]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All folders at one moment; `paths` holds the files of those that were just read."""

    folders: Mapping[str, FolderState]
    paths: Mapping[str, str] = field(default_factory=dict[str, str])

    def states(self) -> dict[str, MessageSnapshot]:
        """Every message, by its id."""
        found: dict[str, MessageSnapshot] = {}
        known: dict[tuple[str, str], MessageSnapshot] = {}
        for remote, folder in self.folders.items():
            for id, letters in folder.letters.items():
                key = (remote, letters)
                state = known.get(key) or known.setdefault(key, _state(remote, folder, letters))
                found[id] = _both(found[id], state) if id in found else state
        return found

    def only(self, given: Mapping[str, object]) -> "Snapshot":
        """The snapshot restricted to these messages."""
        return Snapshot(dict(self._limited(given)))

    def _limited(self, given: Mapping[str, object]) -> Iterator[tuple[str, FolderState]]:
        for remote, folder in self.folders.items():
            kept = {id: letters for id, letters in folder.letters.items() if id in given}
            less = len(kept) < len(folder.letters)
            yield remote, replace(folder, at=None, letters=kept) if less else folder

    def cursor(self) -> dict[str, Any]:
        """As JSON."""
        return {
            remote: {
                "at": list(folder.at) if folder.at else None,
                "labels": list(folder.table),
                "names": _packed(folder.letters),
            }
            for remote, folder in self.folders.items()
        }


def restored(cursor: Mapping[str, Any]) -> Snapshot:
    """The snapshot in a cursor."""
    return Snapshot(
        {
            remote: FolderState(
                at=(one["at"][0], one["at"][1], one["at"][2]) if one["at"] else None,
                table=tuple(one["labels"]),
                letters=_unpacked(one["names"]),
            )
            for remote, one in cursor.items()
        }
    )


def taken(maildir: Maildir, before: Snapshot | None = None) -> Snapshot:
    """The present state; folders unchanged since `before` are not read."""
    folders: dict[str, FolderState] = {}
    paths: dict[str, str] = {}
    for remote, path in maildir.folders().items():
        known = before.folders.get(remote) if before else None
        old, at = time.time_ns() - _FRESH_NS, times(path)
        if known and known.at == at:
            folders[remote] = known
            continue
        table = keywords.table(path, maildir.seal)
        letters: dict[str, str] = {}
        for part, name in files(path):
            base, own = names.split(name)
            id = names.id_of(base)
            letters[id] = own
            paths[id] = f"{path}/{part}/{name}"  # building Paths would be slow
        folders[remote] = FolderState(at if max(at) < old else None, table, letters)
    return Snapshot(folders, paths)


def looked(folder: Path, before: MaildirLook | None = None) -> MaildirLook:
    """The present outer state of a folder."""
    old, at = time.time_ns() - _FRESH_NS, times(folder)
    is_fresh = max(at) >= old
    is_read = is_fresh or (before is not None and before.is_fresh)
    found = frozenset(name for _, name in files(folder)) if is_read else frozenset[str]()
    return MaildirLook(at, is_fresh, found)


def times(folder: Path) -> Times:
    """The modification times of a folder's parts."""
    return (_changed_at(folder / "cur"), _changed_at(folder / "new"), keywords.changed_at(folder))


def mark(id: str, state: MessageSnapshot) -> int:
    """A number for a message's state; the sum over many tells whether all are unchanged."""
    text = "\0".join((id, *state.folders, "", *sorted(state.flags)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def _changed_at(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except OSError:
        return 0


def _state(remote: str, folder: FolderState, letters: str) -> MessageSnapshot:
    labels = sorted(keywords.labels(letters, folder.table)) if letters else ()
    return MessageSnapshot((remote, *map(label_remote, labels)), names.flags_of(letters))


def _both(one: MessageSnapshot, other: MessageSnapshot) -> MessageSnapshot:
    return MessageSnapshot(tuple(sorted({*one.folders, *other.folders})), one.flags | other.flags)


def _packed(letters: Mapping[str, str]) -> str:
    lines = "\n".join(f"{id} {own}" for id, own in sorted(letters.items()))
    return b64encode(zlib.compress(lines.encode("utf-8", "surrogateescape"))).decode("ascii")


def _unpacked(packed: str) -> dict[str, str]:
    text = zlib.decompress(b64decode(packed)).decode("utf-8", "surrogateescape")
    return dict(line.split(" ", 1) for line in text.split("\n")) if text else {}
