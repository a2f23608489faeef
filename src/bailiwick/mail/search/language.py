"""The language of queries: what a person types, as a tree.

    from:anna (invoice OR "final reminder") -draft has:attachment after:2026-03 is:unread

Every fault names the word and where it stands; nothing is guessed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

from bailiwick.errors import Invalid
from bailiwick.kit.db.fulltext import folded

LONGEST = 500
_MOST_TERMS = 40
_DEEPEST = 10
Column = Literal["seen", "flagged", "answered", "draft"]
Thing = Literal["in", "label", "account"]

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<open>\() | (?P<close>\)) |
        (?P<minus>-(?=[^\s)])) |
        (?P<term>(?:(?P<field>[A-Za-z]+):(?!//))?(?:"(?P<quoted>[^"]*)(?P<end>"?)|(?P<word>[^\s()"]+))?)
    )""",
    re.VERBOSE,
)
_FIELDS: dict[str, tuple[str, ...]] = {
    "from": ("sender",),
    "to": ("recipients", "cc"),
    "cc": ("cc",),
    "subject": ("subject",),
}
_THINGS: tuple[Thing, ...] = ("in", "label", "account")
_STATES: dict[str, tuple[Column, bool]] = {
    "unread": ("seen", False),
    "read": ("seen", True),
    "flagged": ("flagged", True),
    "starred": ("flagged", True),
    "answered": ("answered", True),
    "draft": ("draft", True),
}
_KNOWN = (*_FIELDS, "before", "after", "has", *_THINGS, "is")
_AGO = re.compile(r"(\d{1,4})([dwmy])")
_FIRST_DAY, _MOST_DAYS = date(1970, 1, 1), 20_000
_DAYS = {"d": 1, "w": 7, "m": 30, "y": 365}


@dataclass(frozen=True, slots=True)
class Text:
    """Words in sequence."""

    words: str
    fields: tuple[str, ...] = ()
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class HasState:
    """A flag such as read or flagged."""

    column: Column
    value: bool


@dataclass(frozen=True, slots=True)
class HasAttachment:
    """The mail has an attachment."""


@dataclass(frozen=True, slots=True)
class Since:
    """Received at or after this moment."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class Until:
    """Received before this moment."""

    moment: datetime


@dataclass(frozen=True, slots=True)
class InField:
    """In a folder, with a label or of an account, by the user's name for it."""

    thing: Thing
    name: str
    position: int


@dataclass(frozen=True, slots=True)
class Not:
    """Mails that this does not match."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class All:
    """Mails that all of these match."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Any:
    """Mails that any of these matches."""

    parts: "tuple[Node, ...]"


Node = Text | HasState | HasAttachment | Since | Until | InField | Not | All | Any


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["open", "close", "minus", "or", "term"]
    position: int
    field: str = ""
    value: str = ""
    quoted: bool = False
    shown: str = ""


def parse(query: str, *, now: datetime) -> Node:
    """The tree of a query; days are in the time zone of `now`."""
    if len(query) > LONGEST:
        raise Invalid.field("q", f"is longer than {LONGEST} characters")
    tokens = _tokens(query)
    if not tokens:
        raise Invalid.field("q", "is empty: say what to look for")
    if sum(token.kind == "term" for token in tokens) > _MOST_TERMS:
        raise Invalid.field("q", f"has more than {_MOST_TERMS} words")
    return _Parser(tokens, now).whole()


def fault(word: str, position: int, why: str) -> Invalid:
    """The error for a word that cannot be understood."""
    return Invalid.field("q", f"“{word[:60]}” at character {position} {why}")


