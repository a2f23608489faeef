"""A reply's recipients, subject, references and quotation."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from bailiwick.errors import Invalid
from bailiwick.mail.compose.addresses import MOST_RECIPIENTS, usable, without_doubles
from bailiwick.mail.models import MailMessage

_PREFIX = re.compile(r"^\s*(?:re\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
LONGEST_SUBJECT = 500
_MOST_QUOTED = 20_000
_MOST_REFERENCES = 21


@dataclass(frozen=True, slots=True)
class Recipients:
    """Who gets a message."""

    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Everyone, each once."""
        return without_doubles((*self.to, *self.cc, *self.bcc))

    def counted(self) -> "Recipients":
        """The recipients, if there is at least one and not too many."""
        if not self.all:
            raise Invalid.field("to", "name at least one address")
        if len(self.all) > MOST_RECIPIENTS:
            raise Invalid.field("to", f"a message goes to {MOST_RECIPIENTS} addresses at most")
        return self

    def stored(self) -> dict[str, list[str]]:
        """The recipients as JSON."""
        return {"to": list(self.to), "cc": list(self.cc), "bcc": list(self.bcc)}


def recipients(message: MailMessage, *, own: Collection[str], all: bool) -> Recipients:
    """The recipients of a reply; own addresses only if the mail was to oneself."""
    written = _written(message)
    is_own = message.sender_address.casefold() in {address.casefold() for address in own}
    answered = written["to"] if is_own else (written["reply_to"] or [message.sender_address])
    to = without_doubles(_usable(answered), but=own)
    if not all:
        # All addresses are one's own, so the reply is to oneself.
        return Recipients(to or without_doubles(_usable(answered)))
    others = () if is_own else written["to"]
    to = without_doubles((*to, *_usable(others)), but=own)
    cc = without_doubles(_usable(written["cc"]), but=(*own, *to))
    if not to and not cc:
        return Recipients(without_doubles(_usable(answered)))
    return Recipients(to or cc, cc if to else ())


def subject(message: MailMessage) -> str:
    """The subject with one "Re:" before it."""
    plain = _PREFIX.sub("", one_line(message.subject)).strip()
    return f"Re: {plain}"[:LONGEST_SUBJECT].strip()


def references(message: MailMessage) -> tuple[str, ...]:
    """The references of the thread; of a long one its beginning and its end."""
    ids = [*filter(None, message.references), message.message_id]
    return tuple(ids if len(ids) <= _MOST_REFERENCES else [ids[0], *ids[1 - _MOST_REFERENCES :]])


def quoted(message: MailMessage) -> str:
    """The answered text, each line marked as quoted."""
    when = (message.sent_at or message.date_at).strftime("%d %B %Y, %H:%M UTC")
    who = one_line(message.sender_name) or message.sender_address
    text = message.text[:_MOST_QUOTED].rstrip()
    lines = [f"> {line}".rstrip() for line in text.splitlines()]
    cut = ["> …"] if len(message.text) > _MOST_QUOTED else []
    return "\n".join([f"On {when}, {who} wrote:", *lines, *cut])


def one_line(text: str) -> str:
    """The text without characters that could end a header's line."""
    return _CONTROL.sub(" ", text).strip()


def _written(message: MailMessage) -> dict[str, list[str]]:
    kept: dict[str, list[list[str]]] = message.recipients
    kinds = ("to", "cc", "reply_to")
    return {kind: [pair[1] for pair in kept.get(kind) or () if pair[1]] for kind in kinds}


def _usable(addresses: Iterable[str]) -> list[str]:
    return [made for address in addresses if (made := usable(address))]
