"""Sets of UIDs as ranges, which keeps a hundred thousand of them small."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

HIGHEST = 0xFFFFFFFF
_SET = re.compile(r"\d{1,10}(?::\d{1,10})?(?:,\d{1,10}(?::\d{1,10})?)*\Z")
_lower = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Uids:
    """An immutable set; ranges are sorted and do not touch."""

    ranges: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, numbers: Iterable[int]) -> "Uids":
        """From numbers in any order."""
        return cls(_merged((number, number) for number in sorted(numbers)))

    @classmethod
    def between(cls, low: int, high: int) -> "Uids":
        """All UIDs from the first to the last given."""
        return cls(((low, high),) if low <= high else ())

    @classmethod
    def parse(cls, text: str) -> "Uids":
        """From `1:5,7`; ValueError for anything else."""
        if not text:
            return cls()
        if not _SET.match(text):
            raise ValueError("not a set of UIDs")
        pairs: list[tuple[int, int]] = []
        for part in text.split(","):
            low, _, high = part.partition(":")
            first, last = int(low), int(high or low)
            pairs.append((min(first, last), min(max(first, last), HIGHEST)))
        return cls(_merged(sorted(pairs)))

    def __str__(self) -> str:
        return ",".join(f"{low}:{high}" if high > low else f"{low}" for low, high in self.ranges)

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self.ranges, number, key=_lower) - 1
        return at >= 0 and number <= self.ranges[at][1]

    def __iter__(self) -> Iterator[int]:
        for low, high in self.ranges:
            yield from range(low, high + 1)

    def __reversed__(self) -> Iterator[int]:
        for low, high in reversed(self.ranges):
            yield from range(high, low - 1, -1)

    def __or__(self, other: "Uids") -> "Uids":
        if not self or not other:
            return self if self else other
        low, high = (self, other) if self.ranges < other.ranges else (other, self)
        if low.highest < high.ranges[0][0]:
            # A page usually lies beside the known ranges: then only the ends are joined.
            seam = _merged((low.ranges[-1], high.ranges[0]))
            return Uids((*low.ranges[:-1], *seam, *high.ranges[1:]))
        return Uids(_merged(sorted((*self.ranges, *other.ranges))))

    def __and__(self, other: "Uids") -> "Uids":
        found: list[tuple[int, int]] = []
        ours, theirs = iter(self.ranges), iter(other.ranges)
        one, two = next(ours, None), next(theirs, None)
        while one and two:
            low, high = max(one[0], two[0]), min(one[1], two[1])
            if low <= high:
                found.append((low, high))
            if one[1] < two[1]:
                one = next(ours, None)
            else:
                two = next(theirs, None)
        return Uids(tuple(found))

    def __sub__(self, other: "Uids") -> "Uids":
        return self & other._others()

    def newest(self, count: int) -> "Uids":
        """The `count` highest UIDs."""
        return Uids.of(islice(reversed(self), count))

    @property
    def highest(self) -> int:
        """The highest UID, or 0."""
        return self.ranges[-1][1] if self.ranges else 0

    def _others(self) -> "Uids":
        gaps: list[tuple[int, int]] = []
        low = 0
        for first, last in self.ranges:
            if first > low:
                gaps.append((low, first - 1))
            low = last + 1
        if low <= HIGHEST:
            gaps.append((low, HIGHEST))
        return Uids(tuple(gaps))


def _merged(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    made: list[tuple[int, int]] = []
    for low, high in pairs:
        if made and low <= made[-1][1] + 1:
            if high > made[-1][1]:
                made[-1] = (made[-1][0], high)
        else:
            made.append((low, high))
    return tuple(made)
