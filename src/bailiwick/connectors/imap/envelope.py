"""The SMTP envelope of a message, and its form on the wire.

Invariant: nothing in a message or an address can act as a command, and no copy has a Bcc header.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bailiwick.connectors.errors import SubmissionFailed
from bailiwick.connectors.imap import faults
from bailiwick.connectors.mail import OutgoingMessage

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BCC = re.compile(rb"(?im)^bcc:.*\r\n(?:[ \t].*\r\n)*")
_ADDRESS = re.compile(r"[^\s<>,;:\\\"()\[\]@\x00-\x1f\x7f]+@[^\s<>,;:\\\"()@\x00-\x1f\x7f]+\Z")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The sender, recipients and needed extensions of a message."""

    sender: str
    recipients: Sequence[str]
    body: bytes
    is_8bit: bool
    is_utf8: bool  # an address or a header has characters beyond ASCII


def mail_from(envelope: Envelope, offers: Mapping[str, str]) -> bytes:
    """The MAIL FROM command; `SubmissionFailed` if the server lacks an extension it needs."""
    line = f"MAIL FROM:<{mailbox(envelope.sender, envelope)}>"
    if "SIZE" in offers:
        largest = offers["SIZE"].strip()
        if largest.isdigit() and 0 < int(largest) < len(envelope.body):
            size, most = len(envelope.body) // 1_000_000, int(largest) // 1_000_000
            raise _impossible(f"The message has {size} MB; this server takes {most} MB at most.")
        line += f" SIZE={len(envelope.body)}"
    if envelope.is_8bit:
        if "8BITMIME" not in offers:
            raise _impossible("The message has letters in it that this server does not take.")
        line += " BODY=8BITMIME"
    if envelope.is_utf8:
        if "SMTPUTF8" not in offers:
            raise _impossible(
                "An address or a header of the message has letters in it that this server does "
                "not take (SMTPUTF8)."
            )
        line += " SMTPUTF8"
    return line.encode()


def checked(message: OutgoingMessage) -> Envelope:
    """The envelope and the message on the wire, both free of injected commands."""
    if not message.recipients:
        raise _impossible("The message has no recipients.")
    for address in (message.sender, *message.recipients):
        if not _ADDRESS.match(address):
            raise _impossible(f"{faults.quoted(address)!r} is no address that mail can go to.")
    head, gap, text = _LINE_END.sub(b"\r\n", message.raw).partition(b"\r\n\r\n")
    head = _BCC.sub(b"", head + b"\r\n")
    raw = head + (b"\r\n" + text if gap else b"")
    raw = raw if raw.endswith(b"\r\n") else raw + b"\r\n"
    locals_ = [each.rpartition("@")[0] for each in (message.sender, *message.recipients)]
    return Envelope(
        sender=message.sender,
        recipients=tuple(dict.fromkeys(message.recipients)),
        body=re.sub(rb"(?m)^\.", b"..", raw),
        is_8bit=not raw.isascii(),
        is_utf8=not head.isascii() or not "".join(locals_).isascii(),
    )


def mailbox(address: str, envelope: Envelope) -> str:
    """An address for the wire; its domain is in ASCII unless the server takes UTF-8."""
    if envelope.is_utf8 or address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    try:
        return f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:
        raise _impossible(
            f"{faults.quoted(address)!r} is no address that mail can go to."
        ) from None


def _impossible(detail: str) -> SubmissionFailed:
    return SubmissionFailed("other", detail, sent="no", permanent=True)
