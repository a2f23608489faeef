"""Limits on pages: parsers take very long on some that no person would write."""

import html as markup
import re
from collections import Counter

_MOST_DEEP = 1_000
_FEW_TAGS = 300
_MOST_TAGS = 50_000
_MOST_COPIES = 200_000
_MOST_ALIKE = 3
_MOST_OPTIONS = 1_000
_MOST_ATTRIBUTES = 4_000
_LONG = 16_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^<>]*)")
_ANY = re.compile(r"<[^<>]*>")
# Elements that end when the next begins, or are always empty.
_SHORT = frozenset((
    "p", "li", "td", "th", "tr", "dt", "dd", "option", "tbody", "thead", "tfoot", "br", "img", "hr",
    "input", "meta", "link", "col", "wbr", "area", "base", "source", "param", "embed", "track",
))  # fmt: skip
_FORMATTING = frozenset((
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
))  # fmt: skip


def is_fair(html: str) -> bool:
    """Whether the page is within the limits."""
    if len(html) > _LONG and any(_is_long(piece) for piece in html.split("<")):
        return False
    tags = html.count("<")
    return tags <= _FEW_TAGS or (tags <= _MOST_TAGS and _is_flat(html) and _is_closed(html))


def _is_long(piece: str) -> bool:
    """Whether a tag may have too many attributes."""
    if len(piece) <= _LONG:
        return False
    tag = piece[: piece.rfind(">") + 1] or piece
    return len(tag.split()) > _MOST_ATTRIBUTES or tag.count("=") > _MOST_ATTRIBUTES


def _is_flat(html: str) -> bool:
    opened: Counter[str] = Counter()
    deep = options = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _SHORT:
            # A parser looks at every choice before it takes the next.
            options += name == "option"
            if options > _MOST_OPTIONS:
                return False
            continue
        if not tag[1]:
            opened[name] += 1
            deep += 1
        elif opened[name]:
            opened[name] -= 1
            deep -= 1
        if deep > _MOST_DEEP:
            return False
    return True


def _is_closed(html: str) -> bool:
    """Whether few elements that format text are left open.

    A parser opens each of them again in every block that follows, so a page of some kilobytes can
    become millions of elements. Of those that are alike it keeps three.
    """
    opened: dict[str, list[str]] = {name: [] for name in _FORMATTING}
    alike: Counter[tuple[str, str]] = Counter()
    active = copies = 0
    for end, name, attributes in _TAG.findall(html):
        copies += active
        stack = opened.get(name.lower())
        if stack is None:
            continue
        if end and stack:
            alike[name.lower(), stack.pop()] -= 1
            active -= 1
        elif not end and alike[name.lower(), attributes] < _MOST_ALIKE:
            stack.append(attributes)
            alike[name.lower(), attributes] += 1
            active += 1
    return copies <= _MOST_COPIES


def words_of(html: str) -> str:
    """All words of a page that is not parsed, hidden ones included."""
    return " ".join(markup.unescape(_ANY.sub(" ", html)).split())
