"""Checks of numbers that carry their own proof: what fails one is left alone.

Each takes the bytes of a text and the place of a likely number, and gives back where the number
really begins and ends. They look a bounded way around that place only.
"""

import re
from collections.abc import Iterator

from bailiwick.kit.patterns import Span

_DIGITS = frozenset(b"0123456789")
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_WORD = _DIGITS | _LETTERS
_GROUP = re.compile(rb"[0-9]+")
_NOT_DIGITS = bytes(sorted(set(range(256)) - _DIGITS))
_DOUBLED = bytes.maketrans(b"0123456789", bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_PLAIN = bytes.maketrans(b"0123456789", bytes(range(10)))

# First and last prefix of each brand, and how long its numbers are.
_CARDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("4", "4", (13, 16, 19)),
    ("51", "55", (16,)),
    ("2221", "2720", (16,)),
    ("34", "34", (15,)),
    ("37", "37", (15,)),
    ("300", "305", (14,)),
    ("36", "36", (14,)),
    ("38", "39", (14, 16)),
    ("3528", "3589", (16, 17, 18, 19)),
    ("6011", "6011", (16, 17, 18, 19)),
    ("62", "62", (16, 17, 18, 19)),
    ("644", "659", (16, 17, 18, 19)),
    ("5018", "5018", (13, 15, 16, 18, 19)),
    ("5020", "5020", (16, 18, 19)),
    ("5038", "5038", (16, 18, 19)),
    ("6304", "6304", (16, 18, 19)),
    ("6759", "6763", (16, 18, 19)),
)
_CARD_LENGTHS = range(13, 20)

