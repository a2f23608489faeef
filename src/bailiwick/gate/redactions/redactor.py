"""Takes what the patterns find out of text and nested JSON. Clean data costs one pass."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bailiwick.gate.models import RedactionPattern
from bailiwick.gate.redactions.kinds import BY_ID, Measure, found
from bailiwick.kit import patterns
from bailiwick.kit.patterns import Pattern, PatternSet, Span

DEEPEST = 200
TOO_DEEP = "[NESTED TOO DEEP]"
# A number with fewer digits is nobody's card or id.
_SMALLEST_NUMBER = 10**8


@dataclass(frozen=True, slots=True)
class PatternFinder:
    """One pattern with its check, and what is put in its place."""

    name: str
    pattern: Pattern
    measure: Measure
    replacement: bytes

    def spans(self, data: bytes) -> Iterator[Span]:
        """Where there is something to take out."""
        for start, end in self.pattern.spans(data):
            yield from self.measure(data, start, end)


@dataclass(frozen=True)
class Redactor:
    """All enabled patterns."""

    finders: Sequence[PatternFinder]

    @classmethod
    def compile(cls, rows: Iterable[RedactionPattern]) -> "Redactor":
        """The patterns that are on; one that is no longer understood is an error, not a gap."""
        return cls([finder for row in rows if row.enabled for finder in _finders(row)])

    @classmethod
    def of_one(cls, pattern: Pattern) -> "Redactor":
        """A single pattern, to try it out."""
        return cls([PatternFinder(pattern.text, pattern, found, b"[REDACTED]")])

    def text(self, text: str) -> tuple[str, Counter[str]]:
        """A text without what the patterns find, and how often each found something."""
        return _replaced(text, self._suspects([text]))

    def value(self, value: Any) -> tuple[Any, list[str]]:
        """JSON, keys included, without what the patterns find; and the paths that changed."""
        if not self.finders:
            return value, []
        pieces, deepest = _pieces(value)
        suspects = self._suspects(pieces)
        if not suspects and deepest <= DEEPEST:
            return value, []
        return _Pass(suspects).run(value)

    def _suspects(self, pieces: Sequence[str]) -> list[PatternFinder]:
        """The finders that may find something in any of the pieces."""
        # A line's end between the pieces is for every pattern what the end of a text is, but for
        # those that ask for the end itself: these are always tried.
        matching = self._set.matching(_encoded("\n".join(pieces)))
        if pieces:
            matching |= self._always
        return [self.finders[number] for number in sorted(matching)]

    @cached_property
    def _always(self) -> frozenset[int]:
        return frozenset(
            number for number, finder in enumerate(self.finders) if finder.pattern.is_anchored
        )

    @cached_property
    def _set(self) -> PatternSet:
        return PatternSet([finder.pattern for finder in self.finders])


class _Pass:
    """One walk through a value."""

    def __init__(self, suspects: Sequence[PatternFinder]) -> None:
        self._suspects = suspects
        self._changed: list[str] = []

    def run(self, value: Any) -> tuple[Any, list[str]]:
        return self._value(value, "", DEEPEST), self._changed

    def _value(self, value: Any, path: str, left: int) -> Any:
        match value:
            case str():
                return self._text(value, path)
            case dict() | list() | tuple() if not left:
                self._changed.append(path)
                return TOO_DEEP
            case dict():
                return self._object(value, path, left - 1)
            case list() | tuple():
                return [
                    self._value(each, _beneath(path, str(number)), left - 1)
                    for number, each in enumerate(value)
                ]
            case _ if _is_long_number(value):
                text = self._text(str(value), path)
                return value if text == str(value) else text
            case _:
                return value

    def _object(self, value: dict[str, Any], path: str, left: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key, each in value.items():
            text, counts = _replaced(str(key), self._suspects)
            name = _unused(text, made) if counts else key
            if counts:
                self._changed.append(_beneath(path, name))
            made[name] = self._value(each, _beneath(path, name), left)
        return made

    def _text(self, text: str, path: str) -> str:
        text, counts = _replaced(text, self._suspects)
        if counts:
            self._changed.append(path)
        return text


def _replaced(text: str, suspects: Sequence[PatternFinder]) -> tuple[str, Counter[str]]:
    if not suspects:
        return text, Counter()
    data, counts = _encoded(text), Counter[str]()
    kept, at = bytearray(), 0
    for start, end, finder in _merged(data, suspects):
        kept += data[at:start] + finder.replacement
        at = end
        counts[finder.name] += 1
    return (_decoded(bytes(kept) + data[at:]) if counts else text), counts


def _finders(row: RedactionPattern) -> Iterator[PatternFinder]:
    replacement = row.replacement.encode()
    if row.builtin is None:
        assert row.pattern is not None
        yield PatternFinder(row.name, patterns.compile(row.pattern), found, replacement)
    elif kind := BY_ID.get(row.builtin):
        for pattern, measure in kind.patterns:
            yield PatternFinder(row.name, Pattern(pattern), measure, replacement)


def _merged(
    data: bytes, finders: Sequence[PatternFinder]
) -> Iterator[tuple[int, int, PatternFinder]]:
    """What was found, in order; where two overlap, both go under the name of the first."""
    places = [
        (start, -end, number)
        for number, finder in enumerate(finders)
        for start, end in finder.spans(data)
    ]
    begin = finish = owner = -1
    for start, end, number in sorted(places):
        if start >= finish:
            if owner >= 0:
                yield begin, finish, finders[owner]
            begin, finish, owner = start, -end, number
        else:
            finish = max(finish, -end)
    if owner >= 0:
        yield begin, finish, finders[owner]


def _pieces(value: Any) -> tuple[list[str], int]:
    """Every text in a value, in any order, and how deep it is nested."""
    pieces: list[str] = []
    deepest, left = 0, [(value, 0)]
    while left:
        each, depth = left.pop()
        if isinstance(each, str):
            pieces.append(each)
        elif isinstance(each, dict):
            pieces.extend(map(str, each))
            left.extend((inner, depth + 1) for inner in each.values())
            deepest = max(deepest, depth + 1)
        elif isinstance(each, list | tuple):
            left.extend((inner, depth + 1) for inner in each)
            deepest = max(deepest, depth + 1)
        elif _is_long_number(each):
            pieces.append(str(each))
    return pieces, deepest


def _is_long_number(value: Any) -> bool:
    return isinstance(value, int) and abs(value) >= _SMALLEST_NUMBER


def _unused(name: str, taken: dict[str, Any]) -> str:
    """Two keys that look the same now must not become one."""
    number, made = 1, name
    while made in taken:
        number += 1
        made = f"{name} ({number})"
    return made


def _beneath(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode(errors="surrogatepass")
