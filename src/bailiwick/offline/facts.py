"""The facts of a text as JSON: who, when, how much, which numbers, and what is asked."""

import json
import re
from collections.abc import Iterable

from bailiwick.offline import slots
from bailiwick.offline.drafts import questions, sender_of, subject_of
from bailiwick.offline.extraction import gives_orders
from bailiwick.offline.text import sentences
from bailiwick.offline.work import Doc

_MOST = 10
_AMOUNT = re.compile(
    r"(?:[€$£]\s?\d[\d.,]{0,12}\d|[€$£]\s?\d|\d[\d.,]{0,12}\s?(?:€|EUR|USD|GBP|euros?|pounds|dollars)\b)"
)
_DATE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?|"
    r"\b\d{1,2}(?:st|nd|rd|th)?\s(?:January|February|March|April|May|June|July|August|September|"
    r"October|November|December)\b(?:\s\d{4})?|"
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b",
)
_REFERENCE = re.compile(
    r"\b(?:invoice|order|claim|customer|delivery|booking|ticket|case|reference|account)\b"
    r"(?:\s(?:no\.?|number|nr\.?))?\s#?(?P<number>[A-Z]{0,3}\d[\w-]{1,20})",
    re.IGNORECASE,
)


def facts_of(doc: Doc) -> str:
    """What a mail or a text says that can be counted on, as it stands there."""
    # What gives orders to a model is no fact that anybody should count on.
    body = doc.text.partition("\n\n")[2] if doc.facts else doc.text
    own = " ".join(each for each in sentences(body) if not gives_orders(each))
    found = {
        "from": sender_of([doc]) or None,
        "subject": subject_of([doc], "") or None,
        "dates": _some(_DATE.findall(own)),
        "amounts": _some(_AMOUNT.findall(own)),
        "references": _some(match.group() for match in _REFERENCE.finditer(own)),
        "addresses": _some(slots.addresses(own)),
        "asks": _some(questions(doc)),
    }
    return json.dumps(
        {name: value for name, value in found.items() if value}, ensure_ascii=False, indent=2
    )


def _some(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(" ".join(each.split()) for each in found)][:_MOST]
