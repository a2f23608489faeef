"""Pages that no person would write: parsers need very long for elements nested without end."""

import html as markup
import re
from collections import Counter

_MOST_DEEP = 1_000
_MOST_TAGS = 50_000
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_ANY = re.compile(r"<[^<>]*>")
# Elements that end by themselves when the next begins, or have nothing in them.
_SHORT = frozenset((
    "p", "li", "td", "th", "tr", "dt", "dd", "option", "tbody", "thead", "tfoot", "br", "img", "hr",
    "input", "meta", "link", "col", "wbr", "area", "base", "source", "param", "embed", "track",
))  # fmt: skip


def is_fair(html: str) -> bool:
    """Whether it can be parsed as it stands."""
    if (tags := html.count("<")) <= _MOST_DEEP:
        return True
    if tags > _MOST_TAGS:
        return False
    opened: Counter[str] = Counter()
    deep = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _SHORT:
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


def words_of(html: str) -> str:
    """What remains of a page that is not parsed: all its words, hidden ones too."""
    return " ".join(markup.unescape(_ANY.sub(" ", html)).split())
