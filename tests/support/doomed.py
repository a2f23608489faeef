"""A server that dies, once it is told to, at a chosen moment of a move: `DIES_AT`.

linked:2    before the second paper gets its new name
unlinked:1  when the first paper has both names
opened:1    when the first paper has its new name alone, before anyone has noted it
"""

import os
import signal
import sys
from typing import Any

from support.processes import Forked, bailiwick
from support.server import Server

_EVENTS = {"linked": "os.link", "unlinked": "os.remove", "opened": "open"}


class DoomedServer(Server):
    """Dies at `DIES_AT` of its environment."""

    def doom(self) -> None:
        """From now on it counts."""
        self.process.send_signal(signal.SIGUSR1)

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(_doomed, "serve", env=env, out=self.log)


def _doomed(*arguments: str) -> None:
    kind, _, number = os.environ.pop("DIES_AT").partition(":")
    left, moved, is_armed = int(number), 0, False

    def arm(*_: object) -> None:
        nonlocal is_armed
        is_armed = True

    def heard(event: str, about: tuple[Any, ...]) -> None:
        nonlocal left, moved
        if not is_armed:
            return
        is_paper = "paper" in str(about[0]) if about else False
        if event == "os.remove" and is_paper:
            moved += 1
        ready = moved >= left if kind == "opened" else is_paper
        if event == _EVENTS[kind] and ready:
            left -= 1
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    signal.signal(signal.SIGUSR1, arm)
    sys.addaudithook(heard)
    bailiwick(*arguments)
