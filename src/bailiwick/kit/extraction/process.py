"""One process that reads, as its parent sees it."""

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import bailiwick

_ROOT = Path(bailiwick.__file__).parent.parent
_START = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from bailiwick.kit.extraction.child import main; main(int(sys.argv[2]))"
)
MEMORY = 1_500_000_000  # bytes of addresses
_SILENCE = 120_000  # milliseconds; the processor's time runs out long before
_MOST_ANSWER = 64_000_000  # bytes
_CHUNK = 1 << 18


class ProcessEnded(Exception):
    """The process is gone; `is_idle` if it went because nobody asked."""

    def __init__(self, returncode: int) -> None:
        super().__init__(f"the extraction process ended with {returncode}")
        self.returncode = returncode
        self.is_idle = returncode == 0


class ExtractionProcess:
    """A child that is asked by one thread at a time."""

    def __init__(self, *, memory: int = MEMORY) -> None:
        self._child = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-B", "-c", _START, str(_ROOT), str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback may quote what was read
            bufsize=0,
            env={"PATH": os.defpath},
            start_new_session=True,
        )
        # Whenever it ends, the system is told at once that nobody needs it any more.
        threading.Thread(target=self._child.wait, name="extraction", daemon=True).start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._child.pid

    def ask(
        self, call: str, things: Sequence[bytes], arguments: Mapping[str, Any], *, seconds: float
    ) -> Iterator[dict[str, Any]]:
        """What a function says of each thing, or `ProcessEnded` from the first that ended it."""
        sizes = [len(thing) for thing in things]
        question = {"call": call, "sizes": sizes, "arguments": arguments, "seconds": seconds}
        try:
            for piece in (json.dumps(question).encode() + b"\n", *things):
                self._write(piece)
        except BrokenPipeError:
            raise self._ended() from None
        lines = self._lines()
        for _ in things:
            yield json.loads(next(lines))

    def kill(self) -> None:
        """End it now; who waits for its answer gets `ProcessEnded`."""
        self._child.kill()

    def end(self) -> None:
        """End it, while nobody waits for its answer."""
        self.kill()
        self._close()

    def _close(self) -> None:
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe:
                pipe.close()

    def _write(self, data: bytes) -> None:
        assert self._child.stdin
        left = memoryview(data)
        while left:
            left = left[self._child.stdin.write(left) or 0 :]

    def _lines(self) -> Iterator[bytes]:
        assert self._child.stdout
        answers = self._child.stdout.fileno()
        waiting = select.poll()
        waiting.register(answers, select.POLLIN)
        pieces: list[bytes] = []
        held = 0
        while True:
            if not waiting.poll(_SILENCE):
                raise self._ended()
            chunk = os.read(answers, _CHUNK)
            held += len(chunk)
            if not chunk or held > _MOST_ANSWER:
                raise self._ended()
            first, *more = chunk.split(b"\n")
            pieces.append(first)
            for following in more:
                yield b"".join(pieces)
                pieces, held = [following], len(following)

    def _ended(self) -> ProcessEnded:
        """How it ended; one that is stuck is ended now."""
        self._close()
        try:
            return ProcessEnded(self._child.wait(5))
        except subprocess.TimeoutExpired:
            self._child.kill()
            return ProcessEnded(self._child.wait())
