"""Backups in tests: restored with every feature of the product, and taken apart."""

import io
import tarfile
from functools import partial
from pathlib import Path

from bailiwick.features import installed
from bailiwick.operations import restore as operation

restore = partial(operation.restore, features=installed())
Members = list[tuple[str, bytes]]


def members(file: Path) -> Members:
    """Everything that is in a backup."""
    with tarfile.open(file) as tar:
        return [(entry.name, tar.extractfile(entry).read()) for entry in tar]  # pyright: ignore[reportOptionalMemberAccess]


def write(file: Path, parts: Members) -> None:
    """Make a backup of these parts."""
    with tarfile.open(file, "w") as tar:
        for name, content in parts:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
