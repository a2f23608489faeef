"""Two transcripts side by side: what corresponds is on one line."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from bailiwick.runs import views
from bailiwick.runs.models import RunMessage
from bailiwick.runs.schemas import ComparedRow

Pair = tuple[RunMessage | None, RunMessage | None]


def rows(left: Sequence[RunMessage], right: Sequence[RunMessage]) -> list[ComparedRow]:
    """The lines of the comparison."""
    return [
        ComparedRow(
            left=views.message(a) if a else None,
            right=views.message(b) if b else None,
            same=a is not None and b is not None and _content(a) == _content(b),
        )
        for a, b in aligned(left, right)
    ]


def aligned(left: Sequence[RunMessage], right: Sequence[RunMessage]) -> Iterator[Pair]:
    """Messages that correspond: of the same role, and of the same tools where tools are called."""
    matcher = SequenceMatcher(None, [_shape(a) for a in left], [_shape(b) for b in right], False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        if kind == "equal":
            yield from zip(left[i1:i2], right[j1:j2], strict=True)
        else:
            yield from _beside(left[i1:i2], right[j1:j2])


def _beside(left: Sequence[RunMessage], right: Sequence[RunMessage]) -> Iterator[Pair]:
    """What differs: beside one another as long as the roles agree, then each alone."""
    here, there = list(left), list(right)
    while here and there and here[0].role == there[0].role:
        yield here.pop(0), there.pop(0)
    yield from ((a, None) for a in here)
    yield from ((None, b) for b in there)


def _shape(row: RunMessage) -> tuple[str, str, tuple[str, ...]]:
    called = tuple(call["function"]["name"] for call in row.tool_calls or ())
    return row.role, row.kind, called


def _content(row: RunMessage) -> tuple[str, list[tuple[str, str]]]:
    called = [(c["function"]["name"], c["function"]["arguments"]) for c in row.tool_calls or ()]
    return row.content, called
