"""The parts of a message that was read. All text in it can be stored by every database."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from bailiwick.mail.parsing import bodies, transfer
from bailiwick.mail.parsing.structure import Leaf

MOST_HTML = 2_000_000  # characters


class Address(NamedTuple):
    """Someone as a header names them. The name is what they call themselves: it proves nothing."""

    name: str
    address: str  # the domain in lower case


@dataclass(frozen=True, slots=True)
class Part:
    """An attachment, or a picture within the text; decoded when it is asked for."""

    number: str  # its place in the message, such as 1.2
    name: str  # safe to use as a file's name
    type: str
    inline: bool  # shown within the text
    content_id: str  # without angle brackets; may be ""
    encoding: str
    raw: bytes  # the message that it is a part of
    start: int
    end: int

    @property
    def size(self) -> int:
        """How many bytes it has; of damaged content nearly so."""
        return transfer.size_of(self.raw, (self.start, self.end), encoding=self.encoding)

    def content(self) -> bytes:
        """What it holds; of damaged content what can be saved."""
        return transfer.decoded(self.raw[self.start : self.end], self.encoding)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A message."""

    subject: str
    sender: Address  # the first that From names; an empty address if there is none
    senders: int  # how many From names: more than one prove nothing
    reply_to: tuple[Address, ...]
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    message_id: str  # without angle brackets; may be ""
    in_reply_to: str
    references: tuple[str, ...]  # oldest first
    sent_at: datetime | None  # what its Date says, if that makes sense
    text: str
    snippet: str
    hidden: bool  # the text leaves something out that no person would have seen
    automatic: bool  # a program wrote it, such as an answer that someone is away
    parts: tuple[Part, ...]
    # Authentication-Results and Received from the top, in lower case names: who checked what.
    trace: tuple[tuple[str, str], ...]
    fault: str | None  # what is wrong with the message, in words for a person
    shown: tuple[Leaf, ...] = ()  # what the HTML is made of

    @property
    def has_html(self) -> bool:
        """Whether there is more to show than the text."""
        return any(leaf.type == "text/html" for leaf in self.shown)

    @property
    def html(self) -> str:
        """The message as HTML, as it came: it must be cleaned before anyone sees it; may be ""."""
        return bodies.as_html(self.shown, most=MOST_HTML) if self.has_html else ""

    @property
    def attachments(self) -> tuple[Part, ...]:
        """The parts that are not shown within the text."""
        return tuple(part for part in self.parts if not part.inline)

    @property
    def authentication(self) -> tuple[str, ...]:
        """The Authentication-Results from the top."""
        return tuple(value for name, value in self.trace if name == "authentication-results")

    def part(self, number: str) -> Part | None:
        """The part with this number."""
        return next((part for part in self.parts if part.number == number), None)
