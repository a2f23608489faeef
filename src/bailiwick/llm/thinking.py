"""Thoughts that a server leaves in the text, between `<think>` and `</think>`.

An opening tag counts at the beginning of a line, outside of code. A closing tag without an opening
one means that the server took the opening tag away: all before it was thought. So a tag within a
thought needs no counting, because what its closing tag leaves over is closed by the next one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

# taken_back: what was passed on as text, and is a thought after all.
ThoughtPieceKind = Literal["text", "thought", "taken_back"]
_TAG = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)
_LONGEST_TAG = len("</thinking>")
_FENCE = "```"
_QUOTES = frozenset("`\"'“")


@dataclass(frozen=True, slots=True)
class ThoughtPiece:
    """A piece of the text, or of a thought in it."""

    kind: ThoughtPieceKind
    text: str


@dataclass(slots=True)
class _Words:
    """The words since the last thought, and whether a tag after them would be one."""

    pieces: list[str] = field(default_factory=list[str])
    in_code: bool = False
    _head: str = ""  # how the line begins, as far as it matters
    _last: str = ""

    def add(self, text: str) -> None:
        self.pieces.append(text)
        for place, part in enumerate(text.split("\n")):
            if place:
                self._head = ""
            if len(self._head) < len(_FENCE):
                self._head = (self._head + part.lstrip())[: len(_FENCE)]
                self.in_code ^= self._head == _FENCE
        self._last = text[-1:] or self._last

    @property
    def speak_of_a_tag(self) -> bool:
        return self.in_code or self._last in _QUOTES

    @property
    def end_a_line(self) -> bool:
        return not self._head


@dataclass(slots=True)
class ThoughtSplitter:
    """Takes a text in pieces, however they are cut, and tells thoughts from words."""

    _inside: bool = False
    _held: str = ""  # what may be the beginning of a tag
    _words: _Words = field(default_factory=_Words)
    _blank: bool = True  # nothing was said yet: the empty lines around a thought are nobody's

    def feed(self, text: str) -> Iterator[ThoughtPiece]:
        """What can be told by now."""
        rest = self._held + text
        self._held, start = "", 0
        for match in _TAG.finditer(rest):
            before, tag = rest[start : match.start()], match[0]
            start = match.end()
            yield from self._piece(before)
            yield from self._tag(tag, closing=bool(match[1]))
        cut = max(start, _held_from(rest))
        self._held = rest[cut:]
        yield from self._piece(rest[start:cut])

    def end(self) -> Iterator[ThoughtPiece]:
        """What was held back, when there is no more."""
        rest, self._held = self._held, ""
        yield from self._piece(rest)

    def _tag(self, tag: str, *, closing: bool) -> Iterator[ThoughtPiece]:
        """A tag counts where a model puts it, and not where one is spoken of."""
        if self._inside and closing:
            self._inside, self._blank, self._words = False, True, _Words()
        elif self._inside or self._words.speak_of_a_tag:
            yield from self._piece(tag)
        elif closing:
            said = "".join(self._words.pieces)
            if said:
                yield ThoughtPiece("taken_back", said)
            self._blank, self._words = True, _Words()
        elif self._words.end_a_line:
            self._inside = True
        else:
            yield from self._piece(tag)

    def _piece(self, text: str) -> Iterator[ThoughtPiece]:
        if self._inside:
            if text:
                yield ThoughtPiece("thought", text)
            return
        text = text.lstrip() if self._blank else text
        if text:
            self._blank = False
            self._words.add(text)
            yield ThoughtPiece("text", text)


def split(text: str) -> list[ThoughtPiece]:
    """A whole text as the thoughts and the words in it, in their order."""
    splitter, pieces = ThoughtSplitter(), _Joined()
    for piece in (*splitter.feed(text), *splitter.end()):
        pieces.add(piece)
    return pieces.found


@dataclass(slots=True)
class _Joined:
    found: list[ThoughtPiece] = field(default_factory=list[ThoughtPiece])

    def add(self, piece: ThoughtPiece) -> None:
        kind: ThoughtPieceKind = "text" if piece.kind == "text" else "thought"
        # What is taken back is there already, at the end of the words.
        words = self.found.pop().text if piece.kind == "taken_back" else ""
        if before := words.removesuffix(piece.text):
            self.found.append(ThoughtPiece("text", before))
        if self.found and self.found[-1].kind == kind:
            piece = ThoughtPiece(kind, self.found.pop().text + piece.text)
        self.found.append(ThoughtPiece(kind, piece.text))


def _held_from(text: str) -> int:
    """Where a tag may begin that is not yet whole; the end if nowhere."""
    start = text.rfind("<", max(0, len(text) - _LONGEST_TAG + 1))
    if start < 0:
        return len(text)
    begun = text[start:].lower()
    tags = ("<think>", "</think>", "<thinking>", "</thinking>")
    return start if any(tag.startswith(begun) for tag in tags) else len(text)