# How long an IBAN is in each country.
_IBANS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FK FO GL NL SD",
        19: "MK SI",
        20: "AT BA EE KZ LT LU MN XK",
        21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA",
        23: "AE GI IL IQ OM SO TL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST",
        26: "IS TR",
        27: "BI DJ FR GR IT MC MR SM",
        28: "AL AZ BY CY DO GT HN HU LB NI PL SV",
        29: "BR EG PS QA UA",
        30: "JO KW MU YE",
        31: "MT SC",
        32: "LC",
        33: "RU",
    }.items()
    for country in countries.split()
}
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
# Values of the odd places of an Italian tax code, for 0 to 9 and A to Z.
_ODD = (
    *(1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18),
    *(20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
)


def stands_alone(data: bytes, start: int, end: int) -> bool:
    """Whether nothing that could belong to it stands right before or after."""
    return (start == 0 or data[start - 1] not in _WORD) and (
        end == len(data) or data[end] not in _WORD
    )


def digits(text: bytes) -> bytes:
    """The digits alone."""
    return text.translate(None, _NOT_DIGITS)


def whole(data: bytes, start: int, end: int) -> Iterator[Span]:
    """As it was found, if it stands alone."""
    if stands_alone(data, start, end):
        yield start, end


def cards(data: bytes, start: int, end: int) -> Iterator[Span]:
    """Payment cards within a run of groups of digits."""
    groups = [match.span() for match in _GROUP.finditer(data, start, end)]
    at = 0
    while at < len(groups):
        found = _card_from(data, groups, at)
        if found is None:
            at += 1
        else:
            yield groups[at][0], groups[found][1]
            at = found + 1


def _card_from(data: bytes, groups: list[Span], first: int) -> int | None:
    """The last group of the longest card number that begins with a group."""
    start, found = groups[first][0], None
    if start and data[start - 1] in _LETTERS:
        return None
    length = 0
    for last in range(first, min(first + 7, len(groups))):
        begin, end = groups[last]
        length += end - begin
        if length > _CARD_LENGTHS[-1] or end - begin < 3:
            break
        if length in _CARD_LENGTHS and (end == len(data) or data[end] not in _LETTERS):
            number = digits(data[start:end])
            if _is_card(number) and _luhn(number):
                found = last
    return found


def _is_card(number: bytes) -> bool:
    text = number.decode()
    return any(
        len(text) in lengths and low <= text[: len(low)] <= high for low, high, lengths in _CARDS
    )


def _luhn(number: bytes) -> bool:
    doubled = sum(number[-2::-2].translate(_DOUBLED))
    return (sum(number[-1::-2].translate(_PLAIN)) + doubled) % 10 == 0


def ibans(data: bytes, start: int, end: int) -> Iterator[Span]:
    """An IBAN that begins here; its country says how long it is."""
    length = _IBANS.get(data[start : start + 2].decode().upper(), 0)
    last, number = _collected(data, start, length)
    if len(number) != length or not length or not stands_alone(data, start, last):
        return
    if int("".join(str(int(letter, 36)) for letter in number[4:] + number[:4])) % 97 == 1:
        yield start, last


def _collected(data: bytes, start: int, length: int) -> tuple[int, str]:
    """So many letters and digits from here on, over single spaces and hyphens."""
    found, place = "", start
    while place < len(data) and len(found) < length:
        if data[place] in _WORD:
            found += chr(data[place])
        elif data[place] not in b" -" or data[place - 1] in b" -":
            break
        place += 1
    return place, found


def american(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A social security number: some areas, groups and serials were never given out."""
    number = digits(data[start:end])
    area, group, serial = number[:3], number[3:5], number[5:]
    given = area not in (b"000", b"666") and area < b"900" and group != b"00" and serial != b"0000"
    if given and stands_alone(data, start, end) and not _goes_on(data, start, end):
        yield start, end


def british(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A national insurance number; some prefixes are not used."""
    prefix = data[start : start + 2].upper()
    unused = (b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ")
    if prefix not in unused and stands_alone(data, start, end):
        yield start, end


def german(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A tax id: among its first ten digits exactly one comes twice or three times."""
    number = digits(data[start:end])
    if len(number) != 11 or not stands_alone(data, start, end) or _goes_on(data, start, end):
        return
    counts = sorted(number[:10].count(digit) for digit in set(number[:10]))
    if counts[-1] in (2, 3) and counts[-2] == 1 and _iso_7064(number):
        yield start, end


def _iso_7064(number: bytes) -> bool:
    product = 10
    for digit in number[:10].translate(_PLAIN):
        total = (digit + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == number[10] - 48


def french(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A social security number with its key; Corsica's departments have letters."""
    text = data[start:end].replace(b" ", b"").upper().decode()
    number = text[:13].replace("2A", "19").replace("2B", "18")
    if number.isdecimal() and 97 - int(number) % 97 == int(text[13:]):
        yield from whole(data, start, end)


def spanish(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A DNI or NIE: the letter follows from the number."""
    text = data[start:end].replace(b"-", b"").upper().decode()
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    if _DNI[int(number) % 23] == text[-1]:
        yield from whole(data, start, end)


def italian(data: bytes, start: int, end: int) -> Iterator[Span]:
    """A tax code: the last letter follows from the others."""
    text = data[start:end].upper().decode()
    values = [int(letter, 36) - (10 if letter.isalpha() else 0) for letter in text[:15]]
    total = sum(_ODD[value] for value in values[::2]) + sum(values[1::2])
    if chr(ord("A") + total % 26) == text[15]:
        yield from whole(data, start, end)


def swiss(data: bytes, start: int, end: int) -> Iterator[Span]:
    """An AHV number: thirteen digits with the check of a bar code."""
    number = digits(data[start:end]).translate(_PLAIN)
    if (sum(number[::2]) + 3 * sum(number[1::2])) % 10 == 0:
        yield from whole(data, start, end)


def _goes_on(data: bytes, start: int, end: int) -> bool:
    """Whether more digits follow over a separator, so that it is part of something longer."""
    before, after = data[max(start - 2, 0) : start], data[end : end + 2]
    return (len(before) == 2 and before[1] in b"-./" and before[0] in _WORD) or (
        len(after) == 2 and after[0] in b"-./" and after[1] in _WORD
    )
