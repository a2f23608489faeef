"""What of our own code runs, watched by the interpreter itself."""

import sys
import threading
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import bailiwick

OURS = str(Path(bailiwick.__file__).parent)
# These stand inside a function and are read with it.
INSIDE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>")
# What runs by the clock, whatever else happens.
BACKGROUND = {
    "kit.db.sqlite.connect",
    "kit.engine.database.engine_of.<locals>.on_connect",
    "kit.engine.engine.Engine._register.<locals>.run_when_due",
    "kit.ledger.ledger.Ledger._on_thread.<locals>.run",
    "kit.ledger.ledger.Ledger._seal_now_and_then",
    "notify.streams.Streams._beat",
}
Edge = tuple[str, str]
START = ""


@dataclass
class Walk:
    """Which function of ours called which; those that nothing of ours called begin at `START`."""

    edges: dict[Edge, None] = field(default_factory=dict[Edge, None])

    @property
    def functions(self) -> set[str]:
        return {callee for _, callee in self.edges}

    @property
    def calls(self) -> int:
        return sum(1 for caller, _ in self.edges if caller)

    def lines(self) -> Iterator[tuple[int, str]]:
        """The tree, depth first; what was shown before is not unfolded again."""
        callees: defaultdict[str, list[str]] = defaultdict(list)
        for caller, callee in self.edges:
            callees[caller].append(callee)
        roots = [*callees[START], *(name for name in callees if name not in self.functions)]
        shown: set[str] = set()
        waiting = [(0, name) for name in reversed(roots) if name]
        while waiting:
            depth, name = waiting.pop()
            yield depth, name if name not in shown else f"{name} ..."
            if name not in shown:
                shown.add(name)
                waiting += [(depth + 1, each) for each in reversed(callees[name])]


class Watch:
    """Writes down calls in every thread that begins after it, while a block is watched."""

    def __init__(self) -> None:
        self._walk: Walk | None = None
        self._names: dict[CodeType, str | None] = {}
        threading.setprofile(self._on_event)
        sys.setprofile(self._on_event)

    @contextmanager
    def watched(self) -> Generator[Walk]:
        self._walk = walk = Walk()
        try:
            yield walk
        finally:
            self._walk = None

    def _on_event(self, frame: FrameType, event: str, _: Any) -> None:
        walk = self._walk
        if walk is None or event != "call" or not (name := self._name(frame.f_code)):
            return
        above = list(self._names_above(frame))
        caller = above[0] if above else START
        if caller != name and BACKGROUND.isdisjoint((name, *above)):
            walk.edges.setdefault((caller, name))

    def _names_above(self, frame: FrameType | None) -> Iterator[str]:
        while frame := frame.f_back if frame else None:
            if name := self._name(frame.f_code):
                yield name

    def _name(self, code: CodeType) -> str | None:
        if code not in self._names:
            ours = code.co_filename.startswith(OURS) and code.co_name not in INSIDE
            module = code.co_filename[len(OURS) + 1 :].removesuffix(".py").replace("/", ".")
            self._names[code] = f"{module}.{code.co_qualname}" if ours else None
        return self._names[code]
