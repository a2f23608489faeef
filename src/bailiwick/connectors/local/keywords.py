"""Labels in a Maildir: letters `a` to `z` in a file's name, and a table in each folder.

The table is Dovecot's `dovecot-keywords`, written as Dovecot does: a lock file, created
exclusively, is renamed to the table. In a sealed Maildir the table is sealed too.
"""

import os
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.local import names
from bailiwick.kit.sealing import FolderSeal

_TABLE = "dovecot-keywords"
_LONGEST_TABLE = 64 * 1024
_MOST = 26
_TRIES = 20
_PAUSE = 0.05
_STALE_SECONDS = 120
Table = tuple[str, ...]  # keywords by letter; "" for an unused letter


def table(folder: Path, seal: FolderSeal | None = None) -> Table:
    """The keywords of a folder."""
    try:
        handle = os.open(folder / _TABLE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ()
    with os.fdopen(handle, "rb") as file:
        plain = seal.reader(file, (folder.name, _TABLE)) if seal else file
        lines = plain.read(_LONGEST_TABLE).decode("ascii", "replace").splitlines()
    found = [""] * _MOST
    for line in lines:
        number, _, keyword = line.partition(" ")
        if number.isascii() and number.isdecimal() and int(number) < _MOST:
            found[int(number)] = keyword
    return tuple(found[: max((place + 1 for place, one in enumerate(found) if one), default=0)])


def changed_at(folder: Path) -> int:
    """The table's modification time."""
    try:
        return (folder / _TABLE).lstat().st_mtime_ns
    except OSError:
        return 0


def labels(letters: str, known: Table) -> list[str]:
    """The labels of a message, from the lower-case letters in its name."""
    places = (ord(letter) - ord("a") for letter in letters if "a" <= letter <= "z")
    found = (known[place] for place in places if place < len(known))
    return [names.decoded(keyword) for keyword in found if keyword]


def letters(
    folder: Path, labels: Sequence[str], *, made: bool, seal: FolderSeal | None = None
) -> str:
    """The letters of labels in a folder; missing ones are added while letters are free."""
    keywords = [names.keyword_of(label) for label in labels]
    known = table(folder, seal)
    if made and any(_letter(known, keyword) is None for keyword in keywords):
        known = _added(folder, keywords, seal)
    places = (_letter(known, keyword) for keyword in keywords)
    return "".join(chr(ord("a") + place) for place in places if place is not None)


def _letter(known: Table, keyword: str) -> int | None:
    # Keywords are the same whatever their case, as IMAP has it.
    folded = [one.lower() for one in known]
    return folded.index(keyword.lower()) if keyword.lower() in folded else None


def _added(folder: Path, keywords: Sequence[str], seal: FolderSeal | None) -> Table:
    with _locked(folder) as lock:
        known = list(table(folder, seal))
        for keyword in keywords:
            if _letter(tuple(known), keyword) is not None:
                continue
            if "" in known:
                known[known.index("")] = keyword
            elif len(known) < _MOST:
                known.append(keyword)
            else:
                raise ConnectorFailed("other", f"A folder here has at most {_MOST} labels.")
        lines = [f"{place} {one}\n".encode("ascii") for place, one in enumerate(known) if one]
        with lock.open("wb") as file:
            if seal:
                seal.write(lines, file, (folder.name, _TABLE))
            else:
                file.writelines(lines)
        lock.replace(folder / _TABLE)
    return tuple(known)


@contextmanager
def _locked(folder: Path) -> Generator[Path]:
    lock = folder / f"{_TABLE}.lock"
    for _ in range(_TRIES):
        with suppress(FileExistsError):
            os.close(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            break
        with suppress(FileNotFoundError):
            if time.time() - lock.lstat().st_mtime > _STALE_SECONDS:
                lock.unlink()
        time.sleep(_PAUSE)
    else:
        raise ConnectorFailed("network", "Another program holds the labels of this folder.")
    try:
        yield lock
    finally:
        lock.unlink(missing_ok=True)
