"""`bailiwick mcp` in a process of its own, spoken to in lines as a client does."""

import itertools
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.processes import Forked, bailiwick
from support.server import environment

NUMBERS = itertools.count()


@contextmanager
def bridge(data: Path, *arguments: str, **env: str) -> Iterator["Lines"]:
    """The command in a process of its own, as a client starts it."""
    folder = data.parent / f"bridge-{next(NUMBERS)}"
    folder.mkdir()
    given, taken, log = (folder / name for name in ("in", "out", "err"))
    os.mkfifo(given)
    os.mkfifo(taken)
    process = Forked(
        *(bailiwick, "mcp", *arguments),
        env=environment(data, **env),
        out=taken,
        err=log,
        input=given,
    )
    with given.open("wb", buffering=0) as sent, taken.open("rb") as received:
        yield Lines(process, sent, received, log)
        sent.close()
        assert process.wait() == 0, log.read_text()
        assert received.read() == b""


@dataclass
class Lines:
    process: Forked
    sent: Any
    received: Any
    log: Path

    def ask(self, message: Any) -> Any:
        self.send(message)
        return self.read()

    def send(self, message: Any) -> None:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.sent.write(line + b"\n")

    def read(self) -> Any:
        line = self.received.readline()
        assert line, self.log.read_text()
        return json.loads(line)
