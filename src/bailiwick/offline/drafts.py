"""Drafts from templates, filled with what was read. Gaps are left open, never made up."""

import re
from collections.abc import Sequence
from datetime import date
from itertools import dropwhile
from typing import Literal

from bailiwick.offline import slots
from bailiwick.offline.actions import actions
from bailiwick.offline.evidence import answered
from bailiwick.offline.extraction import key_sentences, said_in
from bailiwick.offline.text import sentences, shortened
from bailiwick.offline.work import Doc

Form = Literal["reply", "minutes", "report", "letter"]

_POINT = re.compile(
    r"(?:\bsay(?:ing)?(?: to \w+)?|tell(?:ing)? (?:him|her|them|\w+)|mention(?:ing)?|"
    r"explain(?:ing)?|"
    r"stating|writ(?:e|ing)|inform(?:ing)? (?:him|her|them|\w+)|let(?:ting)? (?:him|her|them|"
    r"\w+) know|"
    r"confirm(?:ing)?|with the message|answer(?:ing)?|^(?:please )?(?:e-?mail|mail|send|"
    r"write)\b[^:]{0,60}?)\s*(?:\bthat\s+|:\s*)(?P<point>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_THANKS = re.compile(r"\bthank\b.{0,60}?\bfor\b\s+(?P<what>.+)$", re.IGNORECASE | re.DOTALL)
_DECIDED = re.compile(
    r"\b(?:decid\w+|agreed|resolved|approved|adopted|voted|settled|accepted|rejected)\b", re.I
)
_PRESENT = re.compile(
    r"^[^\w\n]*(?:present|attendees|participants|attending|in attendance)\W*:\s*(.+)$", re.I | re.M
)
_FIELD = re.compile(r"^[*> ]*[A-Z][\w -]{1,20}\**:")
_MAKES_REPORT = re.compile(
    r"\b(?:report|memo|briefing|status update|paper|overview|article|essay)\b", re.I
)


def form_of(text: str) -> Form:
    """Which kind of text is asked for."""
    if re.search(r"\b(?:minutes|protocol)\b", text, re.IGNORECASE):
        return "minutes"
    if re.search(r"\b(?:reply|replies|respond|response|answer)\b", text, re.IGNORECASE):
        return "reply"
    return "report" if _MAKES_REPORT.search(text) else "letter"


def drafted(form: Form, text: str, docs: Sequence[Doc], *, topic: str, today: date | None) -> str:
    """A draft of that kind."""
    if form == "minutes":
        return _minutes(docs, topic=topic, today=today)
    if form == "report":
        return _report(docs, topic=topic, today=today)
    return _letter(text, docs, topic=topic, is_reply=form == "reply")


def received(mail: Doc) -> str:
    """An answer that says what was asked and that more will follow: it has no gaps."""
    about = subject_of([mail], "")
    asked = questions(mail)
    lines = [
        _greeting("", [mail]),
        f"Thank you for your message{f' about {_quoted(about)}' if about else ''}.",
        *(f"You asked: {_quoted(shortened(question, 200))}" for question in asked[:2]),
        "I am looking into it and will come back to you.",
    ]
    return "\n\n".join([*lines, "Kind regards"])


def questions(mail: Doc) -> list[str]:
    """What a mail asks in its own words, and not in those that it quotes."""
    own = "\n".join(line for line in mail.text.splitlines() if not line.startswith(">"))
    return [each for each in said_in(own) if each.rstrip().endswith("?")]


def points(text: str) -> str:
    """What the person wants said, in their own words."""
    if quote := next(iter(slots.quoted(text)), ""):
        return quote
    if thanks := _THANKS.search(text):
        return f"Thank you for {_yours(thanks['what'].strip(' .'))}"
    match = _POINT.search(text)
    return match["point"].strip(" .") if match else ""


def has_gaps(text: str) -> bool:
    """Whether a draft has places that the person has to fill."""
    return bool(re.search(r"\[[^\[\]\n]+\]", text))


def without_points(text: str) -> str:
    """A request without what is to be said: it is about the rest."""
    match = _POINT.search(text)
    return text[: match.start()].strip() or text if match else text


def subject_of(docs: Sequence[Doc], topic: str) -> str:
    """What a letter is about."""
    known = next((doc.facts["subject"] for doc in docs if doc.facts.get("subject")), "")
    return known or topic


def sender_of(docs: Sequence[Doc]) -> str:
    """Who wrote the mail that is answered: the address."""
    fields = (doc.facts.get(key, "") for doc in docs for key in ("reply-to", "from", "sender"))
    return next((found[0] for field in fields if (found := slots.addresses(field))), "")


def _yours(text: str) -> str:
    return re.sub(r"\b(?:her|his|their)\b", "your", text)


def _letter(text: str, docs: Sequence[Doc], *, topic: str, is_reply: bool) -> str:
    about = subject_of(docs, topic)
    opening = "Thank you for your message" if is_reply else "I am writing to you"
    point = points(text)
    lines = [_greeting(text, docs)]
    if is_reply or (about and not point):
        lines.append(f"{opening}{f' about {_quoted(about)}' if about else ''}.")
    if point:
        lines.append(_sentence(point))
    if is_reply:
        lines += _answers(docs[:1], docs[1:], point=point)
    elif not point:
        lines += _facts(docs, topic)
    if not point and len(lines) < 3:
        lines.append("[What do you want to say?]")
    return "\n\n".join([*lines, "Kind regards"])


def _greeting(text: str, docs: Sequence[Doc]) -> str:
    sender = next(
        (doc.facts[k] for doc in docs for k in ("from", "sender") if doc.facts.get(k)), ""
    )
    name = re.sub(r"<.*?>|\(.*?\)|[\"']|\S+@\S+", "", sender).strip(" ,")
    if not name and (
        match := re.search(r"\b(?:to|for|ask|tell|thank|invite)\s+((?:[A-Z][\w'-]+\s?){1,3})", text)
    ):
        name = match[1].strip()
    return f"Dear {name}," if name else "Hello,"


def _answers(mail: Sequence[Doc], others: Sequence[Doc], *, point: str) -> list[str]:
    """Their questions: answered from what was read, or left open for the person."""
    asked = [each for doc in mail for each in said_in(doc.text) if each.rstrip().endswith("?")]
    lines: list[str] = []
    for question in asked[:4]:
        found = answered(question, others, most=1) if others else []
        if found:
            lines.append(f"You asked: {_quoted(shortened(question, 160))} {found[0].text}")
        elif not point:
            lines.append(f"[Your answer to: {_quoted(shortened(question, 160))}]")
    if not asked and not point:
        heard = [quote for doc in mail for quote in key_sentences(_body(doc), most=1)]
        lines += [f"I have taken note of what you wrote: {_quoted(quote.text)}" for quote in heard]
        lines.append("I will come back to you about it.")
    return lines


def _facts(docs: Sequence[Doc], topic: str) -> list[str]:
    quotes = [quote for doc in docs[:3] for quote in key_sentences(_body(doc), most=2, query=topic)]
    return [" ".join(quote.text for quote in quotes)] if quotes else []


def _report(docs: Sequence[Doc], *, topic: str, today: date | None) -> str:
    title = _title(topic or "Report")
    parts = [f"# {title}", *([str(today)] if today else [])]
    best = [q for doc in docs for q in key_sentences(_body(doc), most=1, query=topic)][:5]
    if best:
        parts.append("## In short\n\n" + "\n".join(f"- {quote.text}" for quote in best))
    for doc in docs:
        quotes = key_sentences(_body(doc), most=4, query=topic)
        if quotes:
            head = f"## {doc.name}\n\n" if doc.name else "## Details\n\n"
            parts.append(head + "\n".join(f"- {quote.text}" for quote in quotes))
    named = [doc.name for doc in docs if doc.name]
    if named:
        parts.append("## Sources\n\n" + "\n".join(f"- {name}" for name in named))
    return "\n\n".join(parts)


def _minutes(docs: Sequence[Doc], *, topic: str, today: date | None) -> str:
    text = "\n".join(doc.text for doc in docs)
    day = next((doc.day for doc in docs if doc.day), today)
    present = _PRESENT.search(text)
    decided = [each for each in sentences(text) if _DECIDED.search(each)]
    todo = [action.title for action in actions(text)]
    talked = [
        quote.text
        for doc in docs
        for quote in key_sentences(_body(doc), most=5)
        if quote.text not in decided
    ]
    parts = [f"# Minutes{': ' + _title(topic) if topic else ''}"]
    parts.append(
        f"Date: {day or '[date]'}\n\nPresent: {present[1].strip() if present else '[names]'}"
    )
    for head, lines in (("Discussed", talked), ("Decided", decided), ("To do", todo)):
        shown = "\n".join(f"- {shortened(line, 300)}" for line in lines) or "- [nothing found]"
        parts.append(f"## {head}\n\n{shown}")
    return "\n\n".join(parts)


def _body(doc: Doc) -> Doc:
    """Without the fields at its top."""
    lines = doc.text.splitlines()
    said = dropwhile(lambda line: not line.strip() or _FIELD.match(line), lines)
    return Doc(doc.name, "\n".join(said) or doc.text, doc.day, doc.facts)


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    made = _title(text.strip())
    return made if made[-1:] in ".!?" else f"{made}."


def _quoted(text: str) -> str:
    return f"\u201c{text.strip()}\u201d"
