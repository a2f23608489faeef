"""Which data key stored files are under, where the databases are elsewhere and cannot tell.

A SQLite file that does not open says that the key is another one. On PostgreSQL the id of the key
is kept in the data folder, so that files are never written under two keys.
"""

from pathlib import Path

from bailiwick.errors import WrongDataKey
from bailiwick.kit.files import write_atomic
from bailiwick.kit.keys import Key

_NAME = "data-key.id"


def is_marked(folder: Path) -> bool:
    """Whether there is a data key that the files of this folder need."""
    return (folder / _NAME).exists()


def mark(folder: Path, key: Key | None) -> None:
    """Say which key the files of a folder are under."""
    if key:
        write_atomic(folder / _NAME, f"{key.id.hex()}\n".encode())


def check(folder: Path, key: Key | None, *, holds_files: bool) -> None:
    """Refuse a key that is not the one of the files, or none where there is one."""
    if is_marked(folder):
        if (folder / _NAME).read_text().strip() != (key.id.hex() if key else ""):
            raise WrongDataKey(
                f"The files in {folder} are encrypted under another data key. Set "
                f"BAILIWICK_DATA_KEY to the key that they were made with."
            )
    elif key and holds_files:
        raise WrongDataKey(
            f"The files in {folder} are not encrypted. To begin, make a backup without "
            f"BAILIWICK_DATA_KEY, then restore it with the key set (docs/keys.md)."
        )
    else:
        mark(folder, key)
