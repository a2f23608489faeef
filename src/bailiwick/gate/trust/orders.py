"""What the owner ordered, read from their own words: a verb, and what it was said of.

This never guesses. A message orders something only if each of its sentences is understood to its
end as an order or a courtesy, and no later message takes anything back. What it cannot read
(another language, a verb that it does not know, a "not", a "but" or an "if", a report, a question)
counts as no order, and a person is asked.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bailiwick.gate.trust import grammar, vocabulary
from bailiwick.gate.trust.grammar import OrderClause, OrderPhrase, OrderToken
from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import TargetKind

# Stands between two messages.
BETWEEN = "\x1e"
# Nobody orders in so many words; what is longer is content.
_LONGEST = 4_000
_FARTHEST = 300  # characters between two things that are named together
_SENTENCE = re.compile(r"[^.!?;\n]*(?:\.(?=\S)[^.!?;\n]*)*[.!?;\n]?")
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_PLACED = frozenset(("in", "on", "under", "inside"))
_CHANGING = vocabulary.VERBS["edit"] - vocabulary.WITHIN - {"overwrite", "reschedule"}


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Where something is named."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class OrderSentence:
    """A sentence, its tokens, and the orders in it; None: it is not understood."""

    start: int
    end: int
    tokens: Sequence[OrderToken]
    asks: bool
    clauses: Sequence[OrderClause] | None


@dataclass(frozen=True, slots=True)
class OrderMessage:
    """What was said at one time."""

    start: int
    end: int
    sentences: Sequence[OrderSentence]

    def others_understood(self, but: OrderSentence | None = None) -> bool:
        """Whether all sentences, or all but one, are understood."""
        return all(each.clauses is not None for each in self.sentences if each is not but)

    @property
    def takes_back(self) -> bool:
        """Whether it may take back what was said before."""
        return any(
            each.clauses is None and grammar.is_stopped(each.tokens) for each in self.sentences
        )


def given(text: str, effect: Effect, kind: TargetKind | None = None) -> bool:
    """Whether anything of this kind was ordered; if so, without naming a target of this kind."""
    for message in _standing(text):
        if message.others_understood():
            for sentence in message.sentences:
                for clause in sentence.clauses or ():
                    if clause.verb in vocabulary.VERBS[effect] and not _names(
                        clause, sentence.tokens, kind
                    ):
                        return True
    return False


def covers(text: str, effect: Effect, kind: TargetKind, mention: TextSpan) -> bool:
    """Whether an order of this kind was said of what is named there."""
    for message in _standing(text):
        if not message.start <= mention.start <= message.end <= message.start + _LONGEST:
            continue
        for sentence in message.sentences:
            if sentence.start <= mention.start and mention.end <= sentence.end:
                if not message.others_understood(sentence):
                    return False
                known = grammar.fused(sentence.tokens, mention.start, mention.end) or []
                read = grammar.clauses(known, asks=sentence.asks) or []
                return any(_governs(each, effect, kind, mention.start) for each in read)
    return False


def together(text: str, one: TextSpan, other: TextSpan) -> bool:
    """Whether two things are named in the same part of a sentence."""
    first, last = sorted((one, other), key=lambda span: span.start)
    if last.start - first.end > _FARTHEST:
        return False
    between = text[first.end : last.start]
    return not re.search(r"[,;:!?\n]|\.\s|\b(?:and|then|or|but)\b", between, re.IGNORECASE)


@functools.lru_cache(maxsize=256)
def _standing(text: str) -> Sequence[OrderMessage]:
    """The messages that no later one takes back."""
    found: list[OrderMessage] = []
    for message in reversed(_messages(text)):
        found.append(message)
        if message.takes_back:
            break
    return found[::-1]


def _messages(text: str) -> Sequence[OrderMessage]:
    found: list[OrderMessage] = []
    start = 0
    for said in text.split(BETWEEN):
        found.append(OrderMessage(start, start + len(said), list(_sentences(said, start))))
        start += len(said) + len(BETWEEN)
    return found


def _sentences(said: str, start: int) -> Iterator[OrderSentence]:
    """The sentences of a message; a dot within a name ends none."""
    if len(said) > _LONGEST:
        # It is understood by nobody, and so orders nothing; it may still take something back.
        tokens = grammar.tokens(said, start)
        yield OrderSentence(start, start + len(said), tokens, asks=False, clauses=None)
        return
    # A question mark within an address of the web ends no sentence either.
    plain = _URL.sub(lambda found: re.sub(r"[?!;](?=\S)", "_", found.group()), said)
    for found in _SENTENCE.finditer(plain):
        if found.group().strip():
            begin, end = start + found.start(), start + found.end()
            tokens = grammar.tokens(said[found.start() : found.end()], begin)
            asks = found.group().rstrip().endswith("?")
            clauses = grammar.clauses(tokens, asks=asks)
            yield OrderSentence(begin, end, tokens, asks, clauses)


def _names(clause: OrderClause, tokens: Sequence[OrderToken], kind: TargetKind | None) -> bool:
    """Whether an order names a target of this kind."""
    starts = clause.direct.union(*(phrase.names for phrase in clause.phrases))
    said = [each.text for each in tokens if each.start in starts]
    match kind:
        case "address":
            return any("@" in each for each in said)
        case "url":
            return any("://" in each for each in said)
        case "file" | "folder":
            return any("@" not in each and "://" not in each for each in said)
        case _:
            return False


def _governs(clause: OrderClause, effect: Effect, kind: TargetKind, name: int) -> bool:
    """Whether an order acts on what is named there, or puts its result there."""
    if name in clause.direct:
        return clause.verb in vocabulary.VERBS[effect] and _takes(clause, effect, kind)
    phrase = next((each for each in clause.phrases if name in each.names), None)
    if phrase is None or _is_turned(phrase, effect):
        return False
    if any(
        each.preposition == phrase.preposition and each.place > phrase.place
        for each in clause.phrases
    ):
        return False  # "the letter to Bob to Ann" goes to Ann
    return _leads(clause, phrase, effect, kind)


def _takes(clause: OrderClause, effect: Effect, kind: TargetKind) -> bool:
    """Whether a verb acts on its object."""
    if effect in ("create", "edit") and clause.verb in vocabulary.CARRYING:
        return kind == "name"
    if kind == "address" and effect in ("send", "share"):
        # "Send bob@example.com to Ann": the address is what is sent.
        given_away = any(each.preposition in ("to", "with") for each in clause.phrases)
        return clause.verb in ("send", "email", "mail") and not given_away
    if effect in ("create", "edit") and clause.verb == "write":
        # "Write a.md into b.md": the one is what is written, the other where to.
        return not any(each.preposition in vocabulary.GOALS["edit"] for each in clause.phrases)
    if effect == "delete":
        # "Remove a.md from the list" leaves the file.
        sources = [each.noun for each in clause.phrases if each.preposition == "from"]
        return vocabulary.KEEPERS.issuperset(sources)
    return True


def _is_turned(phrase: OrderPhrase, effect: Effect) -> bool:
    return bool(phrase.turned) and not (effect == "send" and phrase.turned in vocabulary.ANSWERS)


def _leads(clause: OrderClause, phrase: OrderPhrase, effect: Effect, kind: TargetKind) -> bool:
    """Whether a phrase says where an act of this kind goes."""
    verb, preposition = clause.verb, phrase.preposition
    if effect == "create" and (phrase.in_file or preposition == "into"):
        return verb in vocabulary.PRODUCING  # whatever is done, what is named there comes of it
    if verb not in vocabulary.VERBS[effect]:
        return False
    if effect == "edit" and preposition == "in" and verb in vocabulary.WITHIN:
        return phrase.place == 0 and clause.plain
    if effect in ("create", "edit", "move") and preposition in _PLACED:
        return phrase.place == 0 and clause.pronoun
    if preposition in (":", "that") and effect == "create":
        return kind == "name"
    if effect == "edit" and verb not in _CHANGING:
        return False
    return preposition in vocabulary.GOALS[effect]
