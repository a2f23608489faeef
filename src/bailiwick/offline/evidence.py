"""The sentence in some texts that answers a question."""

import re
from collections.abc import Sequence

from bailiwick.offline import days, topics
from bailiwick.offline.extraction import LONGEST_QUOTE, Quote, said_in
from bailiwick.offline.likeness import alike
from bailiwick.offline.results import spaced
from bailiwick.offline.text import sentences, shortened, words
from bailiwick.offline.work import Doc

_LEAST = 0.2
_FITS: tuple[tuple[str, str], ...] = (
    (
        r"\bhow much\b|\b(?:price|cost|pay|amount)\b",
        r"(?:[\u20ac$\u00a3]\s?\d|\d\s?(?:[\u20ac$\u00a3]|EUR|USD|GBP|CHF|euros?|dollars?|"
        r"pounds?)\b)",
    ),
    (
        r"\bhow (?:much|many|long|old|far|high|often|big|large)\b|\b(?:price|amount|cost|sum|total|"
        r"number)\b",
        r"\d",
    ),
    (r"\b(?:who|whom|whose)\b", r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+|@"),
    (r"\bwhere\b", r"\b(?:in|at|on|near|behind|under|street|road|room)\b"),
    (r"\bwhy\b", r"\b(?:because|since|due to|reason|therefore|so that)\b"),
)


def answered(question: str, docs: Sequence[Doc], most: int = 2) -> list[Quote]:
    """The sentences that answer it best; none if nothing comes near."""
    pairs = [(each, doc) for doc in docs for each in _said(doc)]
    if not pairs:
        return []
    # "What does Selma want?" is about Selma, but the last word counts as well.
    asked = " ".join([topics.topic(question) or question, *words(question)[-1:]])
    # A sentence stands in a text about something, which it need not say again.
    bare = alike(asked, [each for each, _ in pairs])
    framed = alike(asked, [f"{spaced(doc.name)} {doc.text[:300]} {each}" for each, doc in pairs])
    scores = [
        0.6 * alone + 0.4 * within + _bonus(question, each)
        for alone, within, (each, _) in zip(bare, framed, pairs, strict=True)
    ]
    ranked = sorted(range(len(pairs)), key=lambda place: (-scores[place], place))
    top = scores[ranked[0]]
    kept = [place for place in ranked if scores[place] >= max(_LEAST, 0.85 * top)][:most]
    return [
        Quote(shortened(pairs[place][0], LONGEST_QUOTE), pairs[place][1].name, scores[place])
        for place in kept
    ]


def _said(doc: Doc) -> list[str]:
    # A memory may be three words long.
    return said_in(doc.text) or sentences(doc.text)[:3]


def _bonus(question: str, sentence: str) -> float:
    if re.search(r"\bwhen\b|\bwhat (?:day|date)\b|\bdeadline\b|\bdue\b", question, re.I):
        dated = days.mentioned(sentence) or re.search(
            r"\b\d{1,2}:\d{2}\b|day\b|\b\d{1,2} [A-Z]", sentence
        )
        return 0.15 if dated else 0.0
    fitting = [fits for asked, fits in _FITS if re.search(asked, question, re.IGNORECASE)]
    return 0.15 * sum(bool(re.search(fits, sentence)) for fits in fitting)
