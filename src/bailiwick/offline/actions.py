"""What is to be done, as a text says it: ticked boxes, "to do" lines, duties with a day."""

import re
from dataclasses import dataclass
from datetime import date

from bailiwick.offline import days
from bailiwick.offline.extraction import gives_orders
from bailiwick.offline.text import sentences, shortened, words

MOST = 12
_BOX = re.compile(r"^[^\S\n]*[-*+][^\S\n]*\[ \][^\S\n]*(\S.*)$", re.MULTILINE)
_MARKED = re.compile(
    r"^[^\w\n]*(?:to-?\s?do|actions?(?: items?)?|next steps?|task|follow[- ]up)\W{0,3}:\s*(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_SECTION = re.compile(
    r"^\W*(?:to-?\s?dos?|actions?(?: items?)?|next steps?|tasks|follow[- ]ups?|open points)\W*$",
    re.IGNORECASE,
)
_LINE = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+(.+)$")
_DUTY = re.compile(
    r"\b(?:must|has to|have to|needs? to|will|shall|is to|are to|should|agreed to|promised to|"
    r"offered to|takes? care of|please|is responsible for)\b",
    re.IGNORECASE,
)
_POLITE = re.compile(r"^\W*(?:please|can you|could you|would you|will you)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ActionItem:
    """Something to do, and until when."""

    title: str
    due: date | None = None


def actions(text: str, today: date | None = None) -> list[ActionItem]:
    """What a text says is to be done: what is marked as such, or else what reads like a duty."""
    found = [*_BOX.findall(text), *_MARKED.findall(text), *_sections(text)]
    if not found:
        found = [each for each in sentences(text) if _is_duty(each, today)]
    kept = dict.fromkeys(each.strip() for each in found if len(words(each)) > 1)
    return [
        ActionItem(shortened(each, 200).rstrip("."), days.first(each, today))
        for each in [one for one in kept if not gives_orders(one)][:MOST]
    ]


def _sections(text: str) -> list[str]:
    """The lines of a list beneath a heading such as "Next steps"."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        if _SECTION.match(line):
            inside = True
        elif inside and (match := _LINE.match(line)):
            found.append(match[1])
        elif line.strip():
            inside = False
    return [each for each in found if not each.startswith("[")]


def _is_duty(sentence: str, today: date | None) -> bool:
    if _POLITE.match(sentence):
        return True
    return (
        bool(_DUTY.search(sentence))
        and bool(days.mentioned(sentence, today))
        and "?" not in sentence
    )
