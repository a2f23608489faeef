"""What a sentence asks for, by its wording; where the wording is new, by its likeness to others."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from bailiwick.llm import vectors
from bailiwick.offline import slots
from bailiwick.offline.rules import RULES, RequestKind
from bailiwick.offline.text import sentences, words


@dataclass(frozen=True, slots=True)
class RequestIntent:
    """One thing that is asked for, in the words in which it is."""

    kind: RequestKind
    text: str


_SELF = re.compile(
    r"\b(?:who|what) (?:are|can) you\b|\bhow do you work\b|\bare you (?:an? )?(?:ai|human|robot)\b|"
    r"^help\b",
    re.I,
)

_EXAMPLES: tuple[tuple[RequestKind, str], ...] = (
    (RequestKind.READ, "I would like to see the text of that document"),
    (RequestKind.LIST, "Let me know which documents are there"),
    (RequestKind.SEARCH, "Look through everything for this phrase"),
    (RequestKind.SUMMARISE, "Give me the short version of what these papers say"),
    (RequestKind.DRAFT, "Come up with a polite letter to them"),
    (RequestKind.SAVE, "Keep the result in a new text file"),
    (RequestKind.FILE_AWAY, "These new documents should go to the folders that suit them"),
    (RequestKind.ADD_TASK, "I have to do this by Friday, please keep track of it"),
    (RequestKind.FINISH_TASK, "That job is over, strike it from the list"),
    (RequestKind.REMEMBER, "From now on you should know that I prefer this"),
    (RequestKind.RECALL, "What did I say about that earlier"),
    (RequestKind.ASK, "I wonder how much it costs and when it is due"),
    (RequestKind.MOOD, "Is the writer of this letter angry or happy"),
)
_LEAST = 0.42
_MOST_CLAUSES = 60  # that are looked at

_VERBS = (
    "add answer append archive arrange ask book calculate check classify close compare complete "
    "compose condense copy create delete display draft e-mail email explain export extract fetch "
    "file find finish forget forward generate get give handle have identify inform invite judge "
    "keep let list locate look mail make mark memorise memorize move name note open organise "
    "organize pick plan postpone prepare produce propose provide put read recall record remember "
    "remind remove rename repeat reply report reschedule respond review save schedule search send "
    "set share show sort store suggest sum summarise summarize tag tell tick tidy translate turn "
    "update use write"
)
_NEXT = re.compile(
    rf"(?<!\s)(?:\s*[,;]\s*(?:and |then |and then |also )*|"
    rf"\s+(?:and then|then|and also|and|before you|after that)\s+)"
    rf"(?:please |also |afterwards |finally |then )*(?=(?:{'|'.join(_VERBS.split())})\b(?!\s+(?:of|"
    rf"is|was|are|by|from|name)\b))",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^(?:(?:hi|hello|hey|dear \w+|good morning|please|kindly|now|ok|okay|so|well|then|also|first|"
    r"next|finally|and|can you|could you|would you|will you|i(?:'d| would) like you to|"
    r"i want you to|i need you to|you should|you must|your (?:task|job) is to|be so kind as to|"
    r"help me(?: to)?|go ahead and|"
    r"let's)\b[\s,:!]*)+",
    re.IGNORECASE,
)


_NOT = re.compile(
    r"^(?:please |but |and )*(?:do not|don't|never|without|avoid|no need to|"
    r"you need not)\b(?! forget)",
    re.IGNORECASE,
)


def intents_of(text: str) -> list[RequestIntent]:
    """Everything that a text asks for, in its order."""
    found = [intent for clause in islice(_clauses(text), _MOST_CLAUSES) for intent in _of(clause)]
    known = _once([intent for intent in found if intent.kind is not RequestKind.OTHER])
    # A sentence that asks for nothing tells about the others.
    return known or found[:1]


def _once(found: list[RequestIntent]) -> list[RequestIntent]:
    """Where a file is named to save in, what was named before it is what is read."""
    saves = [
        intent for intent in found if intent.kind is RequestKind.SAVE and slots.files(intent.text)
    ]
    twice = {intent.text for intent in found if intent.kind is not RequestKind.SAVE} & {
        w.text for w in saves[:-1]
    }
    return [
        RequestIntent(intent.kind, re.sub(r"\b(?:in|to) (?=\S*\.\w)", "of ", intent.text))
        if intent.text in twice
        else intent
        for intent in found
        if not (intent.kind is RequestKind.SAVE and intent.text in twice)
    ]


def kind_of(clause: str) -> RequestKind:
    """What one clause asks for."""
    bare = _form(_POLITE.sub("", clause.strip()) or clause.strip())
    if _SELF.search(bare) and len(words(bare)) < 10:
        return RequestKind.GREET
    for kind, rule in RULES:
        if rule.search(bare):
            return kind
    return _likened(bare)


def bare(clause: str) -> str:
    """A clause without its politeness."""
    return _POLITE.sub("", clause.strip()).strip()


def _form(clause: str) -> str:
    """A clause without the names in it, whose words ask for nothing."""
    for quote in slots.quoted(clause):
        clause = clause.replace(quote, "\u2026", 1)
    for named in slots.files(clause):
        clause = clause.replace(named.path, f"x.{named.path.rpartition('.')[2]}", 1)
    return clause


def _of(clause: str) -> Iterator[RequestIntent]:
    if _NOT.search(clause):
        return
    kind = kind_of(clause)
    yield RequestIntent(kind, clause)
    makes = kind in (
        RequestKind.SUMMARISE,
        RequestKind.DRAFT,
        RequestKind.ASK,
        RequestKind.LIST,
        RequestKind.SEARCH,
        RequestKind.MOOD,
    )
    # "Write a summary of the notes to short.md" asks for two things.
    if makes and any(named.output for named in slots.files(clause)):
        yield RequestIntent(RequestKind.SAVE, clause)


def _clauses(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        held, kept = slots.quoted(sentence), sentence
        for number, quote in enumerate(held):
            kept = kept.replace(quote, f"\x00{number}\x00", 1)
        start = 0
        for cut in (*_NEXT.finditer(kept), None):
            piece = kept[start : cut.start() if cut else len(kept)]
            for number, quote in enumerate(held):
                piece = piece.replace(f"\x00{number}\x00", quote)
            if piece.strip(" ,;"):
                yield piece.strip(" ,;")
            start = cut.end() if cut else start


def _likened(clause: str) -> RequestKind:
    if len(words(clause)) < 3:
        return RequestKind.OTHER
    scores = vectors.likeness(clause, [example for _, example in _EXAMPLES])
    top = max(scores)
    return _EXAMPLES[scores.index(top)][0] if top >= _LEAST else RequestKind.OTHER
