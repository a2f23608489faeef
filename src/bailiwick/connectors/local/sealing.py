"""A mailbox that the office keeps, put under another data key: mail by mail, safe to cut short."""

import os
from contextlib import suppress
from pathlib import Path

from bailiwick.connectors.connector import seal_of
from bailiwick.connectors.local import keywords, names
from bailiwick.connectors.local.maildir import FOLDER, Maildir, files
from bailiwick.kit.files import PRIVATE_FOLDER
from bailiwick.kit.keys import Key

# What mail programs make again from the mails.
_MADE_AGAIN = ("dovecot*", "maildirfolder", "subscriptions")


def reseal(folder: Path, name: str, old: Key | None, new: Key | None) -> None:
    """Put the Maildir in an account's own folder under another key, or under none."""
    if name != FOLDER:
        return
    source, target = (Maildir(_path(folder, key), seal_of(folder.name, key)) for key in (old, new))
    target.root.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    target.make()
    for remote, path in source.folders().items():
        _move_all(source, path, target, target.add_folder(remote))
    for place, _, _ in os.walk(source.root, topdown=False):
        _remove(Path(place))


def _path(folder: Path, key: Key | None) -> Path:
    seal = seal_of(folder.name, key)
    return seal.path(folder / FOLDER) if seal else folder / FOLDER


def _move_all(source: Maildir, folder: Path, target: Maildir, to: Path) -> None:
    table = keywords.table(folder, source.seal)
    there = {names.split(name)[0] for _, name in files(to)}
    for part, name in list(files(folder)):
        path = folder / part / name
        base, letters = names.split(name)
        if base not in there:  # or a crash came between writing it and removing it here
            carried = target.lettered(to, letters, keywords.labels(letters, table))
            facts = path.stat()
            with path.open("rb") as file:
                plain = source.opened(file, path)
                made = target.put(to, plain, base=base, letters=carried)
            os.utime(made, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        path.unlink()


def _remove(folder: Path) -> None:
    for pattern in ("*",) if folder.name == "tmp" else _MADE_AGAIN:
        for path in folder.glob(pattern):
            if not path.is_dir():
                path.unlink()
    with suppress(OSError):  # anything else that somebody put there stays
        folder.rmdir()
