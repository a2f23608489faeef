"""Which threads open files: the event loop's waits for no disk."""

import functools
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_WATCHED: list[tuple[str, set[int]]] = []


@contextmanager
def opened_by(folder: Path) -> Generator[set[int]]:
    """The threads that open files of a folder, for as long as this lasts."""
    _install()
    watched = (str(folder), set[int]())
    _WATCHED.append(watched)
    try:
        yield watched[1]
    finally:
        _WATCHED.remove(watched)


@functools.cache
def _install() -> None:
    # Once: such a hook stays until the process ends.
    sys.addaudithook(_note)


def _note(event: str, arguments: tuple) -> None:
    if event == "open" and _WATCHED:
        for folder, threads in _WATCHED:
            if str(arguments[0]).startswith(folder):
                threads.add(threading.get_ident())