def _tokens(query: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    while query[at:].strip():
        seen = _TOKEN.match(query, at)
        if (
            seen is None or seen.end() == at
        ):  # pragma: no cover  (the pattern takes every character)
            raise fault(query[at], at + 1, "cannot be understood")
        token = _token(seen)
        if not _is_joining(token):
            found.append(token)
        at = seen.end()
    return found


def _token(seen: re.Match[str]) -> _Token:
    for kind in ("open", "close", "minus"):
        if seen[kind]:
            return _Token(kind, seen.start(kind) + 1, shown=seen[kind])
    position, shown = seen.start("term") + 1, seen["term"]
    if shown == "OR":
        return _Token("or", position, shown=shown)
    if shown == "NOT":
        return _Token("minus", position, shown=shown)
    if seen["quoted"] is not None and not seen["end"]:
        raise fault(shown, position, 'has no closing "')
    value = seen["quoted"] if seen["quoted"] is not None else seen["word"] or ""
    field = (seen["field"] or "").lower()
    return _Token("term", position, field, value, quoted=seen["quoted"] is not None, shown=shown)


def _is_joining(token: _Token) -> bool:
    """Whether a token only joins words, as "and" does, or is a lone sign."""
    if token.kind != "term" or token.field or token.quoted:
        return False
    return token.shown == "AND" or not folded(token.value)


class _Parser:
    def __init__(self, tokens: list[_Token], now: datetime) -> None:
        self._tokens = tokens
        self._now = now
        self._next = 0
        self._depth = 0

    def whole(self) -> Node:
        made = self._either()
        if (token := self._peek()) is not None:
            raise fault(token.shown, token.position, "closes nothing")
        return made

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _either(self) -> Node:
        parts = [self._each()]
        while (token := self._peek()) and token.kind == "or":
            self._next += 1
            parts.append(self._each(after=token))
        return parts[0] if len(parts) == 1 else Any(tuple(parts))

    def _each(self, *, after: _Token | None = None) -> Node:
        parts: list[Node] = []
        while (token := self._peek()) and token.kind not in ("or", "close"):
            parts.append(self._one(token))
        if not parts:
            token = after or self._peek() or self._tokens[-1]
            raise fault(token.shown, token.position, "needs a word on both sides or inside")
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _one(self, token: _Token) -> Node:
        self._next += 1
        if token.kind == "minus":
            following = self._peek()
            if following is None or following.kind in ("or", "close"):
                raise fault(token.shown, token.position, "needs a word behind it")
            return Not(self._one(following))
        if token.kind == "open":
            return self._group(token)
        return self._term(token)

    def _group(self, opening: _Token) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise fault("(", opening.position, f"is the {_DEEPEST + 1}th within another")
        made = self._either()
        if self._peek() is None:
            raise fault("(", opening.position, "is never closed")
        self._next += 1
        self._depth -= 1
        return made

    def _term(self, token: _Token) -> Node:
        if not token.field:
            return _text(token)
        if token.field not in _KNOWN:
            known = ", ".join(f"{name}:" for name in _KNOWN)
            raise fault(
                f"{token.field}:",
                token.position,
                f"is nothing to look in; there are {known}. In quotes it is searched as it is.",
            )
        if not token.value.strip():
            raise fault(f"{token.field}:", token.position, "needs a word right behind it")
        return self._fielded(token)

    def _fielded(self, token: _Token) -> Node:
        if token.field in _FIELDS:
            return _text(token, _FIELDS[token.field])
        for thing in _THINGS:
            if token.field == thing:
                return InField(thing, token.value.strip(), token.position)
        if token.field == "is":
            return _state(token)
        if token.field == "has":
            return _attached(token)
        made: Callable[[datetime], Node] = Since if token.field == "after" else Until
        return made(self._moment(token))

    def _moment(self, token: _Token) -> datetime:
        """The beginning of a day, month or year; or a time ago."""
        word, today = token.value.lower(), self._now.date()
        if word in ("today", "yesterday"):
            return self._midnight(today - timedelta(days=word == "yesterday"))
        if ago := _AGO.fullmatch(word):
            days = min(int(ago[1]) * _DAYS[ago[2]], _MOST_DAYS)
            return self._now - timedelta(days=days)
        for full in (word, f"{word}-01", f"{word}-01-01"):
            try:
                return self._midnight(date.fromisoformat(full) if len(full) == 10 else None)
            except ValueError:
                continue
        raise fault(
            token.shown, token.position, "is no date; write 2026-03-31, 2026-03, 7d or yesterday"
        )

    def _midnight(self, day: date | None) -> datetime:
        if day is None:
            raise ValueError("no day")
        return datetime.combine(max(day, _FIRST_DAY), time(), self._now.tzinfo)


def _text(token: _Token, fields: tuple[str, ...] = ()) -> Text:
    if not folded(token.value):
        raise fault(token.shown, token.position, "holds no letter or digit to look for")
    prefix = not token.quoted and token.value.endswith("*")
    return Text(token.value, fields, prefix)


def _state(token: _Token) -> HasState:
    if token.value.lower() not in _STATES:
        known = ", ".join(_STATES)
        raise fault(token.shown, token.position, f"is not known; there are {known}")
    return HasState(*_STATES[token.value.lower()])


def _attached(token: _Token) -> HasAttachment:
    if token.value.lower() not in ("attachment", "attachments"):
        raise fault(token.shown, token.position, "is not known; there is has:attachment")
    return HasAttachment()
