"""The process in which things are read. It begins on demand and ends when nobody asks any more.

A question is a line of JSON (which function, how many bytes each thing has, arguments for all) and
the bytes behind it. Each thing is answered by a line of JSON, in order.
"""

import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO

_IDLE = 30_000  # milliseconds


def main(memory: int) -> None:
    """Answer until nobody asks for a while, with so many bytes of addresses at most."""
    _confine(memory)
    asked, answers = os.fdopen(0, "rb"), os.fdopen(1, "wb")
    waiting = select.poll()
    waiting.register(asked, select.POLLIN)
    # Nothing is left in the buffer here: who asks waits for all answers before asking again.
    while waiting.poll(_IDLE) and (question := asked.readline()):
        _answer(json.loads(question), asked, answers)


def _confine(memory: int) -> None:
    # Who stops the office stops its own process: this one ends with it, and not in the middle.
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    limits = {resource.RLIMIT_AS: memory, resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0}
    for kind, most in limits.items():
        resource.setrlimit(kind, (most, most))


def _answer(question: dict[str, Any], asked: BinaryIO, answers: BinaryIO) -> None:
    module, _, name = question["call"].partition(":")
    read: Callable[..., Any] = getattr(import_module(module), name)
    things = [asked.read(size) for size in question["sizes"]]
    for thing in things:
        # Whatever is running when the time is over, the system ends this process.
        signal.setitimer(signal.ITIMER_PROF, question["seconds"])
        answers.write(_line(read, thing, question["arguments"]))
        answers.flush()
    signal.setitimer(signal.ITIMER_PROF, 0)


def _line(read: Callable[..., Any], thing: bytes, arguments: dict[str, Any]) -> bytes:
    try:
        return json.dumps({"said": read(thing, **arguments)}).encode() + b"\n"
    except Exception as error:  # noqa: BLE001  (whatever a stranger made, the next thing is read)
        return json.dumps({"failed": type(error).__name__}).encode() + b"\n"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
