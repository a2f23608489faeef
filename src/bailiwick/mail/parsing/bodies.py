"""The body of a message: its text as a person would read it, and its HTML unchanged."""

import html as markup
import re
from collections.abc import Sequence

from bailiwick.mail import html
from bailiwick.mail.parsing import charsets, storable, transfer
from bailiwick.mail.parsing.structure import Leaf

MOST_TEXT = 1_000_000  # characters
_MOST_RAW = 6_000_000  # bytes of one part, before they are decoded
_SNIPPET = 200
_REPLY = re.compile(
    r"^(?:>|-{2,}\s*(?:original|forwarded)|_{10,}|-- ?$|on\b.{5,150}\bwrote:$|am\b.{5,150}\bschrieb"
    r"|le\b.{5,150}\ba écrit)",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"\n{4,}")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)


def as_text(leaves: Sequence[Leaf]) -> tuple[str, bool]:
    """The text, at most a million characters, and whether something was hidden in it."""
    found: list[str] = []
    room, hidden = MOST_TEXT, False
    for leaf in leaves:
        if room <= 0:
            break
        text, whispers = storable.text(decoded(leaf))
        if leaf.type == "text/html":
            read = html.read(text)
            # Decoded entities may hold hidden characters too.
            text, unseen = storable.text(read.text)
            whispers = whispers or unseen or read.hidden
        else:
            text = _plain(text, leaf)
        text = text[:room]
        hidden, room = hidden or whispers, room - len(text)
        found.append(text)
    return "\n\n".join(found) if len(found) > 1 else "".join(found), hidden


def as_html(leaves: Sequence[Leaf], *, most: int) -> str:
    """The HTML, not cleaned; text parts between are converted."""
    found: list[str] = []
    for leaf in leaves:
        text = storable.text(decoded(leaf))[0]
        if leaf.type != "text/html":
            text = f"<div style='white-space: pre-wrap'>{markup.escape(_plain(text, leaf))}</div>"
        found.append(text)
    return "\n".join(found)[:most]


def snippet(text: str) -> str:
    """The beginning of the text, without quotations."""
    found: list[str] = []
    length = 0
    for line in map(str.strip, text[:4_000].split("\n")):
        if _REPLY.match(line):
            if length:
                break
            continue
        if line:
            found.append(line)
            length += len(line) + 1
            if length > _SNIPPET:
                break
    return " ".join(" ".join(found).split())[:_SNIPPET].rstrip()


def decoded(leaf: Leaf) -> str:
    """The characters of a part."""
    data = leaf.raw[leaf.start : min(leaf.end, leaf.start + _MOST_RAW)]
    data = transfer.decoded(data, leaf.encoding)
    charset = leaf.parameters.get("charset", "")
    if not charset and leaf.type == "text/html" and (said := _CHARSET.search(data, 0, 2_000)):
        charset = said[1].decode()
    return charsets.decode(data, charset)


def _plain(text: str, leaf: Leaf) -> str:
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if leaf.parameters.get("format", "").lower() == "flowed":
        text = _flowed(
            text, joined="" if leaf.parameters.get("delsp", "").lower() == "yes" else " "
        )
    if "\n\n\n\n" in text:
        text = _BLANKS.sub("\n\n\n", text)
    return text.strip("\n")


def _flowed(text: str, *, joined: str) -> str:
    """Join flowed lines (RFC 3676): a line that ends in a space continues at the same depth."""
    found: list[str] = []
    before, open = -1, False
    for line in text.split("\n"):
        rest = line.lstrip(">")
        depth = len(line) - len(rest)
        rest = rest.removeprefix(" ")
        if not (open and depth == before):
            found.append(f"\n{'>' * depth} " if depth else "\n")
        before, open = depth, rest.endswith(" ") and rest != "-- "
        found.append(rest[:-1] + joined if open else rest)
    return "".join(found)[1:]
