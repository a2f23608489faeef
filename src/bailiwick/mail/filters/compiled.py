"""The filters of a workspace, compiled: all patterns on a field in one pass over it.

They run on RE2, which never backtracks. A set releases the interpreter's lock, so that a long body
blocks only its own thread.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from bailiwick.kit import patterns
from bailiwick.kit.patterns import BadPattern, Pattern, PatternSet
from bailiwick.mail.filters.fields import ATTRIBUTES, FieldName, Fields, data_of
from bailiwick.mail.models import Filter

log = structlog.stdlib.get_logger("bailiwick.filters")
# The largest program of a pattern: each instruction may cost a step for each character.
LARGEST = 2000
_IGNORE_CASE = "(?i)"


@dataclass(frozen=True, slots=True)
class FilterEntry:
    """One filter: its field, pattern and director."""

    field: str
    pattern: str
    director_id: str = ""
    account_id: str | None = None
    id: str = ""

    @classmethod
    def of(cls, row: Filter) -> "FilterEntry":
        """The entry of a stored filter."""
        return cls(row.field, row.pattern, row.director_id, row.account_id, row.id)


@dataclass(frozen=True, slots=True)
class FilterMatch:
    """A filter that matches, and its director."""

    filter_id: str
    director_id: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """Some patterns of one field, and the filters they belong to."""

    field: FieldName
    set: PatternSet
    numbers: Sequence[int]


def compile(text: str) -> Pattern:
    """A person's pattern, which ignores case unless it says `(?-i)`; or `BadPattern`."""
    if not text:
        raise BadPattern("is empty")
    if len(text) > patterns.LONGEST:
        raise BadPattern(f"is longer than {patterns.LONGEST} characters")
    # Compiled alone first, so that a fault is reported at the person's own offset.
    Pattern(text)
    made = Pattern(_IGNORE_CASE + text)
    if made.size > LARGEST:
        raise BadPattern(
            "takes too much work on a long mail; let it repeat less, as in .{1,200} or [a-z]{1,500}"
        )
    return made


class CompiledFilters:
    """Finds the directors of a mail."""

    def __init__(self, entries: Iterable[FilterEntry]) -> None:
        kept = list(_compiled(entries))
        self._matches = [FilterMatch(entry.id, entry.director_id) for entry, _ in kept]
        self._accounts = [entry.account_id for entry, _ in kept]
        self._asked: list[_Asked] = []
        for field in ATTRIBUTES:
            of_field = [(n, each) for n, (entry, each) in enumerate(kept) if entry.field == field]
            if of_field:
                numbers, compiled = zip(*of_field, strict=True)
                self._asked += _sets(field, compiled, numbers)

    def route(self, fields: Fields) -> list[FilterMatch]:
        """The matching filters in their order, each director once."""
        found: list[int] = []
        for asked in self._asked:
            for place in asked.set.matching(data_of(fields, asked.field)):
                found.append(asked.numbers[place])  # noqa: PERF401
        first: dict[str, FilterMatch] = {}
        for number in sorted(found):
            if self._accounts[number] in (None, fields.account_id):
                match = self._matches[number]
                first.setdefault(match.director_id, match)
        return list(first.values())


def _compiled(entries: Iterable[FilterEntry]) -> Iterator[tuple[FilterEntry, Pattern]]:
    for entry in entries:
        try:
            yield entry, compile(entry.pattern)
        except BadPattern as error:
            # The pattern compiled when it was saved; mail continues without it.
            log.warning("a filter cannot be used", filter=entry.id, reason=str(error))


def _sets(field: FieldName, compiled: Sequence[Pattern], numbers: Sequence[int]) -> list[_Asked]:
    """One set, or as few as it takes if they are too large together."""
    made = PatternSet(compiled)
    if made.is_whole or len(compiled) == 1:
        return [_Asked(field, made, numbers)]
    half = len(compiled) // 2
    return [
        *_sets(field, compiled[:half], numbers[:half]),
        *_sets(field, compiled[half:], numbers[half:]),
    ]
