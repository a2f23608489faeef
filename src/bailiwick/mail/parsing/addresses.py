"""Lists of addresses. Who is addressed is never taken from a name, a comment or a quoted text."""

import re

from bailiwick.mail.parsing import storable, words
from bailiwick.mail.parsing.model import Address

MOST = 2_000
MOST_TEXT = 200_000
# Without any of these a list can be cut at its commas.
_TRICKY = re.compile(r'["()\\:;\[\]]')
_SIMPLE = re.compile(r"\s*([^<>,@]*?)\s*<\s*([^<>,\s]+)\s*>\s*")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|<([^<>]*)>|([(),:;<>])|(\\.)|([^"<>(),:;\\]+|["\\])')
_ESCAPE = re.compile(r"\\(.)")
_BARE = re.compile(r"[^\s<>,;:\"()\[\]\\]+@[^\s<>,;:\"()\\]+")
_SHAPE = re.compile(
    r'(?:"[^"\x00-\x1f]{1,64}"|[^\s@<>,;:"()\[\]\\\x00-\x1f\x7f]+)@[^\s@<>,;:"()\\]+'
)


def read(value: str) -> list[Address]:
    """Everyone whom a header names, in order; groups are opened."""
    value = value[:MOST_TEXT]
    if not _TRICKY.search(value):
        found = [_simple(piece) for piece in value.split(",", MOST)[:MOST] if piece.strip()]
        if all(found):
            return [address for address in found if address]
    return _slowly(value)


def normal(address: str) -> str:
    """An address with its domain in lower case; "" if it cannot be one."""
    address = address.strip().strip("<>").strip()
    if len(address) > 320 or not _SHAPE.fullmatch(address):
        return ""
    local, _, domain = address.rpartition("@")
    address = f"{local}@{domain.lower().rstrip('.')}"
    return address if storable.line(address) == address else ""


def _simple(piece: str) -> Address | None:
    if match := _SIMPLE.fullmatch(piece):
        address = normal(match[2])
        return Address(_name(match[1]), address) if address else None
    address = normal(piece)
    return Address("", address) if address else None


def _name(text: str) -> str:
    return storable.line(words.decoded(text))[:200] if text else ""


class _Reader:
    """Reads tokens; `said` is what may turn out to be a name or an address."""

    def __init__(self) -> None:
        self.found: list[Address] = []
        self.said: list[str] = []
        self.plain: list[str] = []  # `said` without what was quoted
        self.comments: list[str] = []
        self.angle: str | None = None

    def end(self) -> None:
        """One address ends here."""
        if self.angle is not None:
            name = "".join(self.said) or " ".join(self.comments)
            self._add(name, self.angle)
        elif bare := _BARE.search("".join(self.plain)):
            self._add(" ".join(self.comments), bare[0])
        elif address := normal("".join(self.said)):
            self._add("", address)
        elif quoted := self._quoted_local():
            self._add("", quoted)
        self.said, self.plain, self.comments, self.angle = [], [], [], None

    def forget(self) -> None:
        """What was said so far was the name of a group."""
        self.said, self.plain, self.comments, self.angle = [], [], [], None

    def _quoted_local(self) -> str:
        local, _, domain = "".join(self.said).strip().rpartition("@")
        return normal(f'"{local}"@{domain}') if local and domain else ""

    def _add(self, name: str, address: str) -> None:
        # A route (`<@a,@b:c@d>`) is history: the address stands behind it.
        address = address.rpartition(":")[2] if address.startswith("@") else address
        if (good := normal(address)) and len(self.found) < MOST:
            self.found.append(Address(_name(name), good))


def _slowly(value: str) -> list[Address]:
    reader, depth, comment = _Reader(), 0, []
    for token in _TOKEN.finditer(value):
        quoted, angle, mark, _, _ = token.groups()
        if depth or mark == "(":
            depth += (mark == "(") - (mark == ")")
            comment.append(token[0])
            if not depth:
                reader.comments.append("".join(comment)[1:-1])
                comment = []
        elif angle is not None:
            if reader.angle is not None:
                reader.end()
            reader.angle = angle
        elif quoted is not None:
            reader.said.append(_ESCAPE.sub(r"\1", quoted))
        elif mark in (",", ";"):
            reader.end()
        elif mark == ":":
            reader.forget()
        elif not mark:
            reader.said.append(token[0])
            reader.plain.append(token[0])
    reader.end()
    return reader.found
