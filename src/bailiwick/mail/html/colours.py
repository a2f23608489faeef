"""Colours in styles, parsed well enough to compare text with its background."""

import re
from functools import lru_cache

Colour = tuple[int, int, int]
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
_NAMED: dict[str, Colour] = {
    "white": WHITE,
    "black": BLACK,
    "aqua": (0, 255, 255),
    "beige": (245, 245, 220),
    "blue": (0, 0, 255),
    "brown": (165, 42, 42),
    "darkblue": (0, 0, 139),
    "darkgray": (169, 169, 169),
    "darkgrey": (169, 169, 169),
    "darkred": (139, 0, 0),
    "dimgray": (105, 105, 105),
    "fuchsia": (255, 0, 255),
    "gray": (128, 128, 128),
    "green": (0, 128, 0),
    "grey": (128, 128, 128),
    "ivory": (255, 255, 240),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "lime": (0, 255, 0),
    "maroon": (128, 0, 0),
    "navy": (0, 0, 128),
    "olive": (128, 128, 0),
    "orange": (255, 165, 0),
    "pink": (255, 192, 203),
    "purple": (128, 0, 128),
    "red": (255, 0, 0),
    "silver": (192, 192, 192),
    "snow": (255, 250, 250),
    "teal": (0, 128, 128),
    "whitesmoke": (245, 245, 245),
    "yellow": (255, 255, 0),
}
_HEX = re.compile(r"#?([0-9a-f]{8}|[0-9a-f]{6})|#([0-9a-f]{3,4})")
_RGB = re.compile(r"rgba?\(([^)]*)\)")
_PICTURE = re.compile(r"url\([^)]*\)")
_NUMBERS = re.compile(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(%?)")
_NEAR = 12


def are_alike(one: Colour, other: Colour) -> bool:
    """Whether two colours look the same to a person."""
    return (
        abs(one[0] - other[0]) <= _NEAR
        and abs(one[1] - other[1]) <= _NEAR
        and abs(one[2] - other[2]) <= _NEAR
    )


def written(colour: Colour) -> str:
    """The colour as a style says it."""
    return "#" + "".join(f"{value:02x}" for value in colour)


@lru_cache(maxsize=2_000)
def read(value: str, before: Colour | None) -> Colour | None:
    """The colour in a value; `before` if it cannot be read."""
    # Pictures are not shown; the colour beside or behind one is.
    value = _PICTURE.sub("", value.strip().lower()).strip()
    if match := _RGB.search(value):
        return _rgb(match[1], before)
    for word in value.split():
        if word in _NAMED:
            return _NAMED[word]
        if match := _HEX.fullmatch(word):
            return _hex(match[1] or "".join(digit * 2 for digit in match[2]))
    return before


def _hex(digits: str) -> Colour:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _rgb(inner: str, before: Colour | None) -> Colour | None:
    numbers = [float(n) * (2.55 if percent else 1) for n, percent in _NUMBERS.findall(inner)]
    if len(numbers) < 3 or (len(numbers) == 4 and numbers[3] == 0):
        return before
    red, green, blue = (min(255, round(number)) for number in numbers[:3])
    return red, green, blue
