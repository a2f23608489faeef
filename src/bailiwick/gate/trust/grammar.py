"""Orders as they are understood: verbs, what they are said of, and nothing that is not known.

A sentence is read from its first word to its last: openers, a verb, its object, phrases that begin
with a preposition, and "and" before the next verb. A word that fits nowhere ends the reading, and a
sentence that is not read to its end orders nothing.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bailiwick.gate.trust import vocabulary as words

# Stands where something was pasted or quoted.
CONTENT = "\ufffc"
_CHUNK = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|`[^`\n]{1,300}`"
    r"|(?<!\S)'[^'\n]{1,300}'(?!\w)|(?<!\S)‘[^’\n]{1,300}’(?!\w)|\ufffc|[^\s\ufffc]+"  # noqa: RUF001
)
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NAME = re.compile(r"[\w.-]*\w[./@]\S*|https?://\S+|/\S+")
_OPEN = "\"“«`'‘"  # noqa: RUF001
_MARKS: dict[str, Literal["comma", "colon", "other"]] = {
    ",": "comma",
    ":": "colon",
    "\u2026": "other",
}
_MOST_WORDS = 6
_LEADS = (
    ("can", "you"),
    ("could", "you"),
    ("would", "you", "please"),
    ("will", "you", "please"),
    ("i", "want", "you", "to"),
    ("i", "need", "you", "to"),
    ("i", "would", "like", "you", "to"),
    ("i'd", "like", "you", "to"),
)
_TELLING = frozenset(("tell", "show", "explain", "describe", "list", "check", "see", "find"))
_NO_NOUN = (
    words.PREPOSITIONS
    | words.LINKS
    | words.TRAILING
    | words.DETERMINERS
    | words.QUESTION_WORDS
    | words.UNORDERLY
)


@dataclass(frozen=True, slots=True)
class OrderToken:
    """A word, a name, something in quotes, content, or a mark."""

    kind: Literal["word", "name", "content", "comma", "colon", "other"]
    text: str
    start: int
    end: int
    capital: bool = False


@dataclass(frozen=True, slots=True)
class OrderPhrase:
    """A preposition and what it leads to."""

    preposition: str
    names: frozenset[int]
    place: int  # those that are joined by "and" share one
    turned: str = ""  # the noun before, if it takes the phrase to itself
    in_file: bool = False  # "in a new file", "in a file called"
    noun: str = ""  # the last word of what it leads to, if that is no name


@dataclass(slots=True)
class OrderClause:
    """One order: a verb, its object and its phrases; names are told by where they begin."""

    verb: str
    direct: set[int] = field(default_factory=set[int])
    titled: bool = False  # its object is a task, a note or the like
    plain: bool = True  # its object holds no name
    pronoun: bool = True  # its object is "it", or it has none
    phrases: list[OrderPhrase] = field(default_factory=list[OrderPhrase])


class _Unread(Exception):
    """A sentence that is not understood."""


def tokens(text: str, start: int = 0) -> list[OrderToken]:
    """The tokens of a text; `start` is where it begins in a longer one."""
    found: list[OrderToken] = []
    for chunk in _CHUNK.finditer(text):
        found.extend(_tokens(chunk.group(), start + chunk.start()))
    return found


def _tokens(chunk: str, start: int) -> Iterator[OrderToken]:
    if chunk == CONTENT:
        yield OrderToken("content", chunk, start, start + 1)
        return
    if chunk[0] in _OPEN and len(chunk) > 2 and not _WORD.match(chunk[-1]):
        quoted = chunk[1:-1]
        yield OrderToken("name", quoted, start + 1, start + 1 + len(quoted))
        return
    core = chunk.rstrip(".,:;!?\u2026")
    end = start + len(core)
    if core:
        plain = core.lower().replace("\u2019", "'")
        if _WORD.fullmatch(core):
            yield OrderToken("word", plain, start, end, core[0].isupper() or core[0].isdigit())
        elif _NAME.fullmatch(core):
            yield OrderToken("name", core, start, end)
        else:
            yield OrderToken("other", core, start, end)
    for place, mark in enumerate(chunk[len(core) :]):
        if mark in ",:":
            yield OrderToken(
                "comma" if mark == "," else "colon", mark, end + place, end + place + 1
            )
        elif mark == "\u2026":
            yield OrderToken("other", mark, end + place, end + place + 1)


def fused(known: Sequence[OrderToken], start: int, end: int) -> list[OrderToken] | None:
    """The same tokens with what stands between two places as one name, if it is whole tokens."""
    inside = [each for each in known if start <= each.start and each.end <= end]
    if not inside or inside[0].start != start or inside[-1].end != end:
        return None
    if len(inside) != sum(each.start < end and start < each.end for each in known):
        return None
    if len(inside) == 1 and inside[0].kind == "name":
        return list(known)
    if is_stopped(inside) or any(each.kind in ("content", "other") for each in inside):
        return None
    name = OrderToken("name", "", start, end)
    before = [each for each in known if each.end <= start]
    return [*before, name, *(each for each in known if each.start >= end)]


def is_stopped(known: Sequence[OrderToken]) -> bool:
    """Whether a word says no, except, if, or that somebody else spoke."""
    return any(each.kind == "word" and each.text in words.STOPS for each in known)


def clauses(known: Sequence[OrderToken], *, asks: bool) -> list[OrderClause] | None:
    """The orders of a sentence; None when it is not understood to its end."""
    if any(each.kind == "other" for each in known):
        return None
    if all(each.kind in ("comma", "content") or each.text in words.COURTESY for each in known):
        return []
    try:
        return _Reader(known, asks=asks).sentence()
    except _Unread:
        return None


class _Reader:
    """Reads one sentence."""

    def __init__(self, known: Sequence[OrderToken], *, asks: bool) -> None:
        self._tokens = known
        self._at = 0
        self._asks = asks

    def sentence(self) -> list[OrderClause]:
        """All orders, to the end of the sentence."""
        said = [each.text for each in self._tokens]
        polite = self._opening()
        if self._asks and not polite and "please" not in said:
            raise _Unread
        # What opens a sentence is allowed there; everything after it counts.
        if is_stopped(self._tokens[self._at :]):
            raise _Unread
        found = [self._clause()]
        while not self._is_over():
            # "Ask Ann, then send it", "show me the list and delete it": an answer may come first.
            if found[-1].verb == "ask" or {"me", "us"}.intersection(said[: self._at]):
                raise _Unread
            self._link()
            found.append(self._clause())
        return found

    def _opening(self) -> bool:
        """Skip what comes before the first verb; whether it asks for an order."""
        while self._word() in words.OPENERS or self._kind() == "comma":
            greeting = self._word() in words.GREETINGS
            self._at += 1
            if greeting and self._is_capital() and self._kind(1) == "comma":
                self._at += 2
        for lead in _LEADS:
            if tuple(self._word(step) for step in range(len(lead))) == lead:
                self._at += len(lead)
                self._skip("please")
                return True
        return False

    def _link(self) -> None:
        """What stands between two orders."""
        before = self._at
        if self._kind() == "comma":
            self._at += 1
        while self._word() in words.LINKS:
            self._at += 1
        if self._at == before:
            raise _Unread
        if self._kind() == "comma":
            self._at += 1

    def _clause(self) -> OrderClause:
        verb = self._word()
        if verb not in words.KNOWN or self._word(1) in words.NOUNS_BEFORE:
            raise _Unread
        self._at += 1
        clause = OrderClause(verb)
        if (verb, self._word()) in words.PARTICLES:
            self._at += 1
        elif (verb, self._word()) == ("add", "up"):
            clause.verb = "calculate"
            self._at += 1
        if self._free_tail(clause):
            return clause
        self._object(clause)
        while self._phrase(clause) or self._trailing():
            pass
        return clause

    def _object(self, clause: OrderClause) -> None:
        begin = self._at
        if self._starts_noun(after_verb=True):
            clause.direct |= self._nouns(after_verb=True)
            seen = self._tokens[begin : self._at]
            clause.titled = any(each.text in words.TITLED for each in seen)
            clause.plain = not clause.direct
            clause.pronoun = len(seen) == 1 and seen[0].text in words.PRONOUNS
        if clause.direct and clause.verb in words.VERBS["send"] and self._is_determiner():
            self._nouns()  # "mail bob@example.com the list"

    def _phrase(self, clause: OrderClause) -> bool:
        """A preposition and what it leads to."""
        if self._kind() == "colon":
            return self._listed(clause)
        joined = 1 if self._kind() == "comma" else 0
        if self._word(joined) == "and":
            joined += 1
        preposition = self._word(joined)
        if preposition not in words.PREPOSITIONS:
            return False
        if preposition in words.TIMED and _is_at_once(clause.verb):
            raise _Unread
        before = self._tokens[self._at - 1].text
        self._at += joined + 1
        place = len(clause.phrases)
        if joined and clause.phrases and clause.phrases[-1].preposition == preposition:
            place = clause.phrases[-1].place
        self._leads(clause, preposition, place, before if _turns(before) else "")
        return True

    def _leads(self, clause: OrderClause, preposition: str, place: int, turned: str) -> None:
        begin = self._at
        if clause.titled and preposition in ("to", "called", "named") and self._kind() == "word":
            self._rest()  # a title may be any words
            return
        if not self._starts_noun():
            raise _Unread
        names = self._nouns()
        said = [each.text for each in self._tokens[begin : self._at] if each.kind == "word"]
        in_file = said == ["a", "new", "file"]
        if said[-1:] == ["file"] and not names and self._word() in ("called", "named"):
            self._at += 1
            names, in_file = self._nouns(), True
        noun = "" if names else said[-1] if said else ""
        phrase = OrderPhrase(preposition, frozenset(names), place, turned, in_file, noun)
        clause.phrases.append(phrase)

    def _listed(self, clause: OrderClause) -> bool:
        """After a colon: names to the end, the title of a task, or content."""
        self._at += 1
        rest = self._tokens[self._at :]
        if len(rest) == 1 and rest[0].kind == "content":
            self._at += 1
            return True
        if clause.titled and rest and rest[0].kind == "word":
            self._rest()
            return True
        if self._kind() != "name":
            raise _Unread
        names = self._nouns()
        clause.phrases.append(OrderPhrase(":", frozenset(names), len(clause.phrases)))
        return True

    def _free_tail(self, clause: OrderClause) -> bool:
        """ "Tell me what it costs", "remember that it is so": any words, to the end."""
        step = 1 if self._word() in ("me", "us") else 0
        if clause.verb in _TELLING and self._word(step) in words.QUESTION_WORDS:
            self._at += step + 1
            self._rest()
            return True
        if clause.verb in ("remember", "note") and self._word() == "that":
            self._at += 1
            if self._kind() == "name":
                clause.phrases.append(OrderPhrase("that", frozenset(self._nouns()), 0))
                return False
            self._rest()
            return True
        return False

    def _rest(self) -> None:
        """All that is left, which is nobody's target."""
        self._at = len(self._tokens)

    def _trailing(self) -> bool:
        step = 1 if self._kind() == "comma" and self._word(1) in words.TRAILING else 0
        if self._word(step) in words.TRAILING and not self._is_verb(step + 1):
            self._at += step + 1
            return True
        return False

    def _nouns(self, *, after_verb: bool = False) -> set[int]:
        """Nouns with commas and "and" between them; the names among them."""
        found = self._noun(after_verb=after_verb)
        while step := self._joined():
            self._at += step
            found |= self._noun()
        return found

    def _joined(self) -> int:
        """How many tokens join the next noun to the one before; 0: none does."""
        step = 1 if self._kind() == "comma" else 0
        if self._word(step) == "and":
            step += 1
        if not step or self._is_verb(step) or self._word(step) in words.LINKS | words.TRAILING:
            return 0
        if self._word(step) in words.PREPOSITIONS or self._kind(step) is None:
            return 0
        # A bare word may be a verb that we do not know.
        if not self._is_noun_for_sure(step):
            raise _Unread
        return step

    def _noun(self, *, after_verb: bool = False) -> set[int]:
        """One noun: determiners, a few words, and a name after a word such as "file"."""
        begin = self._at
        if self._word() in words.PRONOUNS and not self._goes_on(1):
            self._at += 1
            return set()
        while self._word() in words.DETERMINERS:
            self._at += 1
        bare = self._at == begin
        count = 0
        while self._is_plain_word() and (count or not bare or after_verb or not self._is_verb()):
            self._at += 1
            count += 1
        if count > _MOST_WORDS:
            raise _Unread
        if self._kind() == "name":
            if count and self._tokens[self._at - 1].text not in words.KINDS:
                raise _Unread
            name = self._tokens[self._at].start
            self._at += 1
            if self._word() in words.KINDS:
                self._at += 1
            return {name}
        if self._kind() == "content" and not count:
            self._at += 1
            return set()
        if not count:
            raise _Unread
        return set()

    def _starts_noun(self, *, after_verb: bool = False) -> bool:
        kind = self._kind()
        if kind in ("name", "content"):
            return True
        if self._word() in words.DETERMINERS | words.PRONOUNS:
            return True
        return self._is_plain_word() and (after_verb or not self._is_verb())

    def _is_noun_for_sure(self, step: int) -> bool:
        word = self._word(step)
        return (
            self._kind(step) in ("name", "content")
            or word in words.DETERMINERS | words.PRONOUNS | words.KINDS
            or self._is_capital(step)
        )

    def _goes_on(self, step: int) -> bool:
        """Whether a determiner has a noun, or stands alone as a pronoun."""
        return self._kind(step) == "name" or self._is_plain_word(step)

    def _is_plain_word(self, step: int = 0) -> bool:
        return self._kind(step) == "word" and self._word(step) not in _NO_NOUN

    def _is_verb(self, step: int = 0) -> bool:
        return self._word(step) in words.KNOWN

    def _is_determiner(self) -> bool:
        return self._word() in words.DETERMINERS

    def _is_capital(self, step: int = 0) -> bool:
        return self._at + step < len(self._tokens) and self._tokens[self._at + step].capital

    def _is_over(self) -> bool:
        return self._at >= len(self._tokens)

    def _skip(self, word: str) -> None:
        if self._word() == word:
            self._at += 1

    def _kind(self, step: int = 0) -> str | None:
        at = self._at + step
        return self._tokens[at].kind if at < len(self._tokens) else None

    def _word(self, step: int = 0) -> str:
        at = self._at + step
        known = at < len(self._tokens) and self._tokens[at].kind == "word"
        return self._tokens[at].text if known else ""


def _turns(word: str) -> bool:
    """Whether a word before a preposition takes it to itself."""
    participle = word.endswith(("ed", "ing")) and word not in words.PLAIN_NOUNS
    return participle or word in words.TURNED


def _is_at_once(verb: str) -> bool:
    """Whether a verb orders something that cannot wait for a day that is named."""
    lasting = any(verb in words.VERBS[effect] for effect in words.LASTING)
    return lasting and verb not in words.VERBS["create"] | words.VERBS["read"]
