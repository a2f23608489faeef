"""The mails of the sample mailbox, written for a moment: they came within the ten days before it.

The workshop, its people and their addresses do not exist; every domain ends in .example.
"""

import functools
import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from importlib.resources import files
from mimetypes import guess_type
from typing import Any, Literal, cast

ADDRESS = "hello@spokeandsaddle.example"
NAME = "Spoke & Saddle"
# Whose verdict counts: the name of a server that nobody can have.
SERVER = "mail.bailiwick.invalid"
LetterFolder = Literal["inbox", "sent", "junk", "archive"]
_US = "us"
_MAILS = "mails.toml"
_ICS = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True, slots=True)
class SampleMail:
    """A finished mail, and where and when it arrived."""

    key: str
    place: LetterFolder
    letters: str  # as a Maildir marks it: S seen, R answered
    at: datetime
    raw: bytes


def sample_mails(now: datetime) -> list[SampleMail]:
    """All of them, the oldest first."""
    people, mails = _written()
    known = {mail["key"]: mail for mail in mails}
    ordered = sorted(mails, key=lambda mail: -mail["days"])
    return [_sample(mail, people, known, now=now) for mail in ordered]


def count() -> int:
    """How many there are."""
    return len(_written()[1])


def written_to() -> dict[str, str]:
    """Whom the workshop has written to: names by their addresses."""
    people, mails = _written()
    keys = {_to(mail) for mail in mails if mail["from"] == _US}
    pairs = (parseaddr(people[key]) for key in sorted(keys))
    return {address: name for name, address in pairs}


@functools.cache
def _written() -> tuple[dict[str, str], list[dict[str, Any]]]:
    found = tomllib.loads(_file(_MAILS).decode())
    return cast("dict[str, str]", found["people"]), cast("list[dict[str, Any]]", found["mail"])


def _file(name: str) -> bytes:
    return files("bailiwick.demo").joinpath("mails", name).read_bytes()


def _sample(
    mail: dict[str, Any], people: dict[str, str], known: dict[str, dict[str, Any]], *, now: datetime
) -> SampleMail:
    at = now - timedelta(days=mail["days"])
    sent = mail["from"] == _US
    seen = sent or mail.get("seen", False) or mail.get("answered", False)
    letters = ("R" if mail.get("answered") else "") + ("S" if seen else "")
    message = _message(mail, people, known, at=at)
    place: LetterFolder = "sent" if sent else mail.get("where", "inbox")
    return SampleMail(mail["key"], place, letters, at, message.as_bytes())


def _message(
    mail: dict[str, Any], people: dict[str, str], known: dict[str, dict[str, Any]], *, at: datetime
) -> EmailMessage:
    made = EmailMessage(policy=SMTP)
    sender = people[mail["from"]]
    if mail["from"] != _US:
        _prove(made, sender, mail.get("proof", "pass"), at=at)
    made["From"], made["To"] = sender, people[_to(mail)]
    made["Subject"], made["Date"] = mail["subject"], format_datetime(at)
    made["Message-ID"] = _id(mail, people)
    if before := _before(mail, known):
        made["In-Reply-To"] = _id(before[-1], people)
        made["References"] = " ".join(_id(each, people) for each in before)
    if "text" in mail:
        made.set_content(mail["text"].lstrip(), charset=mail.get("charset", "utf-8"))
        if "html" in mail:
            made.add_alternative(mail["html"], subtype="html")
    else:
        made.set_content(mail["html"], subtype="html")
    if "calendar" in mail:
        _invite(made, mail["calendar"], at=at)
    for name in mail.get("attach", ()):
        main, _, sub = (guess_type(name)[0] or "application/octet-stream").partition("/")
        made.add_attachment(_file(name), maintype=main, subtype=sub, filename=name)
    return made


def _prove(made: EmailMessage, sender: str, verdict: str, *, at: datetime) -> None:
    """What a receiving server writes above a mail."""
    domain = parseaddr(sender)[1].partition("@")[2]
    made["Received"] = f"from mx.{domain} by {SERVER} with ESMTPS id sample; {format_datetime(at)}"
    made["Authentication-Results"] = (
        f"{SERVER}; dkim={verdict} header.d={domain}; dmarc={verdict} header.from={domain}"
    )


def _invite(made: EmailMessage, name: str, *, at: datetime) -> None:
    start = (at + timedelta(days=12)).replace(hour=18, minute=0, second=0)
    text = (
        _file(name)
        .decode()
        .format(
            stamp=at.strftime(_ICS),
            start=start.strftime(_ICS),
            end=(start + timedelta(hours=2)).strftime(_ICS),
        )
    )
    made.add_alternative(text, subtype="calendar", params={"method": "REQUEST"})


def _before(mail: dict[str, Any], known: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The mails that it answers, the first of the thread first."""
    found: list[dict[str, Any]] = []
    while answers := mail.get("answers"):
        mail = known[answers]
        found.insert(0, mail)
    return found


def _to(mail: dict[str, Any]) -> str:
    return mail.get("to", _US)


def _id(mail: dict[str, Any], people: dict[str, str]) -> str:
    domain = parseaddr(people[mail["from"]])[1].partition("@")[2]
    return f"<{mail['key']}.sample@{domain}>"
