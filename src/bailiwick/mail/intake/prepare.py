"""Reading messages that have come: all that takes time, before any transaction and off the loop."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from bailiwick.connectors.mail import ArrivedMessage
from bailiwick.kit import clock
from bailiwick.mail import attachments, extraction, quotations, raw
from bailiwick.mail.attachments import LiftedMessage
from bailiwick.mail.authentication import AuthenticationResult
from bailiwick.mail.filters import fields
from bailiwick.mail.filters.compiled import CompiledFilters, FilterMatch
from bailiwick.mail.models import MailMessage
from bailiwick.mail.parsing import Address, Parsed, Part

MessageColumns = dict[str, Any]
Extracted = dict[str, Any] | None  # what the extraction process said of a message
Keep = Callable[[bytes], Future[str]]  # begins to keep a blob, under the name that comes of it
_SKEW = timedelta(days=1)
_EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)  # a time zone can still be put to it
_MOST_PARTS = 1000


@dataclass(slots=True)
class IncomingMessage:
    """A message that may be new, ready to be stored."""

    arrived: ArrivedMessage
    parsed: Parsed
    dmarc: AuthenticationResult
    quotes: bool  # it holds words that its sender did not write
    values: MessageColumns  # the columns that are known so far
    packed: bytes | None
    apart: Sequence[tuple[LiftedMessage, Future[str]]]  # and the blobs that they are being kept as
    matches: Sequence[FilterMatch]

    @property
    def parts(self) -> list[MessageColumns]:
        """What is kept apart: rows that lack the message's number."""
        return [_apart(lifted, blob.result()) for lifted, blob in self.apart]


def fingerprints(arrived: Collection[ArrivedMessage]) -> list[str]:
    """By which each message is known again."""
    return [hashlib.sha256(one.raw).hexdigest() for one in arrived]


def prepare(
    arrived: ArrivedMessage, fingerprint: str, keep: Keep, *, said: Extracted
) -> IncomingMessage:
    """Read a message; what is attached, and what is left if that is much, is kept meanwhile."""
    parsed, dmarc = extraction.made(arrived.raw, said)
    rest, lifted = attachments.lift(arrived.raw, parsed)
    large = len(rest) > raw.LARGE
    values = {
        "fingerprint": fingerprint,
        "raw_blob": keep(rest).result() if large else None,
        "size": arrived.cut_size or len(arrived.raw),
        "date_at": max(min(arrived.received_at, clock.now() + _SKEW), _EARLIEST),
        "remote_thread": arrived.thread,
        "fault": _fault(arrived, parsed),
        **_read(parsed),
    }
    packed = None if large else raw.packed(rest)
    apart = [(one, keep(one.content)) for one in lifted]
    quoted = quotations.quotes(parsed)
    return IncomingMessage(arrived, parsed, dmarc, quoted, values, packed, apart, matches=())


@dataclass(frozen=True, slots=True)
class FilterSorter:
    """The filters as an account's mail meets them, and from when on they are asked."""

    account_id: str
    filters: CompiledFilters
    zone: str
    route_from: datetime | None

    def matches(self, values: Mapping[str, Any]) -> Sequence[FilterMatch]:
        """Whom the filters give a message to; nobody, if it is older than what wakes anyone."""
        if not self.is_due(values["date_at"]):
            return ()
        row = {**values, "account_id": self.account_id}
        return self.filters.route(fields.of(cast("MailMessage", _Row(row)), zone=self.zone))

    def is_due(self, date_at: datetime) -> bool:
        """Whether a message is recent enough to wake anyone."""
        return self.route_from is None or date_at >= self.route_from


class _Row:
    """A message's columns under their names, before there is a row."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self._values[name]


def _read(parsed: Parsed) -> MessageColumns:
    return {
        "message_id": parsed.message_id,
        "in_reply_to": parsed.in_reply_to,
        "references": list(parsed.references),
        "subject": parsed.subject,
        "sender_name": parsed.sender.name,
        "sender_address": parsed.sender.address,
        "recipients": {
            "to": _pairs(parsed.to),
            "cc": _pairs(parsed.cc),
            "bcc": _pairs(parsed.bcc),
            "reply_to": _pairs(parsed.reply_to),
        },
        "sent_at": parsed.sent_at,
        "snippet": parsed.snippet,
        "text": parsed.text,
        "has_html": parsed.has_html,
        "has_attachment": any(not part.inline for part in parsed.parts),
        "attachments": [_part(part) for part in parsed.parts[:_MOST_PARTS]],
        "hidden": parsed.hidden,
        "automatic": parsed.automatic,
    }


def _part(part: Part) -> MessageColumns:
    return {
        "part": part.number,
        "name": part.name,
        "type": part.type,
        "size": part.size,
        "inline": part.inline,
        "content_id": part.content_id,
    }


def _apart(lifted: LiftedMessage, blob: str) -> MessageColumns:
    width, crlf = lifted.writing
    return {"part": lifted.part, "at": lifted.at, "blob": blob, "width": width, "crlf": crlf}


def _pairs(people: Sequence[Address]) -> list[list[str]]:
    return [[one.name, one.address] for one in people]


def _fault(arrived: ArrivedMessage, parsed: Parsed) -> str | None:
    if arrived.cut_size is None:
        return parsed.fault
    size = f"{arrived.cut_size / 1_000_000:.0f} MB"
    return f"It is larger than anyone wants to read ({size}): only its headers were fetched."
