"""What the owner ordered, read from their own words: a verb, and what it was said of.

This never guesses. An order is a verb in the place of one: at the beginning of a sentence, after
"please" or "can you", or after "and" where an order came before. What it cannot read (another
language, a verb that it does not know, a "not" or an "if" in the sentence) counts as no order, and
a person is asked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bailiwick.tools.effects import Effect


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


VERBS: dict[Effect, frozenset[str]] = {
    "read": _set(
        "read look check summarise summarize review open find search list show tell compare"
        " explain translate analyse analyze see view count describe examine inspect study skim"
        " scan browse get give answer ask help use take consider follow calculate collect gather"
        " extract compile convert turn go sort pull keep"
    ),
    "create": _set(
        "create make add write save draft record note put prepare generate compose schedule store"
        " produce remember book plan export"
    ),
    "edit": _set(
        "edit update change write append add replace fix correct modify fill set revise rewrite"
        " overwrite reschedule insert extend save"
    ),
    "label": _set("label tag mark flag star categorise categorize"),
    "move": _set("move rename archive transfer relocate put"),
    "complete": _set("complete finish tick close mark"),
    "send": _set("send email mail reply forward"),
    "share": _set("share"),
    "invite": _set("invite schedule"),
    "fetch": _set("fetch open download visit read get look check compare summarise summarize"),
    "delete": _set("delete remove erase trash"),
    "execute": _set("run execute"),
}
_KNOWN = frozenset[str]().union(*VERBS.values())
_LINKS = _set("and then or also , ; :")
_OPENERS = _set("first now finally next then also please ok okay hi hello hey , :")
_NOUNS_BEFORE = _set("from of by is was says are were has had came")
_NEGATIONS = _set(
    "not no never dont don't doesn't without neither nor except instead avoid stop unless cannot"
    " can't won't shouldn't mustn't nobody nothing if whether whatever"
)
# After these, a name is what something is made from; after others, where it goes.
_FROM = _set(
    "of from about with against than like per using based see regarding after before beside by via"
    " according within"
)
_TO = _set("to into in as at on under for named called onto inside")
_SMALL = (
    _FROM
    | _TO
    | _set(
        "the a an my our your their his her its all any some each every this that these those it"
        " them him us me"
    )
)
_TOKEN = re.compile(r"[^\W_](?:[\w'\u2019]*[^\W_])?|[,;:]")
_SENTENCE = re.compile(r"[^.!?;\n]*(?:\.(?=\S)[^.!?;\n]*)*[.!?;\n]?")


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Where something is named."""

    start: int
    end: int


def given(text: str, effect: Effect) -> bool:
    """Whether anything of this kind was ordered at all."""
    for _, sentence in _sentences(text):
        tokens = _tokens(sentence)
        if _can_order(sentence, tokens) and any(
            tokens[number] in VERBS[effect] for number in _orders(tokens)
        ):
            return True
    return False


def covers(text: str, effect: Effect, mention: TextSpan) -> bool:
    """Whether an order of this kind was said of what is named there."""
    for start, sentence in _sentences(text):
        if start <= mention.start and mention.end <= start + len(sentence):
            before = _tokens(sentence[: mention.start - start])
            return _can_order(sentence, _tokens(sentence)) and _governs(before, effect)
    return False


def together(text: str, one: TextSpan, other: TextSpan) -> bool:
    """Whether two things are named in the same sentence."""
    return any(
        start <= min(one.start, other.start) and max(one.end, other.end) <= start + len(sentence)
        for start, sentence in _sentences(text)
    )


def _sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences, each with where it begins; a dot within a name ends none."""
    for found in _SENTENCE.finditer(text):
        if found.group().strip():
            yield found.start(), found.group()


def _can_order(sentence: str, tokens: list[str]) -> bool:
    if _NEGATIONS.intersection(tokens):
        return False
    # A question is an order only if it asks for one.
    return not sentence.rstrip().endswith("?") or "you" in tokens[:3] or "please" in tokens


def _orders(tokens: list[str]) -> list[int]:
    """Where the orders are."""
    found: list[int] = []
    for number, token in enumerate(tokens):
        if token in _KNOWN and _stands_first(tokens, number, after_order=bool(found)):
            found.append(number)
    return found


def _stands_first(tokens: list[str], number: int, *, after_order: bool) -> bool:
    if number + 1 < len(tokens) and tokens[number + 1] in _NOUNS_BEFORE:
        return False
    before = tokens[:number]
    if all(token in _OPENERS for token in before) or before[-1] == "please":
        return True
    if before[-1] == "you":
        return len(before) > 1 and before[-2] in ("can", "could", "would", "will")
    if before[-1] == "to":
        return before[-3:-1] in (["want", "you"], ["need", "you"], ["like", "you"])
    return after_order and before[-1] in _LINKS


def _governs(tokens: list[str], effect: Effect) -> bool:
    """Walk back from a name to the order that it belongs to."""
    orders = set(_orders(tokens))
    relation: str | None = None
    for number in range(len(tokens) - 1, -1, -1):
        token = tokens[number]
        if number in orders:
            return _fits(token, effect, relation)
        if relation is None and token in _FROM | _TO | {":"}:
            relation = _relation(tokens, number)
        if number and tokens[number - 1] in _LINKS and token not in _SMALL | _LINKS:
            return False  # it may be a verb that we do not know
    return False


def _fits(verb: str, effect: Effect, relation: str | None) -> bool:
    if effect == "create" and relation in ("into", "file"):
        return True  # whatever is done, what is named there comes of it
    return verb in VERBS[effect] and (relation not in _FROM or effect == "fetch")


def _relation(tokens: list[str], number: int) -> str:
    """How a name stands to its verb; "in a file called" and "in a new file" make one."""
    after = tokens[number + 1 :]
    if tokens[number] in ("called", "named") and "file" in tokens[max(0, number - 2) : number]:
        return "file"
    return "file" if tokens[number] == "in" and after == ["a", "new", "file"] else tokens[number]


def _tokens(text: str) -> list[str]:
    return [token.replace("\u2019", "'") for token in _TOKEN.findall(text.lower())]
