"""Messages in Gmail's JSON; missing fields are tolerated."""

import base64
import binascii
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bailiwick.connectors.gmail.labels import Labels, flags
from bailiwick.connectors.mail import ArrivedMessage, ChangedMessage
from bailiwick.kit import clock

GmailMessage = Mapping[str, Any]


def label_ids(message: GmailMessage) -> list[str]:
    """The labels that a message has."""
    return [str(id) for id in message.get("labelIds") or ()]


def arrived(id: str, message: GmailMessage, labels: Labels) -> ArrivedMessage:
    """A message in the format `raw`, or `metadata` if it is too large."""
    cut = "raw" not in message and "payload" in message
    return ArrivedMessage(
        remote_id=id,
        folders=labels.of(label_ids(message)),
        flags=flags(label_ids(message)),
        received_at=_moment(message.get("internalDate")),
        raw=_headers(message) if cut else decoded(str(message.get("raw") or "")),
        thread=str(message["threadId"]) if message.get("threadId") else None,
        cut_size=_number(message.get("sizeEstimate")) if cut else None,
    )


def changed(id: str, message: GmailMessage, labels: Labels) -> ChangedMessage:
    """A message's present folders and flags."""
    ids = label_ids(message)
    return ChangedMessage(id, folders=labels.of(ids), flags=flags(ids))


def encoded(raw: bytes) -> str:
    """A message as Gmail takes it."""
    return base64.urlsafe_b64encode(raw).decode("ascii")


def decoded(text: str) -> bytes:
    """A message out of base64url, padded or not."""
    plain = text.translate({ord("+"): "-", ord("/"): "_"}).rstrip("=")
    try:
        return base64.urlsafe_b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return b""


def header(message: GmailMessage, name: str) -> str:
    """A header of a message in the format `metadata`."""
    return next((value for key, value in _pairs(message) if key.lower() == name.lower()), "")


def _pairs(message: GmailMessage) -> list[tuple[str, str]]:
    given = (message.get("payload") or {}).get("headers") or ()
    return [(str(one.get("name", "")), str(one.get("value", ""))) for one in given]


def _headers(message: GmailMessage) -> bytes:
    lines = (f"{name}: {' '.join(value.splitlines())}\r\n" for name, value in _pairs(message))
    return ("".join(lines) + "\r\n").encode("utf-8", "surrogateescape")


def _moment(value: object) -> datetime:
    try:
        return datetime.fromtimestamp(int(str(value)) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return clock.now()


def _number(value: object) -> int:
    return int(str(value)) if str(value).isdecimal() else 0
