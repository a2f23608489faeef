"""People, dates, amounts and places in a text, found by rules. They are words, not knowledge."""

import re
from collections.abc import Iterable

_MOST = 20
_LOOKED_AT = 100_000
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATE = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[./]\s?\d{{1,2}}[./]\s?\d{{2,4}}\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}\b(?:\s\d{{4}})?|"
    rf"\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s\d{{4}}\b"
)
_AMOUNT = re.compile(
    r"(?:[€$£]\s?\d[\d.,]{0,12}\d|[€$£]\s?\d|"
    r"\b\d[\d.,]{0,12}\s?(?:€|EUR|USD|GBP|CHF|euros?|pounds|dollars)(?!\w))"
)
_ADDRESS = re.compile(r"\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b")
_NAME = r"[A-ZÄÖÜ][a-zäöüßéèáàçñ'-]{1,30}"
_TITLED = re.compile(
    rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Sir|Madam)\.?\s((?:{_NAME}\s){{0,2}}{_NAME})"
)
_FULL = re.compile(rf"\b({_NAME}\s(?:[A-Z]\.\s)?{_NAME})\b")
_AFTER = re.compile(rf"\b(?:in|at|near|nach|aus)\s((?:{_NAME}\s){{0,2}}{_NAME})\b")
_STREET = re.compile(
    rf"\b(?:\d{{1,4}}\s)?(?:{_NAME}\s){{1,3}}(?:Street|Road|Lane|Avenue|Square|Place)\b|"
    rf"\b{_NAME}(?:straße|strasse|gasse|platz|weg)\s\d{{1,4}}\b"
)
_TOWN = re.compile(rf"\b\d{{4,5}}\s({_NAME}(?:\s{_NAME})?)\b")
_NO_NAME = frozenset(
    (
        *("The", "This", "That", "These", "Those", "Dear", "Best", "Kind", "Yours", "With", "From"),
        *("Please", "Thank", "Thanks", "Invoice", "Order", "Total", "Date", "Page", "Subject"),
        *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        *("January", "February", "March", "April", "May", "June", "July", "August"),
        *("September", "October", "November", "December", "Our", "Your", "We", "You", "For", "And"),
        *("But", "If", "In", "On", "At", "To", "By", "Mit", "Sehr", "Liebe", "Lieber", "Betreff"),
    )
)


def entities(text: str) -> dict[str, list[str]]:
    """What a text names, in the order in which it does."""
    own = text[:_LOOKED_AT]
    places = _some(
        (
            *_STREET.findall(own),
            *_TOWN.findall(own),
            *(each for each in _AFTER.findall(own) if each.split()[0] not in _NO_NAME),
        )
    )
    people = [*_TITLED.findall(own), *(each for each in _FULL.findall(own) if _is_name(each))]
    taken = {word for place in places for word in place.split()}
    return {
        "people": _some(each for each in people if not taken.issuperset(each.split())),
        "dates": _some(_DATE.findall(own)),
        "amounts": _some(_AMOUNT.findall(own)),
        "places": places,
        "addresses": _some(_ADDRESS.findall(own)),
    }


def _is_name(words: str) -> bool:
    return not _NO_NAME.intersection(words.split())


def _some(found: Iterable[str]) -> list[str]:
    return [*dict.fromkeys(" ".join(each.split()) for each in found)][:_MOST]
