"""Run the mutants of the modules that guard: `python -m mutants [part of a path]...`.

The tests of a module run once, watched, to learn which lines each of them reaches. Then every
mutant gets a fork of that warm process, in which the tests that reach its line run until one fails.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import _lru_cache_wrapper
from itertools import accumulate
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from mutants.modules import GROUPS, SLOW, SOURCES, Group
from mutants.mutations import Mutant, mutants_of

ENOUGH = 0.95
SIDE_BY_SIDE = 2
# A machine may be busy with other things; only a test that hangs takes so long, or ten times what
# it took alone.
PATIENCE = 60
# What tests do not notice that take so many seconds together, the next would hardly.
LONG_ENOUGH = 30
# How a process ends that does not say which of its tests failed.
UNKNOWN = 255


class Stay:
    """Stands for the next test, so that what the session has made stays made."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def listchain(self) -> list[pytest.Session]:
        return [self.session]


class Runner:
    """A plugin that runs mutants where pytest would run its tests once."""

    def __init__(self, group: Group, only: Sequence[str] = ("",)) -> None:
        self.only = only
        self.files = [SOURCES / name for name in group.modules]
        self.watched = {str(file) for file in self.files}
        self.reached: dict[tuple[str, int], list[pytest.Item]] = defaultdict(list)
        self.took: dict[pytest.Item, float] = {}
        self.finds: Counter[tuple[str, str, pytest.Item]] = Counter()
        self.caches: list[Any] = []
        self.counts: dict[str, list[int]] = {str(file): [0, 0, 0] for file in self.files}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not any(name in item.nodeid for name in SLOW)]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        stay: Any = Stay(session)
        for item in session.items:
            if not self.watch(item, stay):
                raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
        gc.unfreeze()
        there = gc.get_objects()
        found = [thing for thing in there if isinstance(thing, FunctionType)]
        functions = {_place(function.__code__): function for function in found}
        self.caches = [thing for thing in there if isinstance(thing, _lru_cache_wrapper)]
        del there, found
        gc.collect()
        gc.freeze()
        if self.outcome(self.fork(None, session.items, functions, stay)) != "lives":
            raise pytest.UsageError("a test fails in a forked process without any mutant")
        self.run(functions, stay)
        return True

    def watch(self, item: pytest.Item, stay: Any) -> bool:
        """Run a test and note the lines that it reaches."""
        lines: set[tuple[str, int]] = set()

        def line(frame: FrameType, event: str, _: object) -> Any:
            lines.add((frame.f_code.co_filename, frame.f_lineno))
            return line

        def call(frame: FrameType, event: str, _: object) -> Any:
            return line(frame, event, _) if frame.f_code.co_filename in self.watched else None

        threading.settrace(call)
        sys.settrace(call)
        try:
            reports = runtestprotocol(item, log=False, nextitem=stay)
        finally:
            sys.settrace(None)
            threading.settrace(None)  # pyright: ignore[reportArgumentType]
        # Setting up may make what stays for others, such as a server.
        self.took[item] = sum(report.duration for report in reports if report.when != "setup")
        for place in lines:
            self.reached[place].append(item)
        return not any(report.failed for report in reports)

    def run(self, functions: dict[Any, FunctionType], stay: Any) -> None:
        running: dict[int, tuple[Mutant, Path, list[pytest.Item]]] = {}
        for mutant in self.mutants():
            tests = self.promising(mutant, self.reaching(mutant))
            if not tests or _place(mutant.code) not in functions:
                self.note(mutant, "unreached")
                continue
            if len(running) == SIDE_BY_SIDE:
                self.finish(running)
            pid, folder = self.fork(mutant, tests, functions, stay)
            running[pid] = mutant, folder, tests
        while running:
            self.finish(running)

    def reaching(self, mutant: Mutant) -> list[pytest.Item]:
        """The tests that reach a mutant's line, or its statement where the line has no code."""
        lines = (self.reached[mutant.file, line] for line in (mutant.line, mutant.statement))
        return next(filter(None, lines), [])

    def promising(self, mutant: Mutant, tests: Iterable[pytest.Item]) -> list[pytest.Item]:
        """The quick ones, and those that found others in this function, until it is long enough."""

        def cost(test: pytest.Item) -> float:
            return self.took[test] / (1 + self.finds[mutant.file, mutant.function, test])

        ordered = sorted(tests, key=cost)
        before = accumulate((self.took[test] for test in ordered), initial=0.0)
        return [test for test, spent in zip(ordered, before, strict=False) if spent < LONG_ENOUGH]

    def mutants(self) -> Iterator[Mutant]:
        for file in self.files:
            name = str(file.relative_to(SOURCES))
            for mutant in mutants_of(file):
                if any(part in f"{name}:{mutant.line}:" for part in self.only):
                    yield mutant

    def fork(
        self,
        mutant: Mutant | None,
        tests: Iterable[pytest.Item],
        functions: dict[Any, FunctionType],
        stay: Any,
    ) -> tuple[int, Path]:
        folder = Path(tempfile.mkdtemp(prefix="mutant-"))
        pid = os.fork()
        if pid:
            return pid, folder
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            if mutant is not None:
                functions[_place(mutant.code)].__code__ = mutant.code
                for cache in self.caches:
                    cache.cache_clear()
            for at, test in enumerate(tests, start=1):
                signal.alarm(PATIENCE + int(10 * self.took[test]))
                test.config._tmp_path_factory._basetemp = folder  # pyright: ignore
                reports = runtestprotocol(test, log=False, nextitem=stay)
                if any(report.failed for report in reports):
                    os._exit(min(at, UNKNOWN))
            os._exit(0)
        except BaseException:  # noqa: BLE001  # whatever it is, the mutant did not go unnoticed
            os._exit(UNKNOWN)

    def finish(self, running: dict[int, tuple[Mutant, Path, list[pytest.Item]]]) -> None:
        pid, status = os.wait()
        mutant, folder, tests = running.pop(pid)
        shutil.rmtree(folder, ignore_errors=True)
        if os.WIFEXITED(status) and 0 < os.WEXITSTATUS(status) < UNKNOWN:
            self.finds[mutant.file, mutant.function, tests[os.WEXITSTATUS(status) - 1]] += 1
        self.note(mutant, _outcome(status))

    def outcome(self, forked: tuple[int, Path]) -> str:
        pid, folder = forked
        _, status = os.waitpid(pid, 0)
        shutil.rmtree(folder, ignore_errors=True)
        return _outcome(status)

    def note(self, mutant: Mutant, outcome: str) -> None:
        killed = outcome in ("killed", "hangs")
        count = self.counts[mutant.file]
        count[0] += killed
        count[1] += 1
        count[2] += outcome == "hangs"
        if not killed:
            where = Path(mutant.file).relative_to(SOURCES)
            print(f"{outcome:9} {where}:{mutant.line} {mutant.change}", file=sys.__stderr__)


