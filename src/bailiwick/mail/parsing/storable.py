"""Text that every database can store, and that shows a person what it shows a program.

Invisible characters can carry instructions to a model: tags (U+E0000), runs of variation selectors
and of zero-width joiners encode whole sentences. They are removed.
"""

import re

_CONTROLS = bytes(range(9)) + bytes((11, 12)) + bytes(range(14, 32)) + b"\x7f"
_IN_A_LINE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# The first bytes in UTF-8 of the characters below; a text without these has none of them.
_RARE = (
    b"\xf3\xa0", b"\xef\xb8", b"\xef\xbb\xbf", b"\xe2\x80\x8b", b"\xe2\x80\x8c", b"\xe2\x80\x8d",
    b"\xe2\x81\xa0", b"\xe2\x81\xa1", b"\xe2\x81\xa2", b"\xe2\x81\xa3", b"\xe2\x81\xa4", b"\xc2",
    b"\xcd\x8f", b"\xe1\xa0\x8e",
)  # fmt: skip
_WHISPERS = re.compile(
    # The flags of England, Scotland and Wales are a black flag and a few tags, which may stay.
    "(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]+"
    "|(?<=\U0001f3f4)[\U000e0000-\U000e007f]{9,}"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
_PADDING = re.compile(
    "[\x80-\x84\x86-\x9f\u00ad\u034f\u180e\u200b\u2060-\u2064\ufeff]|[\u200c\u200d]{3,}"
)


def text(value: str) -> tuple[str, bool]:
    """The text in storable form, and whether something was hidden in it."""
    data = value.encode("utf-8", "replace")
    kept = data.translate(None, _CONTROLS)
    if kept.isascii() or not any(rare in kept for rare in _RARE):
        return kept.decode(), False
    value = kept.decode()
    shown = _WHISPERS.sub("", value)
    return _PADDING.sub("", shown), shown != value


def line(value: str) -> str:
    """One line of a header: no line ends, and no characters that reverse the direction."""
    if not value.isprintable():
        # Control, direction and zero-width characters are exactly what is not printable.
        value = _IN_A_LINE.sub(" ", value.encode("utf-8", "replace").decode())
        value = _PADDING.sub("", _DIRECTIONS.sub("", value))
    if not value.isascii():
        value = _WHISPERS.sub("", value)
    return " ".join(value.split())
