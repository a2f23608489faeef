"""`Extractor`: has things read elsewhere, whatever becomes of the process that reads them."""

import asyncio
import signal
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import structlog

from bailiwick.kit.extraction.process import MEMORY, ExtractionProcess, ProcessEnded

_AT_ONCE = 2  # processes: one that is held up does not stop the other
_TOGETHER = 64  # things in one question
_BYTES_TOGETHER = 4_000_000
_TRIES = 2
_SECONDS = 10.0  # of the processor, for one thing
TIME, CRASH = "time", "crash"
log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Extractor:
    """Processes that begin when something is to be read, and end when nothing is for a while."""

    def __init__(
        self, *, seconds: float = _SECONDS, memory: int = MEMORY, at_once: int = _AT_ONCE
    ) -> None:
        self._seconds = seconds
        self._memory = memory
        # Threads of its own: who waits for a process takes none from others.
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="extraction")
        self._idle: list[ExtractionProcess] = []
        self._busy: set[ExtractionProcess] = set()
        self._closed = False

    async def read(self, call: str, things: Sequence[bytes], **arguments: Any) -> list[Any]:
        """What `module:function` says of each thing, as JSON; None of what cannot be read."""
        answers = await self.answers(call, things, **arguments)
        return [answer.get("said") for answer in answers]

    async def answers(
        self, call: str, things: Sequence[bytes], **arguments: Any
    ) -> list[dict[str, Any]]:
        """The same as `{"said": …}`, or `{"failed": …}`: an exception's name, or how it ended."""
        if not things:
            return []
        work = partial(self._read_all, call, things, arguments)
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes that read, or wait for something to read."""
        return [process.pid for process in (*self._idle, *self._busy)]

    def close(self) -> None:
        """End all processes."""
        self._closed = True
        for process in tuple(self._busy):
            process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for process in self._idle:
            process.end()

    def _read_all(
        self, call: str, things: Sequence[bytes], arguments: dict[str, Any]
    ) -> list[dict[str, Any]]:
        return [said for some in _batches(things) for said in self._read(call, some, arguments)]

    def _read(
        self, call: str, things: Sequence[bytes], arguments: dict[str, Any]
    ) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = []
        tries = 0
        while len(answers) < len(things):
            try:
                with self._process() as process:
                    left = things[len(answers) :]
                    for answer in process.ask(call, left, arguments, seconds=self._seconds):
                        answers.append(answer)
                        tries = 0
            except ProcessEnded as ended:
                if self._closed:
                    raise
                tries += not ended.is_idle
                # It may have been ended for memory that others took; for its time it is to blame.
                if tries >= _TRIES or ended.returncode == -signal.SIGPROF:
                    log.warning("could not be read", call=call, returncode=ended.returncode)
                    timed_out = ended.returncode == -signal.SIGPROF
                    answers.append({"failed": TIME if timed_out else CRASH})
                    tries = 0
        return answers

    @contextmanager
    def _process(self) -> Generator[ExtractionProcess]:
        process = self._idle.pop() if self._idle else ExtractionProcess(memory=self._memory)
        self._busy.add(process)
        try:
            yield process
        except BaseException:
            process.end()
            raise
        else:
            self._idle.append(process)
        finally:
            self._busy.discard(process)


def _batches(things: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Few enough to be held together."""
    start = size = 0
    for place, thing in enumerate(things):
        if place > start and (place - start >= _TOGETHER or size + len(thing) > _BYTES_TOGETHER):
            yield things[start:place]
            start, size = place, 0
        size += len(thing)
    yield things[start:]
