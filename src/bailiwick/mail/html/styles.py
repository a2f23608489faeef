"""Inline styles: the few properties that may stay, with values that only affect looks.

Kept values are written again from what was parsed, so a browser sees the page as it was judged: a
colour that could not be parsed is dropped, and cannot hide anything.
"""

import re

from bailiwick.mail.html import colours

_LENGTHS = frozenset((
    "width", "max-width", "min-width", "height", "line-height", "letter-spacing", "border-width",
    "border-radius", "border-spacing", "font-size",
))  # fmt: skip
_BOXES = frozenset(
    f"{box}{side}"
    for box in ("margin", "padding")
    for side in ("", "-top", "-right", "-bottom", "-left")
)
_BORDERS = frozenset(
    f"border{side}{what}"
    for side in ("", "-top", "-right", "-bottom", "-left")
    for what in ("", "-style", "-width")
)
_OTHERS = frozenset((
    "border-collapse", "direction", "display", "font-family", "font-style", "font-weight",
    "list-style-type", "text-align", "text-decoration", "text-transform", "vertical-align",
    "white-space", "word-break", "overflow-wrap", "word-wrap",
))  # fmt: skip
_ALLOWED = _LENGTHS | _BOXES | _BORDERS | _OTHERS
_DISPLAY = frozenset((
    "block", "inline", "inline-block", "inline-table", "list-item", "table", "table-cell",
    "table-row",
))  # fmt: skip
_VALUE = re.compile(r"[\w\s#.,%+\-'\"()/]*", re.ASCII)
_FUNCTION = re.compile(r"([\w-]*)\s*\(")
_FUNCTIONS = frozenset(("rgb", "rgba", "hsl", "hsla"))
_NEGATIVE = re.compile(r"(?:^|[\s,])-")
# Units with a size that is known without a page.
SIZE = re.compile(r"(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(px|pt|em|rem|%)?")


def declarations(style: str) -> dict[str, str]:
    """Names and values in lower case; the last of a name wins."""
    found: dict[str, str] = {}
    for declaration in style[:5_000].split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip().lower()] = value.strip().lower().removesuffix("!important").strip()
    return found


def ground_of(said: dict[str, str]) -> str | None:
    """The background colour, which two properties can set."""
    return said.get("background-color") or said.get("background")


def cleaned(style: str, *, coloured: bool = True) -> str:
    """The declarations that may stay."""
    said = declarations(style)
    kept = [f"{name}: {value}" for name, value in said.items() if _is_harmless(name, value)]
    if coloured:
        for name, value in (("color", said.get("color")), ("background-color", ground_of(said))):
            if value and (colour := colours.read(value, None)):
                kept.append(f"{name}: {colours.written(colour)}")
    return "; ".join(kept)


def _is_harmless(name: str, value: str) -> bool:
    # Without backslash, comment, at-rule or angle bracket, a browser reads it as we do.
    if name not in _ALLOWED or len(value) > 300 or not _VALUE.fullmatch(value):
        return False
    if not all(function in _FUNCTIONS for function in _FUNCTION.findall(value)):
        return False
    if name == "font-size":
        return bool(SIZE.fullmatch(value))
    if name == "display":
        return value in _DISPLAY
    # It would overlap other content.
    return not (name in _BOXES | _LENGTHS and _NEGATIVE.search(value))
