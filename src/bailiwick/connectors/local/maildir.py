"""A Maildir++ on disk, which other mail programs may use at the same time.

A message is written to `tmp`, synced and then renamed, so that nobody sees a partial one. Links are
not followed and only plain files are messages, so nothing outside the Maildir is read. Given folder
names are looked up in the list, never joined into paths. In a sealed Maildir, which is closed to
other programs, contents and the names of folders are encrypted; a message is sealed for its base,
so that it is moved and marked by renaming.
"""

import io
import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.local import keywords, names
from bailiwick.connectors.mail import FolderRole, RemoteFolder
from bailiwick.kit import streamcipher
from bailiwick.kit.files import PRIVATE_FOLDER, sync_folder
from bailiwick.kit.sealing import FolderSeal, other_keys

FOLDER = "Maildir"
INBOX = "INBOX"
LARGEST = 64 * 1024 * 1024
_HEADERS = 256 * 1024
_PARTS = ("cur", "new", "tmp")
_TRIES = 5
# The first name is the one that we create; the others are what mail programs use.
_ROLES: dict[FolderRole, tuple[str, ...]] = {
    "sent": (".Sent", ".Sent Items", ".Sent Messages", ".INBOX.Sent"),
    "drafts": (".Drafts", ".INBOX.Drafts"),
    "archive": (".Archive", ".Archives", ".INBOX.Archive"),
    "trash": (".Trash", ".Deleted Items", ".Deleted Messages", ".INBOX.Trash"),
    "junk": (".Junk", ".Spam", ".Junk E-mail", ".INBOX.Junk", ".INBOX.Spam"),
}


@dataclass(frozen=True, slots=True)
class File:
    """The file of a message, as it was last seen."""

    folder: str
    path: Path

    @property
    def letters(self) -> str:
        """Its flags and keywords."""
        return names.split(self.path.name)[1]


@dataclass(frozen=True, slots=True)
class MaildirContent:
    """The content of a file; `cut_size` is set if only the headers were read."""

    raw: bytes
    changed_at: float
    cut_size: int | None = None


