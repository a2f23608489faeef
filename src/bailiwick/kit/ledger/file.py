"""The file of checkpoints, outside the database: lines are only ever added."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from bailiwick.kit.files import PRIVATE_FILE, sync_folder
from bailiwick.kit.ledger.checkpoints import Checkpoint

NAME = "audit-checkpoints.jsonl"
_TAIL = 1024 * 1024


class CheckpointFile:
    """One JSON line for each checkpoint; a copy kept elsewhere is stronger proof."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def exists(self) -> bool:
        """Whether the file exists."""
        return self.path.exists()

    def size(self) -> int:
        """Its present length in bytes."""
        return self.path.stat().st_size if self.exists() else 0

    def append(self, checkpoints: Sequence[Checkpoint]) -> None:
        """Append lines, durably; a partial line left by a crash is removed first."""
        lines = "".join(f"{checkpoint.line()}\n" for checkpoint in checkpoints).encode()
        new = not self.exists()
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        with os.fdopen(handle, "r+b") as file:
            tail = _tail(file)
            file.truncate(file.tell() - len(tail) + tail.rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self.path.parent)

    def last(self) -> Checkpoint | None:
        """The newest readable line."""
        if not self.exists():
            return None
        with self.path.open("rb") as file:
            lines = _tail(file).split(b"\n")[:-1]
        parsed = (Checkpoint.parse(line.decode(errors="replace")) for line in reversed(lines))
        return next((found for found in parsed if found), None)

    def lines(self, until: int) -> Iterator[tuple[int, Checkpoint | None]]:
        """Line numbers and checkpoints up to a length; None for a line that is no checkpoint."""
        if not until:
            return
        read = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                read += len(line)
                if read > until or not line.endswith(b"\n"):
                    return
                yield number, Checkpoint.parse(line.decode(errors="replace"))


def _tail(file: BinaryIO) -> bytes:
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - _TAIL))
    return file.read()
