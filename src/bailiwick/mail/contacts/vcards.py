"""Address books as files: vCard 3.0 (RFC 2426) and 4.0 (RFC 6350).

Only names and e-mail addresses are read. A mistake is reported with its line, and then nothing of
the file is imported, because half an address book is worse than none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fastapi import Request

from bailiwick.errors import Invalid, TooLarge
from bailiwick.mail.parsing import addresses, storable

MOST_BYTES = 5_000_000
MOST_CARDS = 10_000
FIELD = "file"
_LINE = re.compile(r'([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)?)(?:;(?:[^":]|"[^"]*")*)?:(.*)', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_VERSIONS = ("3.0", "4.0")


class Card(NamedTuple):
    """One address of a person."""

    name: str
    address: str  # in lower case


class _Line(NamedTuple):
    number: int
    name: str
    value: str


async def receive(request: Request) -> bytes:
    """The request's file, within a size limit."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BYTES:
            raise TooLarge(f"An address book may have {MOST_BYTES // 1_000_000} MB at most.")
    return bytes(data)


def read(data: bytes) -> list[Card]:
    """Everyone in the file with an address, or `Invalid` with the line of the first mistake."""
    found: list[Card] = []
    card: list[_Line] | None = None
    cards = last = 0
    for line in _lines(_text(data)):
        last = line.number
        if line.name == "BEGIN":
            if card is not None:
                raise _wrong(line.number, "the card before has no END:VCARD")
            cards += 1
            if cards > MOST_CARDS:
                raise _wrong(line.number, f"there are more than {MOST_CARDS} cards")
            card = [line]
        elif card is None:
            raise _wrong(line.number, "a card begins with BEGIN:VCARD")
        elif line.name == "END":
            found += _read_card(card)
            card = None
        else:
            card.append(line)
    if card is not None:
        raise _wrong(last, "the last card has no END:VCARD")
    if not cards:
        raise _wrong(1, "this is no vCard file")
    return found


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise _wrong(number, "the file has to be in UTF-8") from error


def _lines(text: str) -> Iterator[_Line]:
    """The unfolded lines: one that begins with a space continues the one before."""
    number, folded = 0, ""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for at, row in enumerate([*rows, ""], start=1):
        if row[:1] in (" ", "\t") and folded:
            folded += row[1:]
            continue
        if folded.strip():
            yield _split(number, folded)
        number, folded = at, row


def _split(number: int, line: str) -> _Line:
    match = _LINE.fullmatch(line)
    if not match:
        raise _wrong(number, "a line is a name, a colon and a value")
    name = match[1].rpartition(".")[2].upper()
    value = match[2].strip()
    if name in ("BEGIN", "END") and value.upper() != "VCARD":
        raise _wrong(number, f"{name}:VCARD is expected here")
    return _Line(number, name, value)


def _read_card(lines: list[_Line]) -> list[Card]:
    version = next((line for line in lines if line.name == "VERSION"), None)
    if version is None:
        raise _wrong(lines[0].number, "the card has no VERSION")
    if version.value not in _VERSIONS:
        raise _wrong(version.number, "only vCard 3.0 and 4.0 can be read")
    name = _name(lines)
    return [Card(name, _address(line)) for line in lines if line.name == "EMAIL" and line.value]


def _name(lines: list[_Line]) -> str:
    for line in lines:
        if line.name == "FN" and line.value:
            return storable.line(_plain(line.value))[:200]
    for line in lines:
        if line.name == "N":
            # Family name; given names; and more.
            parts = [_plain(part) for part in re.split(r"(?<!\\);", line.value)]
            return storable.line(" ".join([*parts[1:2], *parts[:1]]))[:200]
    return ""


def _address(line: _Line) -> str:
    value = _plain(line.value)
    if value[:7].lower() == "mailto:":
        value = value[7:]
    address = addresses.normal(value).lower()
    if not address:
        raise _wrong(line.number, "this is no e-mail address")
    return address


def _plain(value: str) -> str:
    return _ESCAPE.sub(lambda match: " " if match[1] in "nN" else match[1], value)


def _wrong(number: int, what: str) -> Invalid:
    return Invalid.field(FIELD, f"line {number}: {what}")
