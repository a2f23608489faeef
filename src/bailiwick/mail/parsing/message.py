"""Parses a message. It never fails: an unreadable message is kept, and marked."""

import re

from bailiwick.mail.parsing import (
    addresses,
    bodies,
    dates,
    encoded_words,
    headers,
    names,
    storable,
    structure,
    transfer,
)
from bailiwick.mail.parsing.model import Address, Parsed, Part

MOST_REFERENCES = 100
_MOST_TRACE = 60
_ID = re.compile(r"<\s*([^<>\s]{1,900})\s*>")
_TRACE = ("received", "authentication-results")
_NOBODY = Address("", "")
_PEOPLE = ("reply-to", "to", "cc", "bcc")
_MOST_SUBJECT = 2_000
SENDERS = "It names more than one sender."
NO_SENDER = "It does not say who sent it."
LONG = "Its header is too long; some of it was left out."
PEOPLE = "It names too many people; the first 2,000 are kept."
SUBJECT = "Its subject is too long; only the beginning is kept."
CUT = "Its text is too long; only the beginning is kept as text."
EMPTY = "It is empty."
UNREADABLE = "It could not be read; it is kept as it came."


def parse(raw: bytes) -> Parsed:
    """A parsed raw message; `fault` says what is wrong with it."""
    try:
        return _parsed(raw)
    except Exception:  # noqa: BLE001  (whatever a stranger sends, the mailbox goes on)
        return unreadable(raw)


def unreadable(raw: bytes) -> Parsed:
    """What is known of a message that cannot be read."""
    return _made(headers.Block([], 0, too_long=False), structure.Sorted(raw), [UNREADABLE])


def _parsed(raw: bytes) -> Parsed:
    if b"\n" not in raw[:100_000] and b"\r" in raw:
        raw = raw.replace(b"\r", b"\n")
    block = headers.read(raw, 0, len(raw))
    faults = [] if raw.strip() else [EMPTY]
    if block.too_long:
        faults.append(LONG)
    return _made(block, structure.read(raw, block), faults)


def _made(block: headers.Block, found: structure.Sorted, faults: list[str]) -> Parsed:
    senders = [sender for value in block.all("from") for sender in _addresses(value)]
    count = _senders(block.all("from"), senders)
    people = {name: _list(block, name) for name in _PEOPLE}
    subject = encoded_words.line(block.first("subject"))
    text, hidden = bodies.as_text(found.text)
    faults = [*faults, *found.faults, *_faults(count, senders, text, faults)]
    if any(len(those) > addresses.MOST for those in people.values()):
        faults.append(PEOPLE)
    if len(subject) > _MOST_SUBJECT and not block.too_long:
        faults.append(SUBJECT)
    references = _ids(block.first("references"))
    return Parsed(
        subject=subject[:_MOST_SUBJECT],
        sender=senders[0] if senders else _NOBODY,
        senders=count,
        reply_to=people["reply-to"][: addresses.MOST],
        to=people["to"][: addresses.MOST],
        cc=people["cc"][: addresses.MOST],
        bcc=people["bcc"][: addresses.MOST],
        message_id=_id(block.first("message-id")),
        in_reply_to=_id(block.first("in-reply-to")),
        references=tuple(references[:1] + references[1:][1 - MOST_REFERENCES :]),
        sent_at=dates.read(headers.text(block.first("date"))),
        text=text,
        snippet=bodies.snippet(text),
        hidden=hidden,
        automatic=_is_automatic(block),
        parts=tuple(_part(leaf, inline=inline) for leaf, inline in found.others),
        trace=tuple(_trace(block)),
        fault=" ".join(faults) or None,
        shown=tuple(found.html),
    )


def _faults(count: int, senders: list[Address], text: str, known: list[str]) -> list[str]:
    found: list[str] = []
    if count > 1:
        found.append(SENDERS)
    elif not senders and not known:
        found.append(NO_SENDER)
    if len(text) >= bodies.MOST_TEXT:
        found.append(CUT)
    return found


def _senders(lines: list[bytes], senders: list[Address]) -> int:
    """The number of senders, in the most cautious reading of From."""
    named = set[str]().union(*(addresses.named(headers.text(line)) for line in lines))
    return max(len(senders), len(lines), len(named))


def _list(block: headers.Block, name: str) -> tuple[Address, ...]:
    values = block.all(name)
    return tuple(address for value in values for address in _addresses(value)) if values else ()


def _addresses(value: bytes) -> list[Address]:
    text = headers.text(value)
    return addresses.read(text if text.isprintable() else text.replace("\t", " "))


def _id(value: bytes) -> str:
    text = storable.line(headers.text(value[:2_000]))
    if found := _ID.search(text):
        return found[1]
    return text.split(" ")[0].strip("<>")[:900]


def _ids(value: bytes) -> list[str]:
    text = storable.line(headers.text(value[:200_000]))
    return list(dict.fromkeys(_ID.findall(text)))


def _is_automatic(block: headers.Block) -> bool:
    said = block.first("auto-submitted").strip().lower()
    return bool(said) and not said.startswith(b"no")


def _trace(block: headers.Block) -> list[tuple[str, str]]:
    found = [field for field in block.fields if field[0] in _TRACE][:_MOST_TRACE]
    return [
        (name, storable.line(headers.text(value[: encoded_words.MOST]))) for name, value in found
    ]


def _part(leaf: structure.Leaf, *, inline: bool) -> Part:
    return Part(
        number=leaf.number,
        name=names.safe(leaf.name, type=leaf.type, number=leaf.number),
        type=leaf.type,
        inline=inline,
        content_id=leaf.content_id,
        encoding=leaf.encoding,
        raw=leaf.raw,
        start=leaf.start,
        end=leaf.end,
        size=transfer.size_of(leaf.raw, (leaf.start, leaf.end), encoding=leaf.encoding),
    )
