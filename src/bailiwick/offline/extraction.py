"""The sentences of texts that matter most, in their own words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bailiwick.offline.likeness import alike
from bailiwick.offline.text import is_heading, sentences, shortened, stem, stems, telling
from bailiwick.offline.work import Doc

LONGEST_QUOTE = 320
MOST_SENTENCES = 400  # of one text that are looked at
_FIGURE = re.compile(r"\d|[\u20ac$\u00a3%]")
_SIGNAL = re.compile(
    r"\b(?:results?|conclu\w+|decid\w+|agreed|therefore|importan\w+|must|deadline|total|found|"
    r"shows?|"
    r"showed|because|however|finally|due|need\w*|propos\w+|recommend\w*|increas\w+|decreas\w+|"
    r"fail\w*|"
    r"success\w*|problem|risk|asks?|wants?|request\w*|plan\w*)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules|orders|"
    r"above|previous)\b"
    r"|^\W*(?:system|user|assistant)\s*:"
    r"|\byou are (?:now|an? (?:ai|assistant|agent|language model))\b|\bsystem prompt\b"
    r"|\b(?:ai|assistant|agent|llm|language model)s?\b\W{0,3}(?:must|should|please|:|you\b)"
    r"|\b(?:attention|note to|instructions? (?:to|for)|message (?:to|for)) (?:the |any |all )?"
    r"(?:ai|assistant|agent|model|bot)s?\b|<\s*/?\s*(?:system|instructions?)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_FIELD = re.compile(
    r"^\W*(?:date|day|time|from|to|cc|subject|sent|received|present|attendees|participants|author|"
    r"title|tags?|page|version|status|place|location|re|reference)\b\W{0,3}:",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, and where it stands."""

    text: str
    source: str
    score: float


def gives_orders(sentence: str) -> bool:
    """Whether a sentence in some text speaks to a model as if it were its master."""
    return bool(_ORDER.search(sentence))


def said_in(text: str) -> list[str]:
    """The sentences of a text that say something; what gives orders to a model is left out."""
    return [
        each
        for each in sentences(text)[:MOST_SENTENCES]
        if len(telling(each)) >= 2 and not gives_orders(each) and not _is_title(each)
    ]


def key_sentences(doc: Doc, *, most: int, query: str = "") -> list[Quote]:
    """The sentences of a text that matter most, in their order."""
    said = said_in(doc.text)
    if not said:
        return []
    scores = _scores(said, query)
    ranked = sorted(range(len(said)), key=lambda place: (-scores[place], place))
    chosen: dict[int, set[str]] = {}
    for place in ranked:
        if len(chosen) == most:
            break
        held = stems(said[place])
        if not any(_same(held, other) for other in chosen.values()):
            chosen[place] = held
    return [
        Quote(shortened(said[place], LONGEST_QUOTE), doc.name, scores[place])
        for place in sorted(chosen)
    ]


def warnings(docs: Sequence[Doc]) -> list[str]:
    """A word about texts that try to give orders."""
    found = [doc.name or "The text" for doc in docs if any(map(gives_orders, sentences(doc.text)))]
    return [
        f"{name} holds sentences that give orders to whoever reads it. I did not follow them."
        for name in dict.fromkeys(found)
    ]


def _scores(said: Sequence[str], query: str) -> list[float]:
    counts = Counter(word for each in said for word in stems(each))
    near = alike(query, said) if query else [0.0] * len(said)
    return [
        _weight(each, counts, place, len(said)) + 0.9 * near[place]
        for place, each in enumerate(said)
    ]


def _weight(sentence: str, counts: Counter[str], place: int, total: int) -> float:
    held = [counts[stem(word)] for word in telling(sentence)]
    usual = sum(held) / len(held) / max(counts.values())
    early = 0.3 * (1 - place / total) + (0.25 if place == 0 else 0.0)
    figure = 0.2 if _FIGURE.search(sentence) else 0.0
    signal = 0.25 if _SIGNAL.search(sentence) else 0.0
    short = -0.3 if len(held) < 4 else 0.0
    return 0.5 * usual + early + figure + signal + short


def _same(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and len(one & other) / min(len(one), len(other)) > 0.75


def _is_title(sentence: str) -> bool:
    return bool(_FIELD.match(sentence)) or _is_head(sentence)


def _is_head(sentence: str) -> bool:
    return is_heading(sentence) and len(telling(sentence)) < 5 and not _FIGURE.search(sentence)
