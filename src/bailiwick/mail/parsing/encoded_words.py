"""Encoded words (RFC 2047) and parameters (RFC 2231), malformed ones included."""

import binascii
import re
from urllib.parse import unquote_to_bytes

from bailiwick.mail.parsing import charsets, headers, quotes, storable, transfer

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,4000})\?=")
_BETWEEN = re.compile(r"(?<=\?=)\s+(?==\?)")
_NUMBERED = re.compile(r"(.+?)\*(\d{1,3})(\*?)")
MOST = 20_000
_MOST_PARAMETERS = 100


def line(value: bytes) -> str:
    """A header's value as a person reads it, on one line."""
    return storable.line(decoded(headers.text(value[:MOST])))


def decoded(value: str) -> str:
    """Text with its encoded words decoded."""
    if "=?" not in value:
        return value
    found: list[str] = []
    at = 0
    value = _BETWEEN.sub("", value)
    charset, waiting = "", list[bytes]()  # neighbours may share a letter between them
    for word in _WORD.finditer(value):
        named = word[1].partition("*")[0].lower()
        if waiting and (word.start() > at or charset != named):
            found.append(charsets.decode(b"".join(waiting), charset))
            waiting = []
        found.append(value[at : word.start()])
        charset, at = named, word.end()
        waiting.append(_bytes_of(word[3], word[2]))
    if waiting:
        found.append(charsets.decode(b"".join(waiting), charset))
    return "".join(found) + value[at:]


def parameters(value: bytes) -> tuple[str, dict[str, str]]:
    """The value before the first semicolon, in lower case, and the parameters after it."""
    text = headers.text(value[:MOST])
    head, semicolon, _ = text.partition(";")
    head = head.strip().lower()
    if not semicolon:
        return head, {}
    given: dict[str, str] = {}
    for parameter in _split(text)[1:_MOST_PARAMETERS]:
        name, equals, said = parameter.partition("=")
        if equals:
            # The first one counts, because a later one may be there to deceive.
            given.setdefault(name.strip().lower(), said.strip())
    return head, _continued(given) if any("*" in name for name in given) else given


def _split(text: str) -> list[str]:
    """The parts between semicolons outside of quotes."""
    found = [""]
    for kind, piece in quotes.pieces(text):
        if kind == "quoted":
            found[-1] += piece
        else:
            first, *more = piece.split(";")
            found[-1] += first
            found += more
    return found


def _continued(given: dict[str, str]) -> dict[str, str]:
    """Join RFC 2231 parameters: `name*0*=utf-8''a%20; name*1=b`, and `name*=utf-8''a`."""
    plain = {name: value for name, value in given.items() if "*" not in name}
    pieces: dict[str, dict[int, tuple[str, bool]]] = {}
    for name, value in given.items():
        if numbered := _NUMBERED.fullmatch(name):
            pieces.setdefault(numbered[1], {})[int(numbered[2])] = (value, bool(numbered[3]))
        elif name.endswith("*"):
            pieces.setdefault(name[:-1], {}).setdefault(0, (value, True))
    for name, numbers in pieces.items():
        plain[name] = _joined([numbers[number] for number in sorted(numbers)])
    return plain


def _joined(pieces: list[tuple[str, bool]]) -> str:
    value, encoded = pieces[0]
    charset = ""
    if encoded and value.count("'") >= 2:
        charset, _, value = value.split("'", 2)
    parts = [(value, encoded), *pieces[1:]]
    data = b"".join(
        unquote_to_bytes(part) if coded else part.encode("utf-8", "replace")
        for part, coded in parts
    )
    return charsets.decode(data, charset)


def _bytes_of(word: str, how: str) -> bytes:
    data = word.encode("utf-8", "replace")
    if how in "qQ":
        return binascii.a2b_qp(data.replace(b"\n", b""), header=True)
    return transfer.decoded(data, "base64")