def _place(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _outcome(status: int) -> str:
    if os.WIFSIGNALED(status):
        return "hangs" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
    return "killed" if os.WEXITSTATUS(status) else "lives"


def main(only: Sequence[str]) -> int:
    """Run what has one of these in its path, or in its line (`:7:`); 1 if too many mutants live."""
    killed = total = 0
    for group in GROUPS:
        names = [part.partition(":")[0] for part in only]
        wanted = [module for module in group.modules if any(name in module for name in names)]
        if not wanted:
            continue
        runner = Runner(Group(wanted, group.tests), only)
        options = ["-n", "0", "-p", "no:cacheprovider", "-k", "not postgresql"]
        status = pytest.main([*options, *group.tests], plugins=[runner])
        if status != pytest.ExitCode.OK:
            return int(status)
        for file, (dead, all_of_it, hung) in runner.counts.items():
            name = Path(file).relative_to(SOURCES)
            share = 100 * dead / all_of_it if all_of_it else 100
            note = f", {hung} by hanging" if hung else ""
            print(f"{name}: {dead} of {all_of_it} killed, {share:.1f} %{note}", flush=True)
            killed, total = killed + dead, total + all_of_it
    print(f"together: {killed} of {total} killed, {100 * killed / max(total, 1):.1f} %")
    return int(killed < ENOUGH * total)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [""]))
