"""Patterns that people give, run by RE2: linear in the text, whatever the pattern.

Everything works on UTF-8 bytes, because offsets into a long text are then found without counting
characters.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, cast

import re2

LONGEST = 1000
_PATTERN_BYTES = 2 * 1024 * 1024
_SET_BYTES = 64 * 1024 * 1024
# A probe that no text contains; it shows that the set works.
_CANARY = "\x00canary of the pattern set\x00"
# These depend on where a text begins and ends.
_ANCHORS = ("^", "$", r"\A", r"\z")
_NEGATED = re.compile(r"(?<!\\)\[\^")

Span = tuple[int, int]


class BadPattern(ValueError):
    """The pattern is refused; says where the fault is."""

    def __init__(self, message: str, position: int | None = None) -> None:
        place = "" if position is None else f" at character {position + 1}"
        super().__init__(f"{message}{place}")
        self.position = position


class _Match(Protocol):
    def span(self, group: int = 0) -> Span: ...


class Pattern:
    """A compiled pattern."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._compiled: Any = _compiled(text)
        self._group = min(self._compiled.groups, 1)
        # The size of its program: matching takes at most this many steps for each byte.
        self.size: int = self._compiled.programsize
        # Whether it may depend on where the text begins or ends.
        self.is_anchored = any(mark in _NEGATED.sub("[", text) for mark in _ANCHORS)

    def spans(self, data: bytes) -> Iterator[Span]:
        """The matches: its first group, or the whole if it has none; never empty ones."""
        for match in cast("Iterable[_Match]", self._compiled.finditer(data)):
            start, end = match.span(self._group)
            if start < end:
                yield start, end


def compile(text: str) -> Pattern:
    """A pattern as someone wrote it, or `BadPattern`."""
    if not text:
        raise BadPattern("is empty")
    if len(text) > LONGEST:
        raise BadPattern(f"is longer than {LONGEST} characters")
    made = Pattern(text)
    if re2.compile(text, _options(_PATTERN_BYTES)).search(b""):
        raise BadPattern("also matches nothing at all, so it would match everywhere")
    return made


class PatternSet:
    """Many patterns in one pass: which of them match a text."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._all = frozenset(range(len(patterns)))
        self._set = _compiled_set(patterns)
        # Whether one pass suffices; it does not if they are too large together.
        self.is_whole = self._set is not None

    def matching(self, data: bytes) -> frozenset[int]:
        """The numbers of those that match; all numbers, if one pass cannot tell."""
        return (
            self._all if self._set is None else frozenset(self._set.Match(data) or ()) & self._all
        )


def _compiled_set(patterns: Sequence[Pattern]) -> Any:
    made = re2.Set.SearchSet(_options(_SET_BYTES))
    try:
        for pattern in patterns:
            made.Add(pattern.text)
        made.Add(re2.escape(_CANARY))
        made.Compile()
    except re2.error:
        return None
    # A set that is too large reports no match for any text: that must not pass for clean text.
    return made if len(patterns) in (made.Match(_CANARY.encode()) or ()) else None


def _compiled(text: str) -> Any:
    try:
        return re2.compile(text, _options(_PATTERN_BYTES))
    except UnicodeEncodeError as error:
        raise BadPattern("contains half a character", error.start) from None
    except re2.error as error:
        raise _explained(text, error) from None


def _explained(text: str, error: Exception) -> BadPattern:
    reason = error.args[0]
    words = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    message, _, piece = words.partition(": ")
    position = text.find(piece) if piece else len(text) - 1
    return BadPattern(f"{message} ({piece})" if piece else message, max(position, 0))


def _options(memory: int) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return options
