"""Attachments kept apart: the message comes out again to the last byte, whatever was in it."""

import base64
from email import policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.mail import attachments
from bailiwick.mail.parsing import parse

pytestmark = pytest.mark.req("MAIL-01")
CONTENT = bytes(range(256)) * 200
HEAD = b"From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHi\n--b\n"
FILE = b"Content-Type: application/pdf\nContent-Disposition: attachment; filename=a.pdf\n"


def message(body: bytes, *, encoding: bytes = b"base64") -> bytes:
    """A message with one file, written by hand."""
    return HEAD + FILE + b"Content-Transfer-Encoding: " + encoding + b"\n\n" + body + b"\n--b--\n"


def written(content: bytes, width: int, end: bytes = b"\n") -> bytes:
    letters = base64.b64encode(content)
    return end.join(letters[at : at + width] for at in range(0, len(letters), width))


def again(raw: bytes) -> tuple[bytes, list[bytes]]:
    """The message made whole again, and what was apart from it."""
    rest, taken = attachments.lift(raw, parse(raw))
    assert sum(len(one.content) for one in taken) <= len(raw) - len(rest)
    whole = attachments.fill(rest, ((one.at, one.writing, one.content) for one in taken))
    return whole, [one.content for one in taken]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("width", [4, 60, 76, 1_000, 1_000_000])
def test_base64_in_lines_of_one_width_is_kept_as_what_it_holds(width: int, end: bytes):
    raw = message(written(CONTENT, width, end))
    assert again(raw) == (raw, [CONTENT])


@pytest.mark.parametrize("encoding", [b"7bit", b"8bit", b"binary", b""])
def test_what_is_not_encoded_is_kept_as_it_is(encoding: bytes):
    body = b"one,two\r\n" * 2_000
    raw = message(body, encoding=encoding)
    (whole, taken) = again(raw)
    assert whole == raw
    assert [one.rstrip() for one in taken] == [body.rstrip()]


@pytest.mark.parametrize(
    "body",
    [
        written(CONTENT, 76)[:-3],
        written(CONTENT, 76).replace(b"\n", b"\n\n", 1),
        written(CONTENT, 76).replace(b"\n", b" \n", 3),
        written(CONTENT, 75),
        b"\n" + written(CONTENT, 76),
        written(CONTENT, 76) + b"\nnot base64 any more",
        written(CONTENT[:-1], 76).replace(b"=", b""),
        b"====" * 5_000,
        b"\r\n" * 9_000,
        b"AB==" * 4_000,
    ],
)
def test_what_would_not_come_out_the_same_stays_in_the_message(body: bytes):
    raw = message(body)
    assert again(raw) == (raw, [])


def test_small_things_stay_and_so_do_more_than_anyone_sends():
    raw = message(written(b"small", 76))
    assert again(raw) == (raw, [])
    made = EmailMessage()
    made["From"] = "a@x.example"
    for number in range(attachments.MOST + 5):
        content = bytes([number]) * 7_000
        made.add_attachment(content, maintype="image", subtype="png", filename="a.png")
    whole, taken = again(made.as_bytes(policy=policy.SMTP))
    assert whole == made.as_bytes(policy=policy.SMTP)
    assert len(taken) == attachments.MOST


def test_a_large_content_is_read_and_written_in_blocks():
    content = bytes(range(251)) * 14_000
    for width in (76, 64):
        raw = message(written(content, width, b"\r\n"))
        assert again(raw) == (raw, [content])


@given(st.data())
def test_whatever_is_damaged_comes_out_as_it_came(data: st.DataObject):
    raw = bytearray(message(written(CONTENT[:9_000], data.draw(st.sampled_from([60, 76])))))
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(raw)))
        old = data.draw(st.integers(0, 3))
        raw[place : place + old] = data.draw(
            st.sampled_from([b"", b"\n", b"\r", b"\r\n", b"=", b"--b\n", b"A", b"\0", b"\n\n"])
        )
    whole, _ = again(bytes(raw))
    assert whole == bytes(raw)
