"""The fields of a mail as text for filters, the same at intake as later."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from bailiwick.mail.models import MailMessage

FieldName = Literal["From", "To", "CC", "BCC", "Subject", "Body", "Date"]
# The part of a body that is matched: a long one must not delay other mail.
BODY_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Fields:
    """A mail as filters see it."""

    sender: str = ""
    to: str = ""
    cc: str = ""
    bcc: str = ""
    subject: str = ""
    body: str = ""
    date: str = ""
    account_id: str = ""


# In the order in which they are matched; the body, being long, last.
ATTRIBUTES: Mapping[FieldName, str] = {
    "From": "sender",
    "To": "to",
    "CC": "cc",
    "BCC": "bcc",
    "Subject": "subject",
    "Date": "date",
    "Body": "body",
}


def of(message: MailMessage, *, zone: str) -> Fields:
    """The fields of a mail, with its date in the given time zone."""
    people: Mapping[str, Any] = message.recipients
    return Fields(
        sender=_named(message.sender_name, message.sender_address),
        to=_all(people.get("to", ())),
        cc=_all(people.get("cc", ())),
        bcc=_all(people.get("bcc", ())),
        subject=message.subject,
        body=message.text,
        date=date_text(message.date_at, zone),
        account_id=message.account_id,
    )


def date_text(moment: datetime, zone: str) -> str:
    """A date as patterns see it: `2026-03-31 Tuesday 14:05`, in any locale."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%Y-%m-%d} {_DAYS[local.weekday()]} {local:%H:%M}"


def data_of(fields: Fields, name: FieldName) -> bytes:
    """The bytes that patterns run on."""
    text: str = getattr(fields, ATTRIBUTES[name])
    return text[:BODY_BYTES].encode(errors="replace")[:BODY_BYTES]


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _all(pairs: Sequence[Sequence[str]]) -> str:
    return ", ".join(_named(name, address) for name, address in pairs)


def _named(name: str, address: str) -> str:
    return f"{name} <{address}>" if name else address
