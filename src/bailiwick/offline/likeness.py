"""How alike texts are: by the words they share, by matter, and by vectors."""

import math
from collections import Counter
from collections.abc import Sequence

from bailiwick.llm import vectors
from bailiwick.offline.kinship import matters
from bailiwick.offline.text import stem, telling

_SHARED, _VECTORS = 0.6, 0.4
_KIN = 0.6  # what a word of the same matter counts, beside the word itself


def alike(query: str, texts: Sequence[str]) -> list[float]:
    """How alike each text is to the query, from 0 to 1; words that few of them use count more."""
    if not texts:
        return []
    bags = [Counter(map(stem, telling(text))) for text in texts]
    rare = _rarity(bags)
    asked = Counter(map(stem, telling(query)))
    near = vectors.likeness(query, texts)
    return [
        _SHARED * _shared(asked, bag, rare) + _VECTORS * max(0.0, vector)
        for bag, vector in zip(bags, near, strict=True)
    ]


def best(query: str, texts: Sequence[str], *, least: float = 0.0) -> int | None:
    """The place of the text that is most like the query; None if none is like it enough."""
    scores = alike(query, texts)
    if not scores or max(scores) < least:
        return None
    return scores.index(max(scores))


def overlap(query: str, text: str) -> float:
    """Which part of the query's telling words stand in the text."""
    asked, there = set(map(stem, telling(query))), set(map(stem, telling(text)))
    return len(asked & there) / len(asked) if asked else 0.0


def _rarity(bags: Sequence[Counter[str]]) -> dict[str, float]:
    held = Counter(word for bag in bags for word in bag)
    return {word: math.log(1 + len(bags) / count) for word, count in held.items()}


def _shared(asked: Counter[str], bag: Counter[str], rare: dict[str, float]) -> float:
    """The share of the query that the text answers, by its words or by words of the same matter."""
    if not asked or not bag:
        return 0.0
    known = frozenset[int]().union(*(matters(word) for word in bag))
    got = total = 0.0
    for word, count in asked.items():
        weight = math.sqrt(count) * rare.get(word, 1.0)
        total += weight
        if word in bag:
            got += weight
        elif matters(word) & known:
            got += weight * _KIN
    return got / total
