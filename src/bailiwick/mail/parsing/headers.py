"""The header block: a message's fields, unfolded but not decoded.

Only fields that are used somewhere are kept, in their order.
"""

import re
from typing import NamedTuple

from bailiwick.mail.parsing import charsets

MOST_BYTES = 256_000
MOST_FIELDS = 1_000
_WANTED = frozenset(
    b"from reply-to to cc bcc subject date message-id in-reply-to references auto-submitted "
    b"content-type content-transfer-encoding content-disposition content-id received "
    b"authentication-results".split()
)
_END = re.compile(rb"\n\r*\n")
_NAME = re.compile(rb"[!-9;-~]+")

HeaderFields = list[tuple[str, bytes]]


class Block(NamedTuple):
    """Header fields, and where the body begins."""

    fields: HeaderFields
    body: int
    too_long: bool

    def first(self, name: str) -> bytes:
        """The first field of this name; may be empty."""
        for known, value in self.fields:
            if known == name:
                return value
        return b""

    def all(self, name: str) -> list[bytes]:
        """Every field of this name."""
        return [value for known, value in self.fields if known == name]


def read(raw: bytes, start: int, end: int) -> Block:
    """The header block that begins at `start`."""
    if raw.startswith((b"\n", b"\r\n"), start, end):
        return Block([], min(end, start + 2 - raw.startswith(b"\n", start, end)), too_long=False)
    found = _END.search(raw, start, end)
    stop, body = (found.start(), found.end()) if found else (end, end)
    too_long = stop - start > MOST_BYTES
    lines = raw[start : min(stop, start + MOST_BYTES)].replace(b"\r\n", b"\n").split(b"\n")
    if not _looks_like_field(lines[0]):
        # Without a header everything is body, such as a text file that was put into a folder.
        return Block([], start, too_long=False)
    return Block(*_fields(lines, body=body, too_long=too_long))


def text(value: bytes) -> str:
    """A raw value as text: UTF-8 if it is valid, else windows-1252."""
    return value.decode("ascii") if value.isascii() else charsets.decode(value)


def _looks_like_field(line: bytes) -> bool:
    name, colon, _ = line.partition(b":")
    # An mbox file puts "From x" in front, and some servers leave it there.
    return line.startswith((b"From ", b">From ")) or bool(colon and _NAME.fullmatch(name.rstrip()))


def _fields(lines: list[bytes], *, body: int, too_long: bool) -> Block:
    fields: HeaderFields = []
    name, folded = b"", []
    for line in lines:
        if line[:1] in (b" ", b"\t"):
            if name:
                folded.append(b" " + line.lstrip())
            continue
        if name:
            fields.append((name.decode(), b"".join(folded)))
            if len(fields) >= MOST_FIELDS:
                return Block(fields, body, too_long=True)
        name, colon, value = line.partition(b":")
        name = name.rstrip().lower()
        name = name if colon and name in _WANTED else b""
        folded = [value]
    if name:
        fields.append((name.decode(), b"".join(folded)))
    return Block(fields, body, too_long=too_long)
