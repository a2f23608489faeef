"""Attachments kept apart from their messages, so that equal contents are stored once.

The stored message has holes where its attachments stood. A hole records how its content was
encoded, so that the message can be restored to the last byte. A content that would not come out the
same, or is too small to be worth a file of its own, stays in the message.
"""

import binascii
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bailiwick.mail.parsing import Parsed, Part

LEAST = 8_000  # bytes, encoded
MOST = 100  # attachments of one message, each of which is a file
_AS_IT_IS = ("", "7bit", "8bit", "binary")
_BLOCK = 1_000_000  # a block, so that a large content is not in memory twice


class AttachmentWriter(NamedTuple):
    """How a content is encoded in a message."""

    width: int  # characters of base64 on a line; 0: not encoded
    crlf: bool

    @property
    def end(self) -> bytes:
        """The line end."""
        return b"\r\n" if self.crlf else b"\n"

    @property
    def lines(self) -> int:
        """The number of lines in a block."""
        return max(1, _BLOCK // self.width)


class LiftedMessage(NamedTuple):
    """A content that was taken out of a message."""

    part: str  # the number of its part
    at: int  # its offset in the stored message
    writing: AttachmentWriter
    content: bytes


def lift(raw: bytes, parsed: Parsed) -> tuple[bytes, list[LiftedMessage]]:
    """The stored message, and the contents taken out of it."""
    rest: list[bytes] = []
    taken: list[LiftedMessage] = []
    left = done = 0
    for part in parsed.parts:
        # A repaired message has other parts than the one that came, so nothing is taken out.
        if len(taken) < MOST and part.raw is raw and (found := _taken(part)):
            content, writing, end = found
            rest.append(raw[done : part.start])
            left += part.start - done
            taken.append(LiftedMessage(part.number, left, writing, content))
            done = end
    return (b"".join([*rest, raw[done:]]) if taken else raw), taken


def fill(rest: bytes, holes: Iterable[tuple[int, AttachmentWriter, bytes]]) -> bytes:
    """The original message; holes are given in their order."""
    pieces: list[bytes] = []
    done = 0
    for at, writing, content in holes:
        pieces.append(rest[done:at])
        pieces.extend(_written(content, writing) if writing.width else [content])
        done = at
    return b"".join([*pieces, rest[done:]])


def _taken(part: Part) -> tuple[bytes, AttachmentWriter, int] | None:
    """A part's content, its encoding and its end; nothing if it stays in the message."""
    raw, start, end = part.raw, part.start, part.end
    if end - start < LEAST:
        return None
    if part.encoding in _AS_IT_IS:
        return raw[start:end], AttachmentWriter(0, crlf=False), end
    while raw[end - 1] in b"\r\n":
        end -= 1
    if part.encoding != "base64" or (writing := _writing(raw, start, end)) is None:
        return None
    content = _content(raw, start, end, writing)
    return None if content is None else (content, writing, end)


def _writing(raw: bytes, start: int, end: int) -> AttachmentWriter | None:
    """How base64 is written there, judged by its first line."""
    first = raw.find(b"\n", start, end)
    if first < 0:
        first = end
    crlf = raw[first - 1 : first] == b"\r"
    width = first - crlf - start
    return AttachmentWriter(width, crlf) if width > 0 and width % 4 == 0 else None


def _content(raw: bytes, start: int, end: int, writing: AttachmentWriter) -> bytes | None:
    """The decoded content, if encoding it again gives the same bytes."""
    pieces: list[bytes] = []
    step = writing.lines * (writing.width + len(writing.end))
    for at in range(start, end, step):
        block = raw[at : min(at + step, end)]
        try:
            piece = binascii.a2b_base64(block)
        except binascii.Error:
            return None
        after = writing.end if at + step < end else b""
        if b"".join(_written(piece, writing)) + after != block:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _written(content: bytes, writing: AttachmentWriter) -> Iterator[bytes]:
    """Base64 in lines, block by block; the last line has no end."""
    width, end = writing.width, writing.end
    step = writing.lines * width // 4 * 3
    for at in range(0, len(content), step):
        letters = binascii.b2a_base64(content[at : at + step], newline=False)
        lines = (letters[place : place + width] for place in range(0, len(letters), width))
        if at:
            yield end
        yield end.join(lines)
