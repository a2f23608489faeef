"""Responses of an IMAP server, parsed strictly: a line with its literals becomes words and lists.

Invariant: a response with an incomplete literal is never returned.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Union

from bailiwick.connectors.imap import faults
from bailiwick.connectors.imap.wire import READ_SECONDS, MailConnection

# NIL is None. Strings and atoms are bytes.
Token = Union[bytes, None, "list[Token]"]

_TOKEN = re.compile(rb'[ \t]*(?:([()])|"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s()"]+))[ \t]*')
_ESCAPED = re.compile(rb"\\(.)")
_LITERAL = re.compile(rb"~?\{(\d{1,12})\+?\}\Z")
_STATUS = re.compile(
    rb"(OK|NO|BAD|BYE|PREAUTH)(?: +\[([^\s\]]+)(?: ([^\]]*))?\])?(?: (.*))?\Z", re.I
)
_DEEPEST = 20


class Nonsense(ValueError):
    """The bytes are no valid response."""


@dataclass(frozen=True, slots=True)
class Response:
    """One response; `kind` is OK, FETCH, LIST and so on, `code` the response code in brackets."""

    tag: bytes  # * untagged, + a continuation
    kind: str
    number: int = 0  # the message that a FETCH or EXPUNGE is about
    code: str = ""
    argument: str = ""  # of the code
    text: bytes = b""
    tokens: Sequence[Token] = field(default=(), repr=False)

    def fetched(self) -> Mapping[bytes, Token]:
        """The attributes of a FETCH."""
        pairs = self.tokens[0] if self.tokens else None
        if not isinstance(pairs, list) or len(pairs) % 2:
            raise Nonsense("a FETCH response without attributes")
        made: dict[bytes, Token] = {}
        for name, value in zip(pairs[::2], pairs[1::2], strict=True):
            if not isinstance(name, bytes):
                raise Nonsense("an attribute without a name")
            made[name.upper()] = value
        return made


async def read(wire: MailConnection, *, largest: int, seconds: float = READ_SECONDS) -> Response:
    """The next response; a literal of more than `largest` bytes is refused before it is read."""
    line = await wire.line(seconds)
    tag, _, rest = line.partition(b" ")
    status = _STATUS.match(rest)
    if tag == b"+" or (status and tag):
        return _status(tag, rest, status)
    pieces = [rest]
    left = largest
    while (found := _LITERAL.search(pieces[-1])) is not None:
        size = int(found[1])
        left -= size
        if left < 0:
            raise faults.nonsense(str(wire.server), f"{size} bytes at once, which is too much")
        pieces[-1] = pieces[-1][: found.start()]
        pieces.append(await wire.exactly(size))
        pieces.append(await wire.line())
    try:
        return _data(tag, pieces)
    except Nonsense as error:
        raise faults.nonsense(str(wire.server), f"what cannot be understood ({error})") from None


def number(token: Token) -> int:
    """A number in a response."""
    if not isinstance(token, bytes) or not token.isdigit() or len(token) > 20:
        raise Nonsense("no number where one belongs")
    return int(token)


def words(token: Token) -> list[str]:
    """A flat list of atoms, such as flags."""
    if not isinstance(token, list):
        raise Nonsense("no list where one belongs")
    return [each.decode("ascii", "replace") for each in token if isinstance(each, bytes)]


def _status(tag: bytes, rest: bytes, found: re.Match[bytes] | None) -> Response:
    if tag == b"+" or found is None:
        return Response(tag, "+", text=rest)
    return Response(
        tag,
        found[1].decode().upper(),
        code=(found[2] or b"").decode("ascii", "replace").upper(),
        argument=(found[3] or b"").decode("ascii", "replace"),
        text=found[4] or b"",
    )


def _data(tag: bytes, pieces: Sequence[bytes]) -> Response:
    if tag != b"*":
        raise Nonsense("a line that is no response")
    kind, tokens = pieces[0].partition(b" ")[0], _tokens(pieces)
    if kind.isdigit() and len(kind) <= 10 and len(tokens) > 1:
        named = tokens[1]
        if not isinstance(named, bytes):
            raise Nonsense("a response without a name")
        return Response(tag, named.decode("ascii", "replace").upper(), int(kind), tokens=tokens[2:])
    return Response(tag, kind.decode("ascii", "replace").upper(), tokens=tokens[1:])


def _tokens(pieces: Sequence[bytes]) -> list[Token]:
    top: list[Token] = []
    stack = [top]
    for index, piece in enumerate(pieces):
        if index % 2:
            stack[-1].append(piece)
        else:
            _take(piece, stack)
    if len(stack) != 1:
        raise Nonsense("brackets that do not close")
    return top


def _take(piece: bytes, stack: list[list[Token]]) -> None:
    at, end = 0, len(piece)
    while at < end:
        found = _TOKEN.match(piece, at)
        if found is None:
            raise Nonsense("a quotation that does not end")
        at = found.end()
        bracket, string, atom = found.groups()
        if atom is not None:
            stack[-1].append(None if atom in (b"NIL", b"nil") else atom)
        elif string is not None:
            stack[-1].append(_ESCAPED.sub(rb"\1", string) if b"\\" in string else string)
        elif bracket == b"(":
            made: list[Token] = []
            stack[-1].append(made)
            stack.append(made)
            if len(stack) > _DEEPEST:
                raise Nonsense("brackets in brackets in brackets")
        elif len(stack) > 1:
            stack.pop()
        else:
            raise Nonsense("a bracket too many")
