"""Writes files so that a crash leaves the old or the new content, never a part."""

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


@contextmanager
def replacing(path: Path, *, mode: int = PRIVATE_FILE) -> Generator[BinaryIO]:
    """A file that replaces `path` in one step when the block succeeds, durable then."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_atomic(path: Path, content: bytes) -> None:
    """Replace the file's content in one step, durable when this returns."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def alone(path: Path) -> Generator[None]:
    """Hold a lock file across all threads and processes."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def readable_by_others(path: Path) -> bool:
    """Whether anyone but the file's owner may read it."""
    return bool(path.stat().st_mode & 0o077)
