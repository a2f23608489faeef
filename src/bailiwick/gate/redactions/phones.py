"""Phone numbers. Dates, amounts, times and ids look much like them, and are left alone."""

import re
from collections.abc import Iterator

from bailiwick.gate.redactions.numbers import (
    digits,
)
from bailiwick.kit.patterns import Span

# These are ours and run on a short piece of text.
_DATE = re.compile(rb"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2}(?!\d)")
_AMOUNT = re.compile(rb"\+?\d{1,3}(?:([ .])\d{3})(?:\1\d{3})*")
_PART_OF_MORE = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,#@=%$&"
)
_CURRENCY = re.compile(rb"\s?(?:\xe2\x82\xac|\$|\xc2\xa3|EUR|USD|GBP|CHF|%)")

INTERNATIONAL = r"(?:\+|\b00)[1-9][0-9]{0,3}(?:[ ./-]{0,2}\(?[0-9]{1,5}\)?){1,8}"
AMERICAN = r"\(?[2-9][0-9]{2}\)?[ .-]{1,2}[2-9][0-9]{2}[ .-][0-9]{4}"
NATIONAL = r"\(?0[1-9][0-9]{0,4}\)?(?:[ /-]{1,3}[0-9]{2,8}){1,6}"


def international(data: bytes, start: int, end: int) -> Iterator[Span]:
    """With the country's code: eight to fifteen digits."""
    piece = data[start:end]
    is_amount = _AMOUNT.fullmatch(piece) and piece.count(b" ") + piece.count(b".") > 1
    if 8 <= len(digits(piece)) <= 15 and not is_amount:
        yield from _alone(data, start, end)


def american(data: bytes, start: int, end: int) -> Iterator[Span]:
    """Area, exchange and line, as written in North America."""
    piece = data[start:end]
    if (b"(" in piece) == (b")" in piece):
        yield from _alone(data, start, end)


def national(data: bytes, start: int, end: int) -> Iterator[Span]:
    """With a leading nought and something between its parts: nine to twelve digits."""
    piece = data[start:end]
    if 9 <= len(digits(piece)) <= 12 and (b"(" in piece) == (b")" in piece):
        yield from _alone(data, start, end)


def _alone(data: bytes, start: int, end: int) -> Iterator[Span]:
    before, after = data[start - 1 : start], data[end : end + 2]
    if before and before[0] in _PART_OF_MORE and not before.isspace():
        return
    # A full stop or a comma may end the sentence; followed by a digit it belongs to a number.
    if after and after[0] in _PART_OF_MORE and (after[0] not in b".,:-/" or after[1:].isalnum()):
        return
    piece = data[start:end]
    if not _DATE.search(piece) and not _CURRENCY.match(data[end : end + 5]):
        yield start, end
