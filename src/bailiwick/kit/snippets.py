"""Marks matches in a text, as pieces of plain text, never as markup."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from bailiwick.kit.db.fulltext import folded

_AROUND = 60
_LONGEST = 200
_SEARCHED = 200_000
_MOST_MARKS = 50
_LINES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class SnippetPiece:
    """A piece of a text; `found` marks a match."""

    text: str
    found: bool = False


class PhraseMarker:
    """Marks phrases, each given with whether its last word may go on."""

    def __init__(self, phrases: Iterable[tuple[str, bool]]) -> None:
        made = (
            _Phrase(words, prefix=prefix) for given, prefix in phrases if (words := folded(given))
        )
        self._phrases = list(dict.fromkeys(made))

    def marked(self, text: str) -> list[SnippetPiece]:
        """The whole text in pieces."""
        return self._pieces(text, _plain(text), 0, len(text))

    def snippet(self, text: str, otherwise: str) -> list[SnippetPiece]:
        """The part of a text around the first match, in pieces."""
        text = text[:_SEARCHED]
        plain = _plain(text)
        first = min((at for at, _ in self._first(plain)), default=None)
        if first is None:
            return [SnippetPiece(otherwise)] if otherwise else []
        start = _word_start(text, first)
        end = min(start + _LONGEST, len(text))
        pieces = self._pieces(text, plain, start, end)
        shown = [SnippetPiece(_LINES.sub(" ", piece.text), piece.found) for piece in pieces]
        before, after = (
            [SnippetPiece("…")] if start else [],
            [SnippetPiece("…")] if end < len(text) else [],
        )
        return [*before, *shown, *after]

    def _first(self, plain: str) -> Iterator[tuple[int, int]]:
        for phrase in self._phrases:
            if place := phrase.find(plain, 0, len(plain)):
                yield place

    def _pieces(self, text: str, plain: str, start: int, end: int) -> list[SnippetPiece]:
        made: list[SnippetPiece] = []
        at = start
        for first, last in self._places(plain, start, end):
            if first > at:
                made.append(SnippetPiece(text[at:first]))
            made.append(SnippetPiece(text[first:last], found=True))
            at = last
        if at < end:
            made.append(SnippetPiece(text[at:end]))
        return made

    def _places(self, plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The matches in order, without overlaps."""
        for _ in range(_MOST_MARKS):
            found = [phrase.find(plain, start, end) for phrase in self._phrases]
            if not (places := [place for place in found if place]):
                return
            first, last = min(places, key=lambda place: (place[0], -place[1]))
            yield first, last
            start = last


class _Phrase:
    """Words in sequence, ignoring case, accents and punctuation."""

    def __init__(self, words: str, *, prefix: bool) -> None:
        first, *rest = words.split()
        self._first = first
        # Scripts without spaces have no word boundaries.
        self._bounded = first.isascii()
        following = "".join(rf"[\W_]*{re.escape(word)}" for word in rest)
        ends = r"[^\W_]*" if prefix else r"(?![^\W_])" if words.isascii() else ""
        self._rest = re.compile(following + ends)

    def find(self, plain: str, start: int, end: int) -> tuple[int, int] | None:
        """The first match between two offsets."""
        at = plain.find(self._first, start, end)
        while at >= 0:
            begins = not self._bounded or at == 0 or not plain[at - 1].isalnum()
            if begins and (found := self._rest.match(plain, at + len(self._first), end)):
                return at, found.end()
            at = plain.find(self._first, at + 1, end)
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Phrase) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, str]:
        return self._first, self._rest.pattern


def _plain(text: str) -> str:
    """The same text in lower case without accents, character by character."""
    lower = text.lower()
    if lower.isascii():
        return lower
    if len(lower) != len(text):
        lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    return lower.translate(_without_accents())


@cache
def _without_accents() -> dict[int, str]:
    letters = {code: folded(chr(code)) for code in (*range(0xC0, 0x180), *range(0x1E00, 0x1F00))}
    return {code: plain for code, plain in letters.items() if len(plain) == 1}


def _word_start(text: str, first: int) -> int:
    """The start of some words before an offset."""
    at = max(first - _AROUND, 0)
    space = text.find(" ", at, first)
    return at if at == 0 or space < 0 else space + 1
