"""Whatever strangers write, reading twice as much of it is about twice the work.

Each text is doubled until it is 64 kB long. The work is the processor's time for it, to which
others on the machine do not add. What grows with the square does 64 times as much for eight times
the text; 24 times is the most that passes. Whoever writes a function that takes a stranger's text
adds it to the list.
"""

import time
from collections.abc import Callable
from datetime import date
from itertools import count

import pytest

from bailiwick.connectors import heads
from bailiwick.errors import Invalid
from bailiwick.gate.redactions.kinds import KINDS
from bailiwick.gate.redactions.redactor import PatternFinder, Redactor
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.grounding import OwnerWords
from bailiwick.gate.trust.orders import BETWEEN
from bailiwick.gate.trust.typed import typed
from bailiwick.kit import logs
from bailiwick.kit.db import fulltext
from bailiwick.kit.patterns import Pattern
from bailiwick.mail import authentication, html
from bailiwick.mail.contacts import vcards
from bailiwick.mail.parsing import parse
from bailiwick.mail.search.language import Text
from bailiwick.mail.search.snippets import Marker
from bailiwick.offline import days, drafts, mood, request, slots
from bailiwick.offline.actions import actions
from bailiwick.offline.evidence import answered
from bailiwick.offline.intents import intents_of
from bailiwick.offline.plans.material import headers
from bailiwick.offline.summaries import summary
from bailiwick.offline.text import sentences
from bailiwick.offline.work import Doc
from bailiwick.tools.tool import TargetKind

Reader = Callable[[str], object]
SMALLEST, LARGEST = 2_000, 64_000
TIMES, MOST_TIMES = 8, 24
LITTLE = 0.003  # seconds: less says nothing
ATTEMPTS = 4

REDACTOR = Redactor(
    [
        PatternFinder(kind.id, Pattern(pattern), measure, b"[X]")
        for kind in KINDS
        for pattern, measure in kind.patterns
    ]
)


def in_mail(before: str, after: str = "\n\nx") -> Reader:
    return lambda text: parse(f"{before}{text}{after}".encode("utf-8", "replace"))


def in_card(before: str) -> Reader:
    def read(text: str) -> object:
        card = f"BEGIN:VCARD\nVERSION:4.0\n{before}{text}\nEND:VCARD\n"
        try:
            return vcards.read(card.encode("utf-8", "replace"))
        except Invalid:
            return None

    return read


def trace(name: str, before: str) -> Reader:
    return lambda text: authentication.dmarc(
        [(name, before + text)], "client.example", authserv_id="mx.example"
    )


TODAY = date(2026, 3, 12)
TARGETS: tuple[tuple[TargetKind, str], ...] = (
    ("file", "Files/a.md"),
    ("file", "Lab/a/a.md"),
    ("folder", "Files/a"),
    ("address", "a@b.c"),
    ("url", "http://a"),
    ("name", "a b"),
)
NUMBERS = count()


def ordered(text: str) -> object:
    """Messages of a length at which they are still read; none is known from before."""
    said = [text[start : start + 3_000] for start in range(0, len(text), 3_000)]
    words = OwnerWords(BETWEEN.join([f"Read {next(NUMBERS)}.md", *said]))
    return [words.order_of("delete", *target) for target in TARGETS]


def pasted(text: str) -> object:
    return typed(text, [(at, at + 2) for at in range(0, len(text), 3)])


def drafted(form: drafts.Form) -> Reader:
    return lambda text: drafts.drafted(form, "x", [Doc("a", text)], topic="b", today=TODAY)


