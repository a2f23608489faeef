"""The filters of a workspace, compiled: all patterns on a field in one pass over it.

RE2 runs them, which never goes back in a text. A set of them lets go of the interpreter's lock, so
that a long body keeps nobody but its own thread waiting.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from bailiwick.kit import patterns
from bailiwick.kit.patterns import BadPattern, Pattern, PatternSet
from bailiwick.mail.filters.fields import ATTRIBUTES, FieldName, Fields, data_of
from bailiwick.mail.models import Filter

log = structlog.stdlib.get_logger("bailiwick.filters")
# What a pattern may take, in instructions of its program: each may cost a step for each letter.
LARGEST = 2000
_IGNORE_CASE = "(?i)"


@dataclass(frozen=True, slots=True)
class FilterEntry:
    """A filter: where it looks, for what, and who gets what it finds."""

    field: str
    pattern: str
    director_id: str = ""
    account_id: str | None = None
    id: str = ""

    @classmethod
    def of(cls, row: Filter) -> "FilterEntry":
        """A filter that is kept."""
        return cls(row.field, row.pattern, row.director_id, row.account_id, row.id)


@dataclass(frozen=True, slots=True)
class FilterMatch:
    """A filter that fits, and whom it names."""

    filter_id: str
    director_id: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """Some patterns of one field, and which filters they belong to."""

    field: FieldName
    set: PatternSet
    numbers: Sequence[int]


def compile(text: str) -> Pattern:
    """A pattern as someone wrote it, which ignores case unless it says `(?-i)`; or `BadPattern`."""
    if not text:
        raise BadPattern("is empty")
    if len(text) > patterns.LONGEST:
        raise BadPattern(f"is longer than {patterns.LONGEST} characters")
    # By itself first: a fault is found where the person wrote it.
    Pattern(text)
    made = Pattern(_IGNORE_CASE + text)
    if made.size > LARGEST:
        raise BadPattern(
            "takes too much work on a long mail; let it repeat less, as in .{1,200} or [a-z]{1,500}"
        )
    return made


class CompiledFilters:
    """Which directors get a mail."""

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
        """The filters that fit, in their order, each director once."""
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
            # It was good when it was written: mail goes on without it.
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
