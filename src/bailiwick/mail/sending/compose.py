"""A finished message, byte for byte as it is handed over.

The Message-ID is made from the key of the call that asked for it, so that it is the same however
often the message is built. Blind copies are on the envelope alone. Nothing that a caller gives can
end a header's line: what could is refused before it comes here, and again here.
"""

import hashlib
import html
import re
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime

from bailiwick.errors import Invalid
from bailiwick.mail.html import clean, to_text
from bailiwick.mail.sending.replies import Recipients, one_line

LARGEST = 25_000_000
_ID = re.compile(r"[!-;=?-~]{1,250}")  # what stands between the brackets
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,60}/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}")
_TAG = re.compile(r"<[a-zA-Z/!][^>]*>")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_NAME = 150


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
    references: tuple[str, ...] = ()  # the last is the one that is answered
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """A message and its envelope."""

    raw: bytes = field(repr=False)
    message_id: str  # without brackets
    recipients: tuple[str, ...]


def build(letter: Letter, *, key: str, at: datetime) -> Built:
    """The message that is sent; the same key gives the same Message-ID."""
    everyone = letter.recipients.all
    id = message_id(key, letter.sender)
    plain = all(address.isascii() for address in (letter.sender, *everyone))
    message = EmailMessage(policy=SMTP if plain else SMTPUTF8)
    message["From"] = _address(letter.sender, one_line(letter.sender_name))
    for name, some in (("To", letter.recipients.to), ("Cc", letter.recipients.cc)):
        if some:
            message[name] = [_address(address) for address in some]
    if not (letter.recipients.to or letter.recipients.cc):
        message["To"] = "undisclosed-recipients:;"
    message["Subject"] = _line(letter.subject)
    message["Date"] = format_datetime(at)
    _fill(message, letter)
    raw = _identity(id, letter.references) + message.as_bytes()
    if len(raw) > LARGEST:
        raise Invalid.field(
            "attachments", f"the message would be larger than {LARGEST // 1_000_000} MB"
        )
    return Built(raw, id, everyone)


def message_id(key: str, sender: str) -> str:
    """The Message-ID of what a call asks for, without brackets."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    domain = sender.rpartition("@")[2]
    return f"{digest}@{domain if _ID.fullmatch(domain) else 'localhost'}"


def text_of(letter: Letter) -> str:
    """The whole text: what was written, the signature and what is quoted."""
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
    """The same as HTML, for a signature that has a form."""
    assert letter.signature
    own = _paragraph(letter.body.rstrip())
    signed = f"<div>-- <br>{clean(letter.signature, remote_images=True, inline={})}</div>"
    cited = f"<blockquote>{_paragraph(letter.quote)}</blockquote>" if letter.quote else ""
    return f"<!DOCTYPE html><html><body>{own}<br>{signed}<br>{cited}</body></html>\n"


def _paragraph(text: str) -> str:
    return f'<div style="white-space: pre-wrap">{html.escape(_CONTROL.sub("", text))}</div>'


def _identity(id: str, references: tuple[str, ...]) -> bytes:
    """Written by hand: the library takes a long id for words, and encodes it."""
    known = [one for one in references if _ID.fullmatch(one)]
    lines = [f"Message-ID: <{id}>"]
    if known:
        lines.append(f"In-Reply-To: <{known[-1]}>")
        lines.append("References: " + "\r\n ".join(f"<{one}>" for one in known))
    return "".join(f"{line}\r\n" for line in lines).encode("ascii")


def _address(address: str, name: str = "") -> Address:
    local, _, domain = address.rpartition("@")
    return Address(name, local, domain)


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
    """What it is, unless that would make a message of it."""
    plain = text.strip().lower()
    if not _TYPE.fullmatch(plain) or plain.startswith(("multipart/", "message/")):
        return "application/octet-stream"
    return plain


def _name(text: str) -> str:
    name = re.split(r"[/\\]", one_line(text))[-1].strip(" .") or "attachment"
    return name if len(name) <= _LONGEST_NAME else f"{name[:100]}{name[-50:]}"
