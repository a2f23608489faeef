"""A parsed message and its parts. Every database can store all of their text."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bailiwick.mail.parsing import bodies, transfer
from bailiwick.mail.parsing.structure import Leaf

MOST_HTML = 2_000_000  # characters


class Address(NamedTuple):
    """A person in a header; the name is their own claim and proves nothing."""

    name: str
    address: str  # the domain in lower case


@dataclass(frozen=True, slots=True)
class Part:
    """An attachment or an inline picture, decoded on demand."""

    number: str  # its place in the message, such as 1.2
    name: str  # safe to use as a file's name
    type: str
    inline: bool  # shown within the text
    content_id: str  # without angle brackets; may be ""
    encoding: str
    raw: bytes  # the message that contains it
    start: int
    end: int
    size: int  # bytes of its content; of damaged content nearly so

    def content(self) -> bytes:
        """Its content; of damaged content the readable part."""
        return transfer.decoded(self.raw[self.start : self.end], self.encoding)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message."""

    subject: str
    sender: Address  # the first in From; an empty address if there is none
    senders: int  # the number of senders in From: more than one prove nothing
    reply_to: tuple[Address, ...]
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    message_id: str  # without angle brackets; may be ""
    in_reply_to: str
    references: tuple[str, ...]  # oldest first
    sent_at: datetime | None  # its Date header, if plausible
    text: str
    snippet: str
    hidden: bool  # the text leaves out what was hidden from a reader
    automatic: bool  # a program wrote it, such as an out-of-office reply
    parts: tuple[Part, ...]
    # Authentication-Results and Received in their order, with names in lower case.
    trace: tuple[tuple[str, str], ...]
    fault: str | None  # what is wrong with the message, in words for a person
    shown: tuple[Leaf, ...] = ()  # the parts that the HTML is built from

    @property
    def has_html(self) -> bool:
        """Whether there is HTML besides the text."""
        return any(leaf.type == "text/html" for leaf in self.shown)

    @property
    def html(self) -> str:
        """The message as HTML, which must be cleaned before it is shown; may be ""."""
        return bodies.as_html(self.shown, most=MOST_HTML) if self.has_html else ""

    @property
    def attachments(self) -> tuple[Part, ...]:
        """The parts that are not inline."""
        return tuple(part for part in self.parts if not part.inline)

    @property
    def authentication(self) -> tuple[str, ...]:
        """The Authentication-Results headers in their order."""
        return tuple(value for name, value in self.trace if name == "authentication-results")

    def part(self, number: str) -> Part | None:
        """The part with this number."""
        return next((part for part in self.parts if part.number == number), None)
