"""What a person asks, apart from the text that they hand over with it.

A mail or a page that is pasted into a message is material: orders in it are not the person's.
"""

import re
from dataclasses import dataclass

from bailiwick.offline.text import words

_HEADERS = re.compile(
    r"^(?:[ \t>*]*(?:from|to|cc|subject|date|sent|received|reply-to|attachments?)\b[ \t*]*:.*"
    r"(?:\n|$)){2,}",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"^(?:```|~~~|\"\"\"|<<<|-{3,}|={3,}|\*{3,}|_{3,})", re.MULTILINE)
_TAG = re.compile(r"^[ \t]*<(?P<name>[a-z][\w-]{0,40})(?:\s[^>\n]{0,200})?>", re.I | re.M)
_HTML = frozenset(("html", "body", "div", "p", "table", "span", "a", "b", "pre", "ul", "ol", "h1"))
_QUOTE = re.compile(r"^>.*$", re.MULTILINE)
# "… this text:", "… the following mail:" and then what is meant, however long.
_HANDED = re.compile(
    r"\b(?:this|these|the|following|below|conversation|text|mail|e-?mail|message|letter|note|notes|"
    r"paragraph|transcript|article|minutes|document|chat|thread)\b[^:\n]{0,40}:[ \t]*(?=\S|"
    r"\n\s*\S)",
    re.IGNORECASE,
)
LONGEST_ASKED, LONGEST_TEXT = 4_000, 40_000  # characters that are looked at
_LONG = 12  # words after a colon that make it a text rather than a list of things to do
_ORDERED = re.compile(
    r"\b(?:sum|summar|recap|condens|draft|repl|respond|answer|mood|tone|sentiment|translat|proof|"
    r"read|review|classif|judge|digest|key points|main points|tasks?|to-?dos?|actions?|extract|"
    r"write|minutes|shorten)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """What is asked, and the text that was handed over."""

    asked: str
    material: str = ""


_BELOW = re.compile(r"\b(?:below|following|that follows|underneath)\b", re.IGNORECASE)


def split(text: str, *, system: str = "") -> ParsedRequest:
    """Part what is asked from what is handed over.

    Where the system prompt itself asks for something and says that the text follows, all is text.
    """
    order = system.partition("\n")[0][:200]
    if _BELOW.search(order) and _ORDERED.search(order):
        return ParsedRequest("", text.strip()[:LONGEST_TEXT])
    made = _parted(text[: LONGEST_ASKED + LONGEST_TEXT])
    return ParsedRequest(made.asked[:LONGEST_ASKED], made.material[:LONGEST_TEXT])


def _parted(text: str) -> ParsedRequest:
    if tagged := _tagged(text):
        return tagged
    starts = [match.start() for pattern in (_HEADERS, _FENCE) if (match := pattern.search(text))]
    if starts:
        return ParsedRequest(text[: min(starts)].strip().rstrip(":"), _bare(text[min(starts) :]))
    if quoted := _QUOTE.findall(text):
        said = _QUOTE.sub("", text).strip()
        return ParsedRequest(said.rstrip(":"), "\n".join(line.lstrip("> ") for line in quoted))
    return _after_colon(text) or _after_paragraph(text) or ParsedRequest(text.strip())


def _tagged(text: str) -> ParsedRequest | None:
    """A text between tags, such as <mail> and </mail>."""
    match = _TAG.search(text)
    end = text.rfind(f"</{match['name']}>") if match else -1
    if not match or end < match.end():
        return None
    before, after = text[: match.start()].strip(), text[end:].partition(">")[2].strip()
    if before or match["name"].lower() in _HTML:
        # What follows may be the rest of the text: whoever wrote that closes tags as they like.
        return ParsedRequest(before.rstrip(":"), text[match.start() :].strip())
    return ParsedRequest(after, text[match.end() : end].strip())


def _bare(text: str) -> str:
    """Without the fence around it."""
    lines = text.strip().splitlines()
    if lines and _FENCE.match(lines[0]):
        lines = lines[1:]
        ends = [number for number, line in enumerate(lines) if _FENCE.match(line)]
        if ends and ends[-1] == len(lines) - 1:
            lines = lines[:-1]
    return "\n".join(lines).strip()


def _after_colon(text: str) -> ParsedRequest | None:
    head = text.lstrip()[:300]
    match = _HANDED.search(head)
    if not match or not _ORDERED.search(head[: match.end()]):
        return None
    handed = text.lstrip()[match.end() :].strip()
    if len(words(handed)) < _LONG:
        return None
    return ParsedRequest(head[: match.end()].strip().rstrip(":"), handed)


def _after_paragraph(text: str) -> ParsedRequest | None:
    """A short order in the first paragraph, a long text beneath it."""
    head, _, rest = text.strip().partition("\n\n")
    short = len(words(head)) <= 40 and len(words(rest)) >= 40
    return ParsedRequest(head.strip().rstrip(":"), rest.strip()) if short else None
