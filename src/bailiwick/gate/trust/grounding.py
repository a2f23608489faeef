"""Whether the owner named a target, in their own words. Typed: kinds are never mixed.

`delete_file("13")` is not named by a request that speaks of June 13. What cannot be told counts as
not named: grounding is the only thing that lets a target pass, so it must never guess. Names are
compared letter by letter, because disks and mail servers tell apart what people do not.
"""

import functools
import re
import unicodedata
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bailiwick.gate.trust import orders
from bailiwick.gate.trust.orders import TextSpan
from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import TargetKind

# Looked for from where a run of such letters begins, and not again from each of them.
_ADDRESS = re.compile(r"(?<![\w.!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]+@[\w-]+(?:\.[\w-]+)+")
_URL = re.compile(r"https?://[^\s<>\"')\]]+", re.IGNORECASE)
_PATH = re.compile(r"[\w ./-]+")
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,8}\b")
_LONGEST_NAME = 201  # of a file, without its ending
_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(["the", "a", "an", "my", "our"])
# The notebook that need not be said: the office's own.
_HOME = "Files"
_LONGEST = 200_000
_LONGEST_TARGET = 1_000
_MOST_MENTIONS = 100  # the last ones
_FEWEST_WORDS = 2
_ELSEWHERE = re.compile(rf"\s+(?:in|under)\s+(?!{_HOME}\b)\w|,\s+(?:notebook|folder)\s")


@dataclass(frozen=True, slots=True)
class OwnerWords:
    """What the owner wrote."""

    text: str

    def order(self, effect: Effect, kind: TargetKind | None = None) -> bool:
        """Whether anything of this kind was ordered; if so, without naming a target of a kind."""
        return orders.given(self.text, effect, kind)

    def order_of(self, effect: Effect, kind: TargetKind, value: str) -> bool:
        """Whether an act of this kind was ordered, of this very target."""
        if len(value) > _LONGEST_TARGET:
            return False  # nobody says so much to name one thing
        said = deque(self.mentions(kind, value), maxlen=_MOST_MENTIONS)
        return any(orders.covers(self.text, effect, kind, at) for at in said)

    def mentions(self, kind: TargetKind, value: str) -> Iterator[TextSpan]:
        """Where a target of this kind is named."""
        match kind:
            case "address":
                yield from self._addresses(value)
            case "url":
                yield from self._exactly(_URL, value, trailing="/.,;")
            case "file":
                yield from self._paths(value)
            case "folder":
                yield from self._folders(value)
            case "name":
                yield from self._phrases(value)
            case "account" | "task" | "note" | "event" | "email" | "item":
                # Nobody says an id; who writes one out means it.
                yield from self._quoted(value)

    def _addresses(self, value: str) -> Iterator[TextSpan]:
        wanted = value.strip()
        for found in _ADDRESS.finditer(self.text):
            said = found.group().rstrip(".")
            if said == wanted or (wanted.isascii() and said.lower() == wanted.lower()):
                yield TextSpan(found.start(), found.start() + len(said))

    def _exactly(
        self, pattern: re.Pattern[str], value: str, *, trailing: str
    ) -> Iterator[TextSpan]:
        for found in pattern.finditer(self.text):
            if found.group().rstrip(trailing) == value.strip().rstrip("/"):
                yield TextSpan(found.start(), found.end())

    def _paths(self, value: str) -> Iterator[TextSpan]:
        path = unicodedata.normalize("NFC", value).strip("/")
        notebook, _, inner = path.partition("/")
        if inner:
            yield from self._files(path)
            notebooks = self._said(r"\b(?:in|into|from|of|to|notebook)", notebook)
            for at in self._files(inner):
                if self._is_beside(notebooks, at) or (
                    notebook == _HOME and ("/" in inner or not self._is_elsewhere(at))
                ):
                    yield at

    def _files(self, name: str) -> Iterator[TextSpan]:
        folder, _, last = name.rpartition("/")
        # A bare word is a name only in quotes: else any word would be a file.
        named = "." in last[1:]
        yield from self._bounded(name) if named else self._quoted(name)
        if named and folder and "/" not in folder:
            folders = self._said(r"(?<=\s)(?:from|in|into|to|under)", folder)
            yield from (at for at in self._bounded(last) if self._is_place(folders, at))

    def _folders(self, value: str) -> Iterator[TextSpan]:
        path = unicodedata.normalize("NFC", value).strip("/")
        notebook, _, inner = path.partition("/")
        for name in {path, inner if notebook == _HOME else path}:
            if name:
                yield from self._quoted(name)
                yield from self._found(rf"(?<![\w./-]){re.escape(name)}/?(?=\s+folder\b)")
                yield from self._found(rf"(?<=\bfolder ){re.escape(name)}(?![\w/.-])")

    def _phrases(self, value: str) -> Iterator[TextSpan]:
        wanted = [word for word in _words(value) if word not in _ARTICLES]
        # One word is part of too much that is said.
        if len(wanted) < _FEWEST_WORDS or not _is_plain(value):
            return
        said = [
            (found.group().casefold(), found)
            for found in _WORD.finditer(self.text)
            if found.group().casefold() not in _ARTICLES and not self._is_possessive(found)
        ]
        for start in range(len(said) - len(wanted) + 1):
            if [word for word, _ in said[start : start + len(wanted)]] == wanted:
                yield TextSpan(said[start][1].start(), said[start + len(wanted) - 1][1].end())

    def _is_possessive(self, word: re.Match[str]) -> bool:
        return word.group() == "s" and self.text[word.start() - 1 : word.start()] in ("'", "\u2019")

    def _said(self, before: str, place: str) -> list[TextSpan]:
        """Where a place is named after one of some words, in the order of the text."""
        name = re.escape(place)
        return list(self._found(rf"{before}\s+(?:the\s+|my\s+)?{name}(?![\w/-]|\.\w)"))

    def _is_place(self, folders: Sequence[TextSpan], at: TextSpan) -> bool:
        """Whether the same sentence says that a name is in, or goes to, this folder."""
        return any(orders.together(self.text, place, at) for place in _nearest(folders, at))

    def _is_beside(self, notebooks: Sequence[TextSpan], at: TextSpan) -> bool:
        """Whether the same part of a sentence says in which notebook a name is."""
        return any(
            orders.together(self.text, place, at) or self.text[at.end : place.start] == ", "
            for place in _nearest(notebooks, at)
        )

    def _is_elsewhere(self, at: TextSpan) -> bool:
        """Whether a name is said to be in some place."""
        return bool(_ELSEWHERE.match(self.text, at.end))

    def _bounded(self, name: str) -> Iterator[TextSpan]:
        yield from self._found(rf"(?<![\w./@-]){re.escape(name)}(?![\w/-]|\.\w)")

    def _quoted(self, name: str) -> Iterator[TextSpan]:
        yield from self._found(rf"(?<=[\"'“‘`«]){re.escape(name)}(?=[\"'”’`»])")  # noqa: RUF001

    def _found(self, pattern: str) -> Iterator[TextSpan]:
        yield from (TextSpan(*found.span()) for found in re.finditer(pattern, self.text))


