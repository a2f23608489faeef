"""Real processes that start at once: forked from one that has imported everything.

A new interpreter spends two seconds of a core on imports before it does anything, and another on
routes. These have a pid, an environment, files and signals of their own all the same, and are
killed as any other.
"""

import atexit
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

# Nobody waits so long unless something is wrong; a busy machine may stand still for a while.
PATIENCE = 180
TESTS = Path(__file__).parents[1]


@cache
def origin() -> Any:
    """Where processes come from: a process without threads that does nothing but fork."""
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["support.preloaded"])
    before = os.environ.get("PYTHONPATH")
    # It imports before it is told where we look for modules.
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(TESTS), before)))
    forkserver.ensure_running()
    del os.environ["PYTHONPATH"]
    if before is not None:
        os.environ["PYTHONPATH"] = before
    return made


class Forked:
    """A process that runs a function, seen from outside as `subprocess.Popen` shows one."""

    def __init__(
        self,
        target: Callable[..., object],
        *args: object,
        env: Mapping[str, str],
        out: Path,
        err: Path | None = None,
        input: Path = Path(os.devnull),
    ) -> None:
        streams = (input, out, err or out)
        self._process = origin().Process(
            target=_live, args=(target, args, dict(env), streams), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """Its exit code, once it has ended."""
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, patience: float = PATIENCE) -> int:
        """Wait until it has ended, bounded."""
        self._process.join(patience)
        assert self.returncode is not None, "waited in vain"
        return self.returncode


def bailiwick(*arguments: str) -> None:
    """The `bailiwick` command."""
    from bailiwick.cli import main

    sys.argv = ["bailiwick", *arguments]
    main()


def _live(
    target: Callable[..., object],
    args: tuple[object, ...],
    env: dict[str, str],
    streams: tuple[Path, Path, Path],
) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    # As a new interpreter does.
    sys.path[:0] = filter(None, env.get("PYTHONPATH", "").split(os.pathsep))
    warnings.simplefilter("error")
    for number, path in enumerate(streams):
        flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    try:
        target(*args)
    finally:
        # A process of `multiprocessing` leaves without this.
        atexit._run_exitfuncs()
        # What is still open ends with the process; an interpreter says nothing of it then.
        warnings.simplefilter("ignore")
