"""Which requirement has which tests. An id that nobody knows stops the suite."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "docs" / "requirements.txt"
IN_A_TITLE = re.compile(r"\[([A-Z]+-\d+)\]")
Proofs = dict[str, list[str]]


@cache
def listed() -> list[str]:
    """Every id, in the order of the list."""
    lines = LISTED.read_text().splitlines()
    return [id for line in lines if not line.startswith("#") for id in line.split()]


def refuse_unknown(items: Iterable[pytest.Item | pytest.Collector]) -> None:
    """A mark that names no requirement is an error of the file that it stands in."""
    for id, test in _marked(items):
        if id not in listed():
            raise pytest.Collector.CollectError(f"{test}: {id} is not in docs/{LISTED.name}")


def proofs(items: Iterable[pytest.Item]) -> Proofs:
    """The tests of each id, those of the web app too."""
    found: Proofs = defaultdict(list)
    for id, test in [*_marked(items), *titled()]:
        if test not in found[id]:
            found[id].append(test)
    return found


def print_map(found: Proofs) -> None:
    """Each id with its tests, and at the end the ids that have none."""
    if unknown := sorted(set(found) - set(listed())):
        test = found[unknown[0]][0]
        raise pytest.UsageError(f"{test}: {unknown[0]} is not in docs/{LISTED.name}")
    without = [id for id in listed() if not found.get(id)]
    for id in listed():
        if id not in without:
            print(f"\n{id}", *found[id], sep="\n  ")
    print(f"\nWithout a test: {len(without)} of {len(listed())}", *without, sep="\n  ")


def _marked(items: Iterable[pytest.Item | pytest.Collector]) -> Iterator[tuple[str, str]]:
    for item in items:
        for mark in item.iter_markers("req"):
            for id in mark.args:
                yield str(id), item.nodeid


def titled() -> Iterator[tuple[str, str]]:
    """What the tests of the web app name in their titles."""
    for path in sorted((ROOT / "ui" / "src").rglob("*.test.ts*")):
        for id in IN_A_TITLE.findall(path.read_text()):
            yield id, path.relative_to(ROOT).as_posix()