@functools.lru_cache(maxsize=256)
def words_of(text: str) -> OwnerWords:
    """The owner's words, ready to be asked."""
    if len(text) > _LONGEST:
        # The latest messages, each of them whole: half of one could say the opposite.
        text = text[-_LONGEST:].partition(orders.BETWEEN)[2]
    return OwnerWords(unicodedata.normalize("NFC", text))


def mentions(data: Any) -> Iterator[tuple[str, str]]:
    """The targets that some content names, for explaining a refusal."""
    for text in _texts(data):
        plain = text[:_LONGEST]
        yield from (("address", found.rstrip(".")) for found in _ADDRESS.findall(plain))
        yield from (("url", found.rstrip("/.,;")) for found in _URL.findall(plain))
        yield from (("file", found) for path in _PATH.findall(plain) for found in _file_names(path))


def _nearest(places: Sequence[TextSpan], at: TextSpan) -> Sequence[TextSpan]:
    """The place before and the one after: what parts a name from these parts it from the rest."""
    number = bisect_left(places, at.start, key=lambda place: place.start)
    return places[max(0, number - 1) : number + 1]


def _file_names(path: str) -> Iterator[str]:
    """What may be files in a run of letters: as much as fits before an ending."""
    ends = [found.span() for found in _ENDING.finditer(path)]
    start = number = 0
    while number < len(ends):
        dot = ends[number][0]
        start = max(start, dot - _LONGEST_NAME)
        while start < dot and path[start] in " ./-":
            start += 1
        if start < dot:
            while number + 1 < len(ends) and ends[number + 1][0] - start <= _LONGEST_NAME:
                number += 1
            yield path[start : ends[number][1]]
            start = ends[number][1]
        number += 1


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _is_plain(value: str) -> bool:
    """Whether a phrase is words alone: an address or a link in it says more than its words do."""
    return not re.search(r"[@/\\]|\w\.\w|https?:", value)


def _texts(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _texts(value)
        case list():
            for value in data:
                yield from _texts(value)
        case _:
            return
