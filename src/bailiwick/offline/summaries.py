"""A summary by extraction: the texts' own sentences, each with where it stands."""

import re
from collections.abc import Sequence

from bailiwick.offline.extraction import gives_orders, key_sentences
from bailiwick.offline.results import heading, items, text_of
from bailiwick.offline.text import shortened
from bailiwick.offline.transcript import outcome_of
from bailiwick.offline.work import Doc

_ONE, _MANY = 6, 3
_SPEAKER = re.compile(r"^(user|assistant|tool|system): ", re.MULTILINE)
_CALLS = re.compile(r"^calls (\S.*)$", re.MULTILINE)


def summary(docs: Sequence[Doc], *, query: str = "", title: str = "") -> str:
    """The main sentences of some texts, as Markdown; empty if they say nothing."""
    parts = [part for doc in docs if (part := _part(doc, query, alone=len(docs) == 1))]
    if not parts:
        return ""
    head = f"# {title}\n\n" if title else ""
    return head + "\n\n".join(parts)


def is_talk(text: str) -> bool:
    """Whether a text is what several said, one after the other."""
    return len(_SPEAKER.findall(text)) > 1


def of_talk(text: str, *, most: int = 24) -> str:
    """A conversation in short: what was asked, what was called and what came of it."""
    parts = _SPEAKER.split(text)
    if len(parts) < 3:
        quotes = key_sentences(Doc("", text), most=12)
        return "\n".join(f"- {quote.text}" for quote in quotes)
    lines = [
        line
        for who, said in zip(parts[1::2], parts[2::2], strict=True)
        for line in _heard(who, said)
    ]
    # The beginning says what it is about, the end how it stands.
    kept = (
        lines if len(lines) <= most else [*lines[: most // 3], "- \u2026", *lines[-most * 2 // 3 :]]
    )
    return "\n".join(kept)


def _heard(who: str, said: str) -> list[str]:
    """What one of them said, in a line or a few."""
    text, calls = _CALLS.sub("", said).strip(), _CALLS.findall(said)
    made = [f"- Called {shortened(call, 200)}" for call in calls]
    if who == "tool":
        came = outcome_of(text)
        line = came.reason if not came.ok else _result(came.data) or text
        return [f"- {'Came' if came.ok else 'Refused'}: {shortened(line, 240)}"] if line else []
    if who == "user":
        return [f"- Asked: {shortened(text, 300)}"] if text else []
    quotes = key_sentences(Doc("", text), most=3)
    return [*(f"- Said: {quote.text}" for quote in quotes), *made]


def _result(data: object) -> str:
    listed = ", ".join(item.name for item in items(data)[:12])
    text = text_of(data)
    named = heading(data).get("path", "")
    quotes = " ".join(q.text for q in key_sentences(Doc("", text), most=2)) if text else ""
    return " ".join(filter(None, [named, listed, quotes]))


def _part(doc: Doc, query: str, *, alone: bool) -> str:
    quotes = key_sentences(doc, most=_ONE if alone else _MANY, query=query)
    lines = [f"- {quote.text}" for quote in quotes]
    if not lines and doc.text.strip() and not gives_orders(doc.text):
        lines = [f"- {shortened(doc.text, 200)}"]
    if not lines:
        return ""
    # A text that was handed over needs no name.
    return "\n".join([f"**{doc.name}**", *lines] if doc.name else lines)
