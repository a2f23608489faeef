"""Messages made to break whoever reads them. Each would take minutes if it could."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.mail.parsing import message, parse, structure
from mail.test_parsing import MAILS

BASIC = b"From: a@example.com\r\n"
MULTIPART = BASIC + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
SAMPLES = [path.read_bytes() for path in sorted(MAILS.glob("*.eml"))]


def nested(depth: int) -> bytes:
    levels = (
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
        for level in range(depth)
    )
    return BASIC + b"".join(levels) + b"\r\nHi\r\n"


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        (nested(1_000), structure.DEEP),
        (MULTIPART + b"--b\r\n\r\nx\r\n" * 100_000, structure.MANY),
        (MULTIPART + b"\n--b" * 200_000, structure.MANY),
        (MULTIPART + b"\n--b x" * 100_000, structure.LOST),
        (BASIC + b"X: y\n" * 100_000 + b"\nx", message.LONG),
        (BASIC + b"To: a@b.c\n" * 2_000 + b"\nx", message.LONG),
        (BASIC + b"Subject: " + b"x" * 300_000 + b"\r\n\r\nx", message.LONG),
        (BASIC + b"\r\n" + b"word " * 400_000, message.CUT),
    ],
)
def test_what_is_beyond_bounds_is_cut_and_marked(raw: bytes, fault: str):
    read = parse(raw)
    assert read.fault == fault
    assert len(read.parts) <= structure.MOST_PARTS
    assert len(read.text) <= 1_000_000


@pytest.mark.req("MAIL-07")
@pytest.mark.parametrize(
    "raw",
    [
        b"Content-Type: message/rfc822\n\n" * 50_000,
        b"From: " + b"(" * 200_000 + b"\n\nx",
        b"From: " + b'"\\' * 100_000 + b"\n\nx",
        b"From: " + b'"' * 200_001 + b"\n\nx",
        b"From: " + b"<" * 200_000 + b"\n\nx",
        BASIC + b"To: " + b"@" * 200_000 + b"\n\nx",
        BASIC + b"To: " + b"a@b.c," * 40_000 + b"\n\nx",
        BASIC + b"Subject: " + b"=?utf-8?q?a?= " * 15_000 + b"\n\nx",
        BASIC + b"Subject: " + b"=?" * 100_000 + b"\n\nx",
        BASIC + b"Content-Type: text/plain" + b";a*0*=b" * 20_000 + b"\n\nx",
        BASIC + b'Content-Type: text/plain;a="' + b"\\" * 20_000 + b"\n\nx",
        BASIC + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 300_000,
        BASIC + b"Content-Type: text/html\n\n" + b"<div>" * 300_000,
        BASIC + b"Content-Type: text/html\n\n<p " + b"a=1 " * 300_000 + b">",
        BASIC + b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 100_000 + b"\xff",
        BASIC + b"Content-Type: text/plain; charset=idna\n\n" + b"\xff." * 100_000,
    ],
)
def test_a_bomb_does_not_go_off(raw: bytes):
    assert message.UNREADABLE not in (parse(raw).fault or "")


@pytest.mark.req("MAIL-07")
def test_codecs_that_are_no_character_sets_are_not_used():
    for charset in (b"unicode_escape", b"rot13", b"zlib", b"idna", b"undefined", b"../x"):
        head = BASIC + b"Content-Type: text/plain; charset=" + charset
        assert parse(head + b"\r\n\r\n\\x41 caf\xc3\xa9").text == "\\x41 café"


def check(raw: bytes) -> None:
    """Nothing fails, and every database takes the text."""
    read = parse(raw)
    assert read.fault != message.UNREADABLE
    names = [read.subject, read.sender.name, *(part.name for part in read.parts)]
    for text in (*names, read.text, read.snippet, read.html, read.message_id):
        text.encode()
        assert "\x00" not in text
    for text in names:
        assert "\n" not in text
        assert "\r" not in text
    for part in read.parts:
        part.content()
        assert part.name
        assert "/" not in part.name
    assert len(read.snippet) <= 200


@pytest.mark.req("MAIL-07")
@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_can_be_read(raw: bytes):
    check(raw)


@pytest.mark.req("MAIL-07")
@settings(max_examples=100)
@given(
    st.sampled_from(SAMPLES),
    st.integers(0, 4_000),
    st.integers(0, 60),
    st.one_of(
        st.binary(max_size=30),
        st.sampled_from(
            [b"\x00", b"=?", b"?=", b"\r", b"\n\n", b"--", b'"', b"(", b"=", b"\xed\xa0\x80"]
        ),
    ),
)
def test_a_damaged_mail_can_be_read(sample: bytes, at: int, gone: int, put: bytes):
    at = at % (len(sample) + 1)
    check(sample[:at] + put + sample[at + gone :])
