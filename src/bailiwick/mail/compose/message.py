"""A finished message, byte for byte as it is submitted.

The Message-ID is derived from the key of the call, so that it is the same however often the message
is built. Blind copies are on the envelope alone. Nothing that a caller gives can end a header's
line: such values are refused before, and again here. The header is written by hand, because the
library decodes encoded words in its input, and those may hold a line end.
"""

import hashlib
import html
import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from email.header import Header
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, quote

from bailiwick.errors import Invalid
from bailiwick.mail.compose.replies import Recipients, one_line
from bailiwick.mail.html import clean, to_text

LARGEST = 25_000_000
_ID = re.compile(r"[!-;=?-~]{1,900}")  # the part between the brackets
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,60}/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}")
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_NAME = 150
_LINE = 76
# The start of an encoded word; plain text that looks like one is encoded.
_WORD = "=?"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a message."""

    name: str
    type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is to be sent."""

    sender: str
    sender_name: str = ""
    recipients: Recipients
    subject: str
    body: str
    signature: str | None = None  # HTML or plain
    quote: str | None = None
    references: tuple[str, ...] = ()  # the last one is the parent; "" if it has none
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """A message and its envelope."""

    raw: bytes = field(repr=False)
    message_id: str  # without brackets
    recipients: tuple[str, ...]


def build(letter: Letter, *, key: str, at: datetime, is_draft: bool = False) -> Built:
    """The message to send; the same key gives the same Message-ID.

    A draft has no envelope, so it names its blind copies; the program that sends it removes them.
    """
    everyone = letter.recipients.all
    id = message_id(key, letter.sender)
    message = EmailMessage(policy=SMTP)
    _fill(message, letter)
    raw = _identity(id, letter.references) + _head(letter, at=at, is_draft=is_draft)
    raw += message.as_bytes()
    if len(raw) > LARGEST:
        raise Invalid.field(
            "attachments", f"the message would be larger than {LARGEST // 1_000_000} MB"
        )
    return Built(raw, id, everyone)


def message_id(key: str, sender: str) -> str:
    """The Message-ID for a call's key, without brackets."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    domain = sender.rpartition("@")[2]
    return f"{digest}@{domain if _ID.fullmatch(domain) else 'localhost'}"


def text_of(letter: Letter) -> str:
    """The whole text: the body, the signature and the quotation."""
    parts = [_CONTROL.sub("", letter.body).rstrip()]
    if letter.signature:
        parts.append(f"-- \n{_plain(letter.signature)}")
    if letter.quote:
        parts.append(letter.quote)
    return "\n\n".join(parts).replace("\r\n", "\n").replace("\r", "\n") + "\n"


def _fill(message: EmailMessage, letter: Letter) -> None:
    message.set_content(text_of(letter), cte="quoted-printable")
    if letter.signature and _is_html(letter.signature):
        message.add_alternative(_html_of(letter), subtype="html", cte="quoted-printable")
    for attachment in letter.attachments:
        main, _, sub = _type(attachment.type).partition("/")
        message.add_attachment(
            attachment.content, maintype=main, subtype=sub, filename=_name(attachment.name)
        )


def _html_of(letter: Letter) -> str:
    """The text as HTML, for a signature in HTML."""
    assert letter.signature
    own = _paragraph(letter.body.rstrip())
    signed = f"<div>-- <br>{clean(letter.signature, remote_images=True, inline={})}</div>"
    cited = f"<blockquote>{_paragraph(letter.quote)}</blockquote>" if letter.quote else ""
    return f"<!DOCTYPE html><html><body>{own}<br>{signed}<br>{cited}</body></html>\n"


def _paragraph(text: str) -> str:
    return f'<div style="white-space: pre-wrap">{html.escape(_CONTROL.sub("", text))}</div>'


def _identity(id: str, references: tuple[str, ...]) -> bytes:
    known = [one for one in references if _ID.fullmatch(one)]
    lines = [f"Message-ID: <{id}>"]
    if known and known[-1] == references[-1]:
        lines.append(f"In-Reply-To: <{known[-1]}>")
    if known:
        lines.append("References: " + "\r\n ".join(f"<{one}>" for one in known))
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _head(letter: Letter, *, at: datetime, is_draft: bool) -> bytes:
    """The address and subject headers, folded."""
    lines = [f"From: {_named(letter.sender, one_line(letter.sender_name))}"]
    everyone = letter.recipients.stored()
    lines += [_list(kind.title(), everyone[kind]) for kind in ("to", "cc") if everyone[kind]]
    if is_draft and everyone["bcc"]:
        lines.append(_list("Bcc", everyone["bcc"]))
    elif not (everyone["to"] or everyone["cc"] or is_draft):
        lines.append("To: undisclosed-recipients:;")
    subject = _line(letter.subject)
    charset = "us-ascii" if _is_plain(subject) else "utf-8"
    lines.append(f"Subject: {_words(subject, 'Subject', charset=charset)}")
    lines.append(f"Date: {format_datetime(at)}")
    return "".join(f"{line}\r\n" for line in lines).encode()


def _list(name: str, addresses: Iterable[str]) -> str:
    text = f"{name}: {', '.join(addresses)}"
    parts = textwrap.wrap(text, _LINE, break_long_words=False, break_on_hyphens=False)
    return "\r\n ".join(parts)


def _named(address: str, name: str) -> str:
    if not name:
        return address
    if _is_plain(name) and len(name) <= _LINE // 2:
        return f'"{quote(name)}" <{address}>'
    return f"{_words(name, 'From', charset='utf-8')}\r\n <{address}>"


def _words(text: str, name: str, *, charset: str) -> str:
    return Header(text, charset, header_name=name, maxlinelen=_LINE).encode(linesep="\r\n")


def _is_plain(text: str) -> bool:
    """Whether text can stand in a header without encoding."""
    return text.isascii() and _WORD not in text


def _line(text: str) -> str:
    if one_line(text) != text.strip():
        raise Invalid.field("subject", "must be one line without control characters")
    return text.strip()


def _plain(signature: str) -> str:
    text = to_text(signature) if _is_html(signature) else signature
    return _CONTROL.sub("", text).strip()


def _is_html(text: str) -> bool:
    return _TAG.search(text) is not None


def _type(text: str) -> str:
    """The media type, unless it would make the file a nested message."""
    plain = text.strip().lower()
    if not _TYPE.fullmatch(plain) or plain.startswith(("multipart/", "message/")):
        return "application/octet-stream"
    return plain


def _name(text: str) -> str:
    plain = one_line(text).replace(_WORD, "=_")
    name = re.split(r"[/\\]", plain)[-1].strip(" .") or "attachment"
    return name if len(name) <= _LONGEST_NAME else f"{name[:100]}{name[-50:]}"
