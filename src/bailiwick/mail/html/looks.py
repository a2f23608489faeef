"""The appearance of an element's own text: whether a person would see it.

Some ways to hide hold for the whole element (`display: none`). Others are inherited and can be
undone further in (zero size, white on white), so those are judged for each text. Only what the
cleaned page would still do counts: text hidden by any other trick is shown to people, and so to
agents.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from bailiwick.mail.html import colours, styles
from bailiwick.mail.html.colours import BLACK, WHITE, Colour

_MARKED = "[style],[hidden],[bgcolor],[color],[text]"
_NUMBER = re.compile(r"[+-]?(\d{1,6}(?:\.\d{0,6})?|\.\d{1,6})(px|pt|em|rem|%)?")
_PIXELS = {"px": 1.0, "pt": 1.33, "rem": 16.0}
_LEAST = 2.0  # the least height of a letter in pixels
_FAR = 100
# Elements on which browsers apply these attributes.
_COLOURING = {"font": "color", "body": "text"}
GROUNDED = frozenset(("body", "table", "tbody", "thead", "tfoot", "tr", "td", "th"))


class Appearance(NamedTuple):
    """The effect of an element on the visibility of its text."""

    colour: Colour = BLACK
    ground: Colour = WHITE
    size: float = 16.0
    invisible: bool = False
    kept: bool = False  # line breaks are kept

    @property
    def is_hidden(self) -> bool:
        """Whether nobody would see the text, whatever its colour."""
        return self.invisible or self.size < _LEAST

    @property
    def is_blended(self) -> bool:
        """Whether the text has its background's colour."""
        return colours.are_alike(self.colour, self.ground)


class VisibilityHints(NamedTuple):
    """The visibility settings of one element; None: inherited."""

    gone: bool = False
    colour: Colour | None = None
    ground: Colour | None = None
    size: float | None = None
    part: float | None = None  # relative to the inherited size
    invisible: bool | None = None
    kept: bool | None = None

    def on(self, look: Appearance) -> Appearance:
        """The appearance within the element."""
        size = look.size if self.size is None else self.size
        return Appearance(
            self.colour or look.colour,
            self.ground or look.ground,
            size if self.part is None else look.size * self.part,
            look.invisible if self.invisible is None else self.invisible,
            look.kept if self.kept is None else self.kept,
        )


def marks(tree: LexborHTMLParser) -> dict[int, VisibilityHints]:
    """The elements with visibility settings, by their address."""
    found: dict[int, VisibilityHints] = {}
    for node in tree.css(_MARKED):
        given = node.attributes
        if "hidden" in given:
            found[node.mem_id] = VisibilityHints(gone=True)
            continue
        hints = _hints(given.get("style") or "")
        colour = given.get(_COLOURING.get(node.tag or "", ""))
        ground = given.get("bgcolor") if node.tag in GROUNDED else None
        if colour and not hints.colour:
            hints = hints._replace(colour=colours.read(colour, None))
        if ground and not hints.ground:
            hints = hints._replace(ground=colours.read(ground, None))
        found[node.mem_id] = hints
    return found


def has_unknown_grounds(tree: LexborHTMLParser) -> bool:
    """Whether backgrounds are set in ways that are not evaluated here."""
    return any("background" in (node.text(deep=True) or "") for node in tree.css("style"))


@lru_cache(maxsize=2_000)
def _hints(style: str) -> VisibilityHints:
    """The settings in a style; cached, because mails repeat their styles."""
    said = styles.declarations(style)
    visibility, space = said.get("visibility"), said.get("white-space")
    colour, ground = said.get("color"), styles.ground_of(said)
    size, part = _size(said.get("font-size", ""))
    return VisibilityHints(
        _is_gone(said),
        colours.read(colour, None) if colour else None,
        colours.read(ground, None) if ground else None,
        size,
        part,
        visibility in ("hidden", "collapse") if visibility else None,
        space.startswith("pre") if space else None,
    )


def _is_gone(said: dict[str, str]) -> bool:
    if said.get("display") == "none" or _is_nothing(said.get("opacity", ""), 0.05):
        return True
    if said.get("overflow", "").startswith(("hidden", "clip")) and any(
        _is_nothing(said.get(side, ""), 1.0)
        for side in ("height", "max-height", "width", "max-width")
    ):
        return True
    indent = _NUMBER.fullmatch(said.get("text-indent", ""))
    return bool(indent and indent[0].startswith("-") and float(indent[1]) >= _FAR)


def _is_nothing(value: str, most: float) -> bool:
    size = _NUMBER.fullmatch(value)
    return bool(size and float(size[1]) <= most)


def _size(value: str) -> tuple[float | None, float | None]:
    """Pixels, or a fraction of the inherited size."""
    match = styles.SIZE.fullmatch(value)
    if not match:
        return None, None
    number, unit = float(match[1]), match[2] or "px"
    if unit in _PIXELS:
        return number * _PIXELS[unit], None
    return None, number / 100 if unit == "%" else number