class Maildir:
    """A folder with `cur`, `new` and `tmp`, and its sub-folders, named with a dot."""

    def __init__(self, root: Path, seal: FolderSeal | None = None) -> None:
        self.root = root
        self.seal = seal

    @classmethod
    def kept(cls, folder: Path, seal: FolderSeal | None) -> "Maildir":
        """The one that the office keeps in an account's own folder."""
        plain = folder / FOLDER
        made = cls(seal.path(plain) if seal else plain, seal)
        if not made.root.exists() and (others := other_keys(plain, seal)):
            raise ConnectorFailed(
                "other",
                f"This mailbox is sealed with the data key {others[0]}. Set BAILIWICK_DATA_KEY to "
                f"that key, then start again.",
            )
        return made

    def make(self) -> None:
        """Create the mailbox and its usual folders where they are missing."""
        self._make(self.root)
        for name, *_ in _ROLES.values():
            self._make(self._sub(name))

    def exists(self) -> bool:
        """Whether this is a Maildir."""
        return _is_maildir(self.root)

    def folders(self) -> dict[str, Path]:
        """All folders by their remote names, the inbox first."""
        with os.scandir(self.root) as entries:
            subs = sorted(
                (name, Path(entry.path))
                for entry in entries
                if entry.name.startswith(".")
                and entry.is_dir(follow_symlinks=False)
                and _is_maildir(Path(entry.path))
                and (name := self._name_of(entry.name))
            )
        return {INBOX: self.root} | {names.id_of(name): path for name, path in subs}

    def folder(self, wanted: str) -> str:
        """The remote name of a folder, given that or its role; the usual ones are made."""
        found = self.folders()
        if wanted in found:
            return wanted
        if wanted == "inbox":
            return INBOX
        usual: dict[str, FolderRole] = {role: role for role in _ROLES}
        role = usual.get(wanted)
        if role is None:
            raise ConnectorFailed("other", "This mailbox has no such folder.")
        remote = _of_role(role, found)
        if remote is None:
            remote = names.id_of(_ROLES[role][0])
            self._make(self._sub(_ROLES[role][0]))
        return remote

    def add_folder(self, remote: str) -> Path:
        """The folder with this remote name, made if it is missing."""
        folder = self.root if remote == INBOX else self._sub(names.base_of(remote))
        self._make(folder)
        return folder

    def find(self, id: str) -> list[File]:
        """The files of a message; another program may have copied it into two folders."""
        base = names.base_of(id)
        return [
            File(remote, path / part / name)
            for remote, path in self.folders().items()
            for part, name in files(path)
            if name.startswith(base) and names.split(name)[0] == base
        ]

    def read(self, path: Path) -> MaildirContent | None:
        """The content of a file; None if it does not exist or is no plain file."""
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        with os.fdopen(handle, "rb") as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                return None
            plain = self.opened(file, path)
            size = streamcipher.original_size(facts.st_size) if self.seal else facts.st_size
            if size > LARGEST:
                return MaildirContent(_head(plain.read(_HEADERS)), facts.st_mtime, size)
            return MaildirContent(plain.read(), facts.st_mtime)

    def opened(self, file: BinaryIO, path: Path) -> BinaryIO:
        """The content of a message's open file."""
        return self.seal.reader(file, names.split(path.name)[:1]) if self.seal else file

    def deliver(
        self, remote: str, raw: bytes, *, letters: str = "", base: str | None = None
    ) -> str:
        """Put a message into a folder, durably; its id."""
        base = base or names.unique()
        self.put(self.folders()[remote], io.BytesIO(raw), base=base, letters=letters)
        return names.id_of(base)

    def put(self, folder: Path, source: BinaryIO, *, base: str, letters: str) -> Path:
        """Write a message into a folder on the disk, durably."""
        # A name of its own, so that a file left by a crash is not in the way.
        temporary = folder / "tmp" / names.unique()
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                pieces = iter(lambda: source.read(streamcipher.CHUNK), b"")
                if self.seal:
                    self.seal.write(pieces, file, (base,))
                else:
                    file.writelines(pieces)
                file.flush()
                os.fsync(handle)
            place = ("cur", names.joined(base, letters)) if letters else ("new", base)
            path = folder.joinpath(*place)
            temporary.rename(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_folder(folder / place[0])
        return path

    def reletter(self, id: str, change: Callable[[File], str]) -> None:
        """Change the letters of a message; `change` maps the old ones, for each of its files."""
        self._each(id, lambda file: self._renamed(file, file.folder, change(file)))

    def move(self, id: str, to: str, *, out_of: str | None = None) -> None:
        """Put a message into another folder; its labels go with it."""
        target = self.folder(to)

        def moved(file: File) -> None:
            if file.folder != target and out_of in (None, file.folder):
                self._renamed(file, target, self._carried(file, target))

        self._each(id, moved)

    def remove(self, id: str, *, out_of: str) -> None:
        """Remove a message from one folder for good."""
        for file in self.find(id):
            if file.folder == out_of:
                file.path.unlink(missing_ok=True)

    def path(self, remote: str) -> Path:
        """Where a folder is on disk."""
        return self.folders()[remote]

    def _each(self, id: str, act: Callable[[File], None]) -> None:
        for _ in range(_TRIES):
            found = self.find(id)
            if not found:
                break
            # Another program may rename the file in between.
            with suppress(FileNotFoundError):
                for file in found:
                    act(file)
                return
        raise ConnectorFailed("other", "This message is not in the mailbox any more.")

    def _renamed(self, file: File, folder: str, letters: str) -> None:
        cur = self.folders()[folder] / "cur"
        target = cur / names.joined(names.split(file.path.name)[0], letters)
        if target != file.path:
            file.path.rename(target)
            sync_folder(cur)

    def _carried(self, file: File, folder: str) -> str:
        found = self.folders()
        labels = keywords.labels(file.letters, keywords.table(found[file.folder], self.seal))
        return self.lettered(found[folder], file.letters, labels)

    def lettered(self, folder: Path, letters: str, labels: Sequence[str]) -> str:
        """The flags among these letters, and the letters of labels in a folder on the disk."""
        flags = "".join(letter for letter in letters if letter.isupper())
        return flags + keywords.letters(folder, labels, made=True, seal=self.seal)

    def _sub(self, name: str) -> Path:
        return self.root / (f".{self.seal.name(name, ())}" if self.seal else name)

    def _name_of(self, written: str) -> str | None:
        return self.seal.opened_name(written[1:], ()) if self.seal else written

    def _make(self, folder: Path) -> None:
        for part in _PARTS:
            (folder / part).mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if folder != self.root:
            (folder / "maildirfolder").touch(mode=0o600)


def files(folder: Path) -> Iterator[tuple[str, str]]:
    """The messages of a folder: `new` or `cur`, and the file's name."""
    # `cur` is read last: it has the newer name of a message that is being moved there.
    for part in ("new", "cur"):
        with suppress(FileNotFoundError), os.scandir(folder / part) as entries:
            for entry in entries:
                if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                    yield part, entry.name


def described(tables: Mapping[str, keywords.Table]) -> tuple[RemoteFolder, ...]:
    """Folders as the mail protocol has them, given remote names and labels."""
    roles: dict[str | None, FolderRole] = {_of_role(role, tables): role for role in _ROLES}
    folders = [RemoteFolder(INBOX, "Inbox", role="inbox")]
    folders += [
        RemoteFolder(remote, names.title_of(names.base_of(remote)), role=roles.get(remote))
        for remote in tables
        if remote != INBOX
    ]
    labels = {names.decoded(keyword) for table in tables.values() for keyword in table if keyword}
    return (
        *folders,
        *(RemoteFolder(label_remote(one), one, kind="label") for one in sorted(labels)),
    )


def _of_role(role: FolderRole, found: Collection[str]) -> str | None:
    usual = (names.id_of(name) for name in _ROLES[role])
    return next((remote for remote in usual if remote in found), None)


def label_remote(label: str) -> str:
    """The remote name of a label; a folder's starts with a dot, or is INBOX."""
    return f"label:{label}"


def _is_maildir(folder: Path) -> bool:
    def is_folder(part: str) -> bool:
        with suppress(OSError):
            return stat.S_ISDIR((folder / part).lstat().st_mode)
        return False

    return all(is_folder(part) for part in _PARTS)


def _head(raw: bytes) -> bytes:
    ends: Sequence[int] = [at for at in (raw.find(b"\r\n\r\n"), raw.find(b"\n\n")) if at >= 0]
    return raw[: min(ends)] + b"\r\n\r\n" if ends else raw