READERS: dict[str, Reader] = {
    "a whole mail": in_mail("", ""),
    "From": in_mail("From: "),
    "To": in_mail("To: "),
    "Subject": in_mail("Subject: "),
    "References": in_mail("References: "),
    "Message-ID": in_mail("Message-ID: "),
    "Date": in_mail("Date: "),
    "Content-Type": in_mail("Content-Type: text/plain; "),
    "Content-Disposition": in_mail("Content-Disposition: attachment; filename="),
    "a text": in_mail("From: a@b.c\n\n", ""),
    "flowed text": in_mail("Content-Type: text/plain; format=flowed\n\n", ""),
    "quoted-printable": in_mail("Content-Transfer-Encoding: quoted-printable\n\n", ""),
    "base64": in_mail("Content-Transfer-Encoding: base64\n\n", ""),
    "uuencode": in_mail("Content-Transfer-Encoding: uuencode\n\nbegin 644 a\n", ""),
    "UTF-7": in_mail("Content-Type: text/plain; charset=utf-7\n\n", ""),
    "parts": in_mail("Content-Type: multipart/mixed; boundary=b\n\n", ""),
    "a page as text": html.read,
    "a page to be shown": html.clean,
    "a style": lambda text: html.clean(f"<p style='{text}'>x"),
    "Received": trace("received", "by "),
    "Authentication-Results": trace("authentication-results", "mx.example; dmarc=pass "),
    "an address book": in_card(""),
    "a name in an address book": in_card("N:"),
    "redaction": REDACTOR.text,
    "what a text mentions": lambda text: list(grounding.mentions(text)),
    "a line of the log": logs.mask,
    "words for the index": fulltext.folded,
    "the Message-ID of a message in a mailbox": lambda text: heads.message_id(text.encode()),
    "a typed message": lambda text: typed(text, None),
    "a message with pasted words": pasted,
    "orders": ordered,
    "an order of any length": lambda text: OwnerWords(f"{next(NUMBERS)} {text}").order("delete"),
    "sentences": sentences,
    "what is asked": lambda text: intents_of(request.split(text).asked),
    "files that a request names": slots.files,
    "folders that a request names": slots.folders,
    "words in quotes": slots.quoted,
    "addresses in a text": slots.addresses,
    "numbers in a text": slots.numbers,
    "links in a text": slots.links,
    "a time of day": slots.clock,
    "days in a text": lambda text: days.mentioned(text, TODAY),
    "fields at the top of a text": headers,
    "what is to be done": lambda text: actions(text, TODAY),
    "a summary": lambda text: summary([Doc("a", text)], query="b"),
    "the answer to a question": lambda text: answered("When is it due?", [Doc("a", text)]),
    "a mood": mood.judged,
    "minutes": drafted("minutes"),
    "a reply": drafted("reply"),
    "gaps in a draft": drafts.has_gaps,
    "a snippet": lambda text: Marker(Text("a b"), field="body").snippet(text, ""),
}

UNITS = (
    *("a", "a.", "a@", "@", "a@b.c,", "(", "(a)", ")", "<", "<>", "<a@b.c>", '"', '"a" ', "\\"),
    *("=?", "=?utf-8?q?a?= ", "=?a?q?", " ", "\n", "\r", "\r--b", "\n--b", "\n--b\n", "> ", ","),
    *(";", ":", "[", "1", "1 ", "4111 ", "+1", "-", "/", "://a:", "http://a ", "a b ", "A. B "),
    *("\u00ad", "é", "の", "\U000e0041", "\ufe0f", "<div>", "<p>", "<b", "</b>", "<b><p>", "<!--"),
    *("<option>", "<table>", "<style>", "&", "&amp;", "%41", "=41", "=\n", "' ", "url(", "rgb("),
    *(
        "x:y;",
        "below ",
        "a=1;",
        "a*0=1;",
        ";a*1*=",
        "a. ",
        "a\n",
        "a: b\n",
        "Dr. ",
        "-----BEGIN PRIVATE KEY-----",
        "1-",
        "\u201c",
        "a.md ",
        '"a.md" ',
        "- [ ] a\n",
        "a/",
        "in Lab ",
    ),
)
WHOLE: dict[str, Callable[[int], str]] = {
    "elements left open": lambda size: (
        "<p>"
        + "".join(f"<b a={number}>" for number in range(size // 40))
        + "</p>"
        + "<p>x" * (size // 8)
    ),
    "choices": lambda size: "<select>" + "<option>" * (size // 8),
    "deep parts": lambda size: "\n".join(
        f"--b{number - 1}\nContent-Type: multipart/mixed; boundary=b{number}\n"
        for number in range(size // 50)
    ),
}


def work(read: Reader, text: str) -> float:
    started = time.thread_time()
    read(text)
    return time.thread_time() - started


def grows(read: Reader, make: Callable[[int], str]) -> bool:
    """Whether the work grows with more than the text."""
    spent: dict[int, float] = {}
    size = SMALLEST
    while size <= LARGEST:
        spent[size] = work(read, make(size))
        before = spent.get(size // TIMES)
        if before is not None and spent[size] > MOST_TIMES * max(before, LITTLE):
            return True
        size *= 2
    return False


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize("reader", READERS)
def test_twice_the_text_is_about_twice_the_work(reader: str):
    read = READERS[reader]
    shapes: dict[str, Callable[[int], str]] = dict(WHOLE)
    for unit in UNITS:
        shapes[unit] = lambda size, unit=unit: unit * (size // len(unit))
        shapes[f"{unit} between"] = lambda size, unit=unit: f"x {unit * (size // len(unit))} y!"
    # Memory is tidied at moments of its own: what looks too much is tried again.
    guilty = [
        shape for shape, make in shapes.items() if all(grows(read, make) for _ in range(ATTEMPTS))
    ]
    assert not guilty
