"""The tree of parts, split at boundaries and sorted into text, HTML and attachments.

It follows JMAP (RFC 8621, 4.1.4), within limits: parts that are nested too deeply, or come after
too many others, stay one attachment, and the fault says so. A message within a message is an
attachment and is not opened.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from bailiwick.mail.parsing import encoded_words, headers, storable

MOST_DEEP = 30
MOST_PARTS = 500
_MOST_BEHIND = 1_000  # bytes between a boundary and the end of its line
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}")
_BODY = ("text/plain", "text/html")
_LF, _CR = 10, 13
ByteSpan = tuple[int, int]
DEEP = "Its parts are nested too deeply; the innermost are kept as one attachment."
MANY = "It has too many parts; the rest is kept as one attachment."
LOST = "It says that it has several parts, but they cannot be told apart."


class Leaf(NamedTuple):
    """A part without parts of its own."""

    raw: bytes
    start: int
    end: int
    number: str
    type: str
    parameters: dict[str, str]
    encoding: str
    attached: bool  # by its header
    name: str
    content_id: str


class _Place(NamedTuple):
    """The position of a part in the tree."""

    number: str = ""
    depth: int = 0
    first: bool = True
    within: str = "mixed"
    alternative: bool = False  # in multipart/alternative


_TOP = _Place()


@dataclass(slots=True)
class Sorted:
    """The sorted parts of a message."""

    raw: bytes
    text: list[Leaf] = field(default_factory=list)
    html: list[Leaf] = field(default_factory=list)
    others: list[tuple[Leaf, bool]] = field(default_factory=list)  # and whether it is inline
    faults: list[str] = field(default_factory=list)
    count: int = 0

    def _note(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)

    def walk(self, block: headers.Block, end: int, *, place: _Place = _TOP) -> None:
        """Sort the part with this header, and all parts within it."""
        self.count += 1
        type, parameters = encoded_words.parameters(block.first("content-type"))
        if not type:
            type = "message/rfc822" if place.within == "digest" else "text/plain"
        elif not _TYPE.fullmatch(type):
            type = "text/plain" if type == "text" else "application/octet-stream"
        if type.startswith("multipart/"):
            if place.depth >= MOST_DEEP:
                self._note(DEEP)
                self._keep((block.body, end), place)
                return
            boundary = parameters.get("boundary", "").rstrip().encode("utf-8", "replace")
            if pieces := split(self.raw, (block.body, end), boundary):
                self._open(pieces, type.partition("/")[2], place=place)
                return
            # Taken as text, so that it can at least be read.
            self._note(LOST)
            type, parameters = "text/plain", {}
        span = block.body, max(end, block.body)
        self._sort(_leaf(self.raw, block, span, (type, parameters), place.number or "1"), place)

    def _open(self, pieces: list[ByteSpan], kind: str, *, place: _Place) -> None:
        texts, htmls = len(self.text), len(self.html)
        alternative = place.alternative or kind == "alternative"
        for index, (start, end) in enumerate(pieces):
            number = f"{place.number}.{index + 1}" if place.number else str(index + 1)
            inner = _Place(number, place.depth + 1, index == 0, kind, alternative)
            if self.count >= MOST_PARTS:
                self._note(MANY)
                self._keep((start, pieces[-1][1]), inner)
                break
            self.walk(headers.read(self.raw, start, end), end, place=inner)
        if alternative and not place.alternative:
            # Only one of the two forms was sent, so it serves as both.
            if len(self.text) == texts:
                self.text += self.html[htmls:]
            elif len(self.html) == htmls:
                self.html += self.text[texts:]

    def _sort(self, leaf: Leaf, place: _Place) -> None:
        if (
            leaf.attached
            or leaf.type not in _BODY
            or not (place.first or (place.within != "related" and not leaf.name))
        ):
            shown = leaf.type.startswith("image/") and bool(leaf.content_id)
            self.others.append((leaf, shown and not leaf.attached))
            return
        if leaf.type == "text/plain" or not place.alternative:
            self.text.append(leaf)
        if leaf.type == "text/html" or not place.alternative:
            self.html.append(leaf)

    def _keep(self, span: ByteSpan, place: _Place) -> None:
        number = place.number or "1"
        leaf = Leaf(self.raw, *span, number, "application/octet-stream", {}, "", True, "", "")
        self.others.append((leaf, False))


def read(raw: bytes, block: headers.Block) -> Sorted:
    """The parts of the message with this header."""
    found = Sorted(raw)
    found.walk(block, len(raw))
    return found


def split(raw: bytes, span: ByteSpan, boundary: bytes) -> list[ByteSpan]:
    """The spans between boundaries; the last boundary may be missing."""
    start, end = span
    pieces: list[ByteSpan] = []
    delimiter, opened, at = b"--" + boundary, -1, start
    while boundary and (found := raw.find(delimiter, at, end)) >= 0:
        at = after = found + len(delimiter)
        if found > start and raw[found - 1] not in b"\r\n":
            continue
        closing = raw.startswith(b"--", after, end)
        # Looked for nearby alone: else each boundary of many costs a walk to the message's end.
        near = min(end, after + _MOST_BEHIND)
        line_end = raw.find(b"\n", after, near)
        if line_end < 0 and near < end:
            continue
        line_end = end if line_end < 0 else line_end
        # Another, longer boundary may begin with this one.
        if raw[after + 2 * closing : line_end].strip():
            continue
        if opened >= 0:
            pieces.append((opened, max(opened, _without_line_end(raw, found))))
        opened, at = min(line_end + 1, end), line_end
        if closing:
            return pieces
        if len(pieces) > MOST_PARTS:
            break
    if opened >= 0:
        pieces.append((opened, end))
    return pieces


def _without_line_end(raw: bytes, at: int) -> int:
    if raw[at - 1] == _LF:
        at -= 1
    return at - 1 if raw[at - 1] == _CR else at


def _leaf(
    raw: bytes,
    block: headers.Block,
    span: ByteSpan,
    kind: tuple[str, dict[str, str]],
    number: str,
) -> Leaf:
    disposition, said = encoded_words.parameters(block.first("content-disposition"))
    encoding = headers.text(block.first("content-transfer-encoding")[:100])
    content_id = headers.text(block.first("content-id")[:500])
    return Leaf(
        raw,
        *span,
        number,
        *kind,
        encoding=encoding.partition(";")[0].strip().lower(),
        attached=disposition == "attachment",
        name=encoded_words.decoded(said.get("filename") or kind[1].get("name") or ""),
        content_id=storable.line(content_id).strip("<>"),
    )
