"""Things that a request names: paths, quoted words, addresses, numbers."""

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass

_ENDINGS = (
    "md|markdown|txt|text|csv|tsv|pdf|docx?|xlsx?|pptx?|odt|ods|html?|json|ya?ml|rtf|log|eml|ics|png|"
    "jpe?g|gif|tex|xml|toml|ini|py|js|ts|sql|org|rst"
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,2000})\"|\u201c([^\u201c\u201d\n]{1,2000})\u201d|"
    r"\u00ab([^\u00ab\u00bb\n]{1,2000})\u00bb|"
    r"`([^`\n]{1,2000})`|(?<![\w])'([^'\n]{1,2000})'(?![\w])"
)
# Looked for from where a run of such letters begins, and not again from each of them.
_FILE = re.compile(
    rf"(?<![\w@/.:&+-])/?(?:[\w][\w.&+-]*/)*[\w][\w.&+-]*\.(?:{_ENDINGS})(?![\w@/])", re.IGNORECASE
)
_FOLDER = re.compile(
    r"(?<![\w@:/.&+-])/?[\w][\w&+-]*(?:/[\w][\w.&+-]*)+/?(?![\w@])|(?<![\w@:/-])[\w-]+/(?!\w)"
)
_ADDRESS = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_NUMBER = re.compile(r"(?<![\w.,])-?\d+(?:[.,]\d+)?(?![\w.,]*\d)")
_LINK = re.compile(r"https?://[^\s<>\"')]+")
_CLOCK = re.compile(
    r"\b(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm|o'clock|h)\b|\b(\d{1,2}):(\d{2})\b", re.I
)
_INTO = re.compile(
    r"(?:\binto|\bas|\bto|\bcalled|\bnamed|\bunder the name|\bfile ?name|\bfile|\bnote|\bcreate|"
    r"\bsave|\bin a (?:new )?file)\s*"
    r"(?:a |an |the |new |file |note |called |named )*[\"'`\u201c]?/?$",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"\b(?:create|write|save|put|make|store|record|export|draft|prepare|compose|produce|generate|"
    r"copy|duplicate)\b",
    re.IGNORECASE,
)
_BEFORE = 120  # characters before a name that say what it is for


@dataclass(frozen=True, slots=True)
class NamedSlot:
    """A file that a request names, and whether it is to be written."""

    path: str
    output: bool


def quoted(text: str) -> list[str]:
    """The words in quotes."""
    found = (next(filter(None, groups)) for groups in _QUOTED.findall(text))
    return [each.strip() for each in found if each.strip()]


def files(text: str) -> list[NamedSlot]:
    """The files that a text names; one after "into" or "save as" is one to be written."""
    found: list[NamedSlot] = []
    # Where the first such word ends; what is named after it comes after some such word.
    written, led = _end(_WRITING.search(text)), _end(_WRITING.match(text.lstrip()))
    taken = _end(re.search(r"\bfrom\b", text))
    led += len(text) - len(text.lstrip())
    for match in _matches(text):
        start = match.start()
        before = text[max(0, start - _BEFORE) : start]
        output = bool(_INTO.search(before)) and (
            written <= start or bool(re.search(r"\b(?:into|as)\b\W*(?:\w+\W+){0,3}$", before))
        )
        if not output and re.search(r"\b(?:in|to)\s+[\"'`\u201c]?$", before):
            output = led <= start < taken
        found.append(
            NamedSlot(_clean(match.group(1) if match.re is _SPACED else match.group()), output)
        )
    return found


def folders(text: str) -> list[str]:
    """The folders that a text names by their path."""
    bare = _FILE.sub(" ", _LINK.sub(" ", text))
    return [_clean(match) for match in _FOLDER.findall(bare)]


def addresses(text: str) -> list[str]:
    """The e-mail addresses in a text, each once."""
    return list(dict.fromkeys(found.rstrip(".") for found in _ADDRESS.findall(text)))


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [float(found.replace(",", ".")) for found in _NUMBER.findall(text)]


def links(text: str) -> list[str]:
    """The web addresses in a text."""
    return [found.rstrip(".,;") for found in _LINK.findall(text)]


def clock(text: str) -> tuple[int, int] | None:
    """The time of day that a text names."""
    match = _CLOCK.search(text)
    if not match:
        return None
    hour = int(match[1] or match[4])
    minute = int(match[2] or match[5] or 0)
    half = (match[3] or "").lower()
    hour = hour % 12 + 12 if half == "pm" else hour % 12 if half == "am" else hour
    return (hour, minute) if hour < 24 and minute < 60 else None


_SPACED = re.compile(
    rf"[\"'`\u201c]([^\"'`\u201c\u201d\n]{{1,200}}\.(?:{_ENDINGS}))[\"'`\u201d]", re.IGNORECASE
)


def _matches(text: str) -> list[re.Match[str]]:
    whole = [*_SPACED.finditer(text)]
    ends = [0, *(match.end() for match in whole)]
    starts = [match.start() for match in whole]
    bare = [
        match
        for match in _FILE.finditer(_LINK.sub(lambda m: " " * len(m.group()), text))
        if match.start() >= ends[bisect_right(starts, match.start())]
    ]
    return sorted([*whole, *bare], key=lambda match: match.start())


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else sys.maxsize


def _clean(path: str) -> str:
    return path.strip().strip("/")
