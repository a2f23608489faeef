"""What the extraction process does for mail, and how its answers become what the office knows.

The process imports this module, so it imports nothing that opens an office.
"""

import base64
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from bailiwick.mail import html, trust
from bailiwick.mail.authentication import AuthenticationResult
from bailiwick.mail.parsing import Address, Parsed, Part, parse, unreadable
from bailiwick.mail.parsing.structure import Leaf

READ = f"{__name__}:read"
PAGE = f"{__name__}:page"
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_MOST_PICTURES = 8_000_000  # bytes of a mail's own, all together
_PLAIN = (
    *("subject", "senders", "message_id", "in_reply_to", "references", "text", "snippet"),
    *("hidden", "automatic", "trace", "fault"),
)
_PEOPLE = ("reply_to", "to", "cc", "bcc")


def read(raw: bytes, *, authserv_id: str | None) -> dict[str, Any]:
    """What a message says, and what the server of this name found out about its sender."""
    found = parse(raw)
    leaves = (*found.parts, *found.shown)
    return {
        **{name: getattr(found, name) for name in (*_PLAIN, *_PEOPLE)},
        "sender": found.sender,
        "sent_at": found.sent_at and found.sent_at.isoformat(),
        "parts": [
            (p.number, p.name, p.type, p.inline, p.content_id, p.encoding, p.start, p.end, p.size)
            for p in found.parts
        ],
        "shown": [leaf[1:] for leaf in found.shown],
        "mended": any(leaf.raw is not raw for leaf in leaves),
        "dmarc": trust.verdict(found, authserv_id),
    }


def made(raw: bytes, said: dict[str, Any] | None) -> tuple[Parsed, AuthenticationResult]:
    """What was read of a message elsewhere; it is marked if it could not be read."""
    if said is None:
        return unreadable(raw), "unknown"
    given = {name: said[name] for name in _PLAIN}
    given |= {name: tuple(Address(*one) for one in said[name]) for name in _PEOPLE}
    given["references"] = tuple(said["references"])
    given["trace"] = tuple((name, value) for name, value in said["trace"])
    # Where lines ended in the old way of a Mac, the message was mended to be read.
    source = raw.replace(b"\r", b"\n") if said["mended"] else raw
    return Parsed(
        **given,
        sender=Address(*said["sender"]),
        sent_at=datetime.fromisoformat(said["sent_at"]) if said["sent_at"] else None,
        parts=tuple(_part(source, *part) for part in said["parts"]),
        shown=tuple(Leaf(source, *leaf) for leaf in said["shown"]),
    ), said["dmarc"]


def page(raw: bytes, *, images: bool) -> str:
    """The body of a mail's page, made harmless."""
    found = parse(raw)
    return html.clean(found.html, remote_images=images, inline=dict(_pictures(found)))


def _part(raw: bytes, *said: Any) -> Part:
    number, name, type, inline, content_id, encoding, start, end, size = said
    return Part(
        number=number,
        name=name,
        type=type,
        inline=inline,
        content_id=content_id,
        encoding=encoding,
        raw=raw,
        start=start,
        end=end,
        size=size,
    )


def _pictures(found: Parsed) -> Iterator[tuple[str, str]]:
    left = _MOST_PICTURES
    for part in found.parts:
        kind = part.type.lower()
        if part.content_id and kind in PICTURES and part.size <= left:
            left -= part.size
            yield part.content_id, f"data:{kind};base64,{base64.b64encode(part.content()).decode()}"
