"""Lists of addresses. Names, comments and quoted text never count as recipients."""

import re

from bailiwick.mail.parsing import encoded_words, quotes, storable
from bailiwick.mail.parsing.model import Address

MOST = 2_000
MOST_TEXT = 256_000
# A list without any of these can be split at its commas.
_TRICKY = re.compile(r'["()\\:;\[\]]')
_IN_NAME = re.compile("[>@]")
_IN_ANGLE = re.compile(r"[<>\s]|\A\Z")
_TOKEN = re.compile(r"<([^<>]*)>|([(),:;<>])|[^<>(),:;]+")
_ASIDE = re.compile(r"\([^()]*\)")
_BETWEEN = re.compile(r"[\s<>,;:\"()]+")
# A bare address begins with one of these runs; after its "@" it may also have brackets.
_RUN = re.compile(r"[^\s<>,;:\"()\[\]\\]+")
_BARE = re.compile(r"[^\s<>,;:\"()\[\]\\]+@[^\s<>,;:\"()\\]+")
_SHAPE = re.compile(
    r'(?:"[^"\x00-\x1f]{1,64}"|[^\s@<>,;:"()\[\]\\\x00-\x1f\x7f]+)@[^\s@<>,;:"()\\]+'
)


def read(value: str) -> list[Address]:
    """Everyone in a header, in order, and of too many one more than `MOST`; groups are expanded."""
    value = value[:MOST_TEXT]
    if not _TRICKY.search(value):
        found = [
            _simple(piece) for piece in value.split(",", MOST + 1)[: MOST + 1] if piece.strip()
        ]
        if all(found):
            return [address for address in found if address]
    return _slowly(value)


def named(value: str) -> set[str]:
    """Everything outside of quotes and comments that could pass for an address.

    Other programs may read a broken header differently; if this finds two addresses, it is
    uncertain which one they show.
    """
    plain = "".join(text for kind, text in quotes.pieces(value[:MOST_TEXT]) if kind != "quoted")
    plain = _ASIDE.sub(" ", plain)
    return {word.lower() for word in _BETWEEN.split(plain) if "@" in word}


def normal(address: str) -> str:
    """An address with its domain in lower case; "" if it is not valid."""
    address = address.strip().strip("<>").strip()
    if len(address) > 320 or not _SHAPE.fullmatch(address):
        return ""
    local, _, domain = address.rpartition("@")
    address = f"{local}@{domain.lower().rstrip('.')}"
    return address if storable.line(address) == address else ""


def _simple(piece: str) -> Address | None:
    name, bracket, angle = piece.strip().partition("<")
    inner = angle[:-1].strip()
    is_whole = angle.endswith(">") and not _IN_NAME.search(name) and not _IN_ANGLE.search(inner)
    if bracket and is_whole:
        address = normal(inner)
        return Address(_name(name.rstrip()), address) if address else None
    address = normal(piece)
    return Address("", address) if address else None


def _bare(text: str) -> str:
    """The first address that stands without brackets; may be ""."""
    for run in _RUN.finditer(text):
        # A match from a later letter of the run would be part of this one.
        if "@" in run[0] and (found := _BARE.match(text, run.start())):
            return found[0]
    return ""


def _name(text: str) -> str:
    return storable.line(encoded_words.decoded(text))[:200] if text else ""


class _AddressReader:
    """Reads tokens; `said` may turn out to be a name or an address."""

    def __init__(self) -> None:
        self.found: list[Address] = []
        self.said: list[str] = []
        self.plain: list[str] = []  # `said` without its quoted parts
        self.comments: list[str] = []
        self.angle: str | None = None
        self.torn = False  # an unmatched bracket
        self.depth = 0
        self.comment: list[str] = []

    def end(self) -> None:
        """Finish one address."""
        if self.angle is not None:
            name = "".join(self.said) or " ".join(self.comments)
            self._add(name, self.angle)
        elif bare := _bare("".join(self.plain)):
            self._add(" ".join(self.comments), bare)
        elif not self.torn and (quoted := self._quoted_local()):
            self._add("", quoted)
        self.forget()

    def forget(self) -> None:
        """Drop the text so far, which was the name of a group."""
        self.said, self.plain, self.comments, self.angle = [], [], [], None
        self.torn = False

    def _quoted_local(self) -> str:
        local, _, domain = "".join(self.said).strip().rpartition("@")
        return normal(f'"{local}"@{domain}') if local and domain else ""

    def _add(self, name: str, address: str) -> None:
        # A route (`<@a,@b:c@d>`) is obsolete: the address stands after it.
        address = address.rpartition(":")[2] if address.startswith("@") else address
        if (good := normal(address)) and len(self.found) <= MOST:
            self.found.append(Address(_name(name), good))

    def read(self, text: str) -> None:
        """Read a token, within comments or outside of them."""
        for token in _TOKEN.finditer(text):
            angle, mark = token.groups()
            if self.depth or mark == "(":
                self._comment(token[0], mark)
            elif angle is not None:
                if self.angle is not None:
                    self.end()
                self.angle = angle
            elif mark in (",", ";"):
                self.end()
            elif mark == ":":
                self.forget()
            elif mark:
                self.torn = True
            else:
                self.said.append(token[0])
                self.plain.append(token[0])

    def quoted(self, text: str) -> None:
        """Read a quoted string: a name, or the local part of an address."""
        (self.comment if self.depth else self.said).append(text)

    def _comment(self, text: str, mark: str | None) -> None:
        self.depth += (mark == "(") - (mark == ")")
        self.comment.append(text)
        if not self.depth:
            self.comments.append("".join(self.comment)[1:-1])
            self.comment = []


def _slowly(value: str) -> list[Address]:
    reader = _AddressReader()
    for kind, text in quotes.pieces(value):
        if kind == "quoted":
            reader.quoted(text)
        else:
            reader.read(text)
    reader.end()
    return reader.found
