"""Messages as they are in the world: what they say is found, and nothing makes reading fail."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bailiwick.mail.parsing import Address, Parsed, parse

MAILS = Path(__file__).parents[1] / "support" / "mails"


def mail(name: str) -> Parsed:
    return parse((MAILS / f"{name}.eml").read_bytes())


def said(*lines: str) -> Parsed:
    """A message with these header lines."""
    return parse("\r\n".join([*lines, "", "Hi"]).encode())


@pytest.mark.req("MAIL-05")
def test_headers_text_html_and_attachments_of_an_ordinary_mail_are_kept():
    read = mail("ordinary")
    assert read.subject == "Rechnung für Juli — bitte"
    assert read.sender == Address("Anna Müller", "Anna@example.org")
    assert read.to == (("Olive Owner", "olive@olive.example"), ("Bean, Bob", "bob@example.com"))
    assert read.cc == (("", "carl@example.com"), ("Dora", "dora@example.com"))
    assert read.reply_to == (("", "anna+office@example.org"),)
    assert (read.message_id, read.in_reply_to) == ("abc.1@example.org", "first@olive.example")
    assert read.references == ("first@olive.example", "second@example.org")
    assert read.sent_at == datetime(2026, 7, 6, 8, tzinfo=UTC)
    assert read.text.startswith("Grüße, hier ist die Rechnung.")
    assert read.snippet == "Grüße, hier ist die Rechnung. Sie ist bald fällig."
    assert "<b>Rechnung</b>" in read.html
    assert [(part.number, part.name, part.type, part.inline) for part in read.parts] == [
        ("1.2", "logo.png", "image/png", True),
        ("2", "Rechnung für Juli.pdf", "application/pdf", False),
        ("3", "part-3.ics", "text/calendar", False),
        ("4", "part-4.eml", "message/rfc822", False),
    ]
    logo, paper, *_ = read.parts
    assert logo.content_id == "logo@example.org"
    assert paper.content().startswith(b"%PDF-1.4")
    assert paper.size == len(paper.content())
    assert "Inner text" not in read.text
    assert (read.fault, read.hidden) == (None, False)


@pytest.mark.req("MAIL-05")
def test_text_of_html_is_what_a_person_reads_and_hidden_text_is_noted():
    read = mail("html_only")
    assert read.text == (
        "Big offer\n\nLine one\nline two & more\n\n- first\n- second\n\nPrice 12 €"
    )
    assert read.hidden


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize(
    ("name", "subject", "text"),
    [
        ("lone_cr", "Old Mac", "Line one\nLine two"),
        ("mixed_line_ends", "Mixed", "One\nTwo\nThree"),
        ("eight_bit_header", "Grüße", "Schön € 5"),
        ("utf8_header", "Grüße 😀", "UTF-8 für alle"),
        ("unknown_charset", "Café", "Café"),
        ("japanese", "請求書", "お支払い"),
        ("utf7", "Seven", "Hi é"),
        ("nul_bytes", "a b", "OneTwo[31m"),
        ("flowed", "Flowed", "This line goes on here.\n> A quote that goes on.\n-- \nSignature"),
        ("broken_quoted_printable", "QP", "Half \ufffd and =ZZ and endé"),
        ("broken_base64", "B64", "Hello world!!"),
        ("mbox_line", "Box", "Hi"),
        ("two_senders", "Which one", "Hi"),
        ("smuggled_header", "Hello Bcc: mallory@evil.example", "Hi"),
        (
            "boundary_in_boundary",
            "Nested",
            "Plain here, and\n--b is not a boundary\n\nFooter",
        ),
        ("no_last_boundary", "Cut", "Hello"),
    ],
)
def test_broken_mail_is_read_as_it_was_meant(name: str, subject: str, text: str):
    read = mail(name)
    assert (read.subject, read.text) == (subject, text)


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("empty", "It is empty."),
        ("no_headers", "It does not say who sent it."),
        ("two_senders", "It names more than one sender."),
        ("no_boundary", "It says that it has several parts, but they cannot be told apart."),
    ],
)
def test_what_cannot_be_mended_is_marked(name: str, fault: str):
    assert mail(name).fault == fault


@pytest.mark.req("MAIL-05")
def test_uuencoded_and_cut_off_attachments_are_decoded():
    assert [part.content() for part in mail("uuencoded").parts] == [b"hello"]
    assert [part.content() for part in mail("no_last_boundary").parts] == [b"%PDF-"]


@pytest.mark.req("MAIL-05")
def test_names_of_attachments_lead_nowhere_and_show_their_ending():
    assert [part.name for part in mail("bad_names").attachments] == [
        "passwd",
        "evil.exe",
        "invoicefdp.exe",
        "_con.txt",
        "Fwd_ hello.eml",
        "winmail.dat",
    ]
    long = f'Content-Disposition: attachment; filename="{"ä" * 300}.pdf"'
    (part,) = said("From: a@example.com", long).parts
    assert len(part.name.encode()) <= 150
    assert part.name.endswith("ä.pdf")


@pytest.mark.req("GATE-16", "MAIL-05")
def test_letters_that_nobody_sees_are_left_out_and_noted():
    read = mail("whispers")
    assert read.hidden
    assert "keys" not in "".join(chr(ord(letter) & 0x7F) for letter in read.text)
    assert "\U0001f3f4\U000e0067\U000e0062" in read.text, "a flag is no whisper"
    assert read.text.endswith("Zoë")


@pytest.mark.req("GATE-16")
@pytest.mark.parametrize(
    ("header", "address", "count"),
    [
        ('"anna@example.org" <mallory@evil.example>', "mallory@evil.example", 1),
        ("(anna@example.org) mallory@evil.example", "mallory@evil.example", 1),
        ("mallory@evil.example (<anna@example.org>)", "mallory@evil.example", 1),
        ("=?utf-8?q?anna=40example.org=3E?= <mallory@evil.example>", "mallory@evil.example", 1),
        ('"Anna" <"mallory <anna@example.org>"@evil.example>', "", 1),
        ("anna@example.org <mallory@evil.example>", "mallory@evil.example", 2),
        ("<anna@example.org> <mallory@evil.example>", "anna@example.org", 2),
        ("anna@example.org, mallory@evil.example", "anna@example.org", 2),
        ("anna@example.org\x00, mallory@evil.example", "mallory@evil.example", 2),
        ("anna@example.org <anna@example.org>", "anna@example.org", 1),
        ("<@relay.example:anna@example.org>", "anna@example.org", 2),
        ("Anna at home", "", 1),
    ],
)
def test_the_sender_is_the_address_and_doubt_is_counted(header: str, address: str, count: int):
    read = said(f"From: {header}")
    assert (read.sender.address, read.senders) == (address, count)


@pytest.mark.req("MAIL-05")
@pytest.mark.parametrize(
    ("date", "sent"),
    [
        ("Mon, 06 Jul 2026 10:00:00 +0200", "2026-07-06T08:00:00+00:00"),
        ("6 Jul 26 10:00 GMT", "2026-07-06T10:00:00+00:00"),
        ("Mon, 06 Jul 2026 10:00:00", "2026-07-06T10:00:00+00:00"),
        ("Mon, 06 Jul 2026 10:00:00 -0000", "2026-07-06T10:00:00+00:00"),
        ("Thu, 01 Jan 1970 00:00:00 +0000", None),
        ("Mon, 06 Jul 2099 10:00:00 +0200", None),
        ("Mon, 06 Jul 2026 10:00:00 +9999", None),
        ("yesterday", None),
        ("99 Foo 99999999999999 99:99:99 +99999", None),
    ],
)
def test_a_date_is_taken_only_if_it_makes_sense(date: str, sent: str | None):
    read = said("From: a@example.com", f"Date: {date}")
    assert (read.sent_at and read.sent_at.isoformat()) == sent


@pytest.mark.req("MAIL-05")
def test_an_answer_that_a_program_wrote_is_told_apart():
    assert mail("bounce").automatic
    assert not said("From: a@example.com", "Auto-Submitted: no").automatic
    assert [part.name for part in mail("bounce").parts] == ["part-2.txt", "part-3.eml"]


@pytest.mark.req("MAIL-05")
def test_of_many_references_the_first_and_the_latest_are_kept():
    header = "References: " + " ".join(f"<{number}@example.com>" for number in range(300))
    found = said("From: a@example.com", header).references
    assert len(found) == 100
    assert (found[0], found[1], found[-1]) == (
        "0@example.com",
        "201@example.com",
        "299@example.com",
    )
