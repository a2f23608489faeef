"""What of a message a person typed: what they pasted, quoted or put below is content, no order.

A page that marks what was pasted sends the places. Where nothing is marked, only the first line
counts, and of a long one only its first sentence.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence

from bailiwick.gate.trust import grammar
from bailiwick.gate.trust.grammar import CONTENT
from bailiwick.gate.trust.orders import BETWEEN

# Where something pasted begins, and where it ends.
PastedRange = tuple[int, int]
_MOST_WORDS = 60
_QUOTED_LINE = re.compile(r"(?m)^[ \t]*(?:>|\|).*$")
_FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*$|\Z)")
# "Summarise this: …", "the following mail:" and a new line.
_INTRODUCED = re.compile(
    r"(?i)\b(?:this|these|following|below|text|mail|email|message|letter|article|transcript|"
    r"minutes|note|notes|paragraph|sentence|words|content|chat|thread|page)\b\s*:(?=\s*\S)"
    r"|:[ \t]*(?=\n\s*\S)"
)
# "Summarise the text below.", "translate the following letter." and whatever comes then.
_ANNOUNCED = re.compile(
    r"(?i)\b(?:below|following|next (?:lines?|sentences?|paragraphs?|texts?))\b"
)
# "Translate this text." and more: whoever pastes says so, where nobody marks it.
_POINTED = re.compile(
    r"(?i)\b(?:this|these) (?:text|mail|email|message|letter|article|transcript|minutes|note|notes|"
    r"paragraph|sentence|words|content|chat|thread|page|lines?)\b"
)
_END = re.compile(r"[!?;:\n]|\.(?!\S)")
# Every way to end a line; texts from other programs have odd ones.
_LINE_ENDS = str.maketrans(dict.fromkeys("\r\v\f\x1c\x1d\x85\u2028\u2029", "\n"))
_FIRST_SENTENCE = re.compile(r"[^.!?;]*(?:\.(?=\S)[^.!?;]*)*[.!?;]?")
_SPACE = re.compile(rf"(?<!\s)\s*{CONTENT}(?:\s|{CONTENT})*")


def typed(text: str, pasted: Sequence[PastedRange] | None) -> str:
    """A message with a mark in the place of everything that is content."""
    said = text.replace(BETWEEN, " ").replace(CONTENT, " ").translate(_LINE_ENDS)
    said = _without(said, pasted or ())
    said = _QUOTED_LINE.sub(CONTENT, _FENCE.sub(CONTENT, said))
    if found := _INTRODUCED.search(said):
        said = f"{said[: found.end()]} {CONTENT}"
    said = _cut(_ANNOUNCED, said)
    if pasted is None:
        said = _cut(_POINTED, said)
        said = _first(said)
    return _SPACE.sub(_laid, said).strip()


def _cut(announcing: re.Pattern[str], said: str) -> str:
    """All that follows an announcement is content; it can still take back what came before."""
    found = announcing.search(said)
    end = _END.search(said, found.end()) if found else None
    if end is None or not (rest := said[end.end() :].strip()):
        return said
    stopped = " not" if grammar.is_stopped(grammar.tokens(rest)) else ""
    return f"{said[: end.end()]}\n{CONTENT}{stopped}"


def _laid(found: re.Match[str]) -> str:
    """Content on a line of its own is a sentence of its own, unless a colon leads to it."""
    around = "\n" if "\n" in found.group() else " "
    led = found.string.endswith(":", 0, found.start())
    return f"{' ' if led else around}{CONTENT}{around}"


def _without(text: str, pasted: Iterable[PastedRange]) -> str:
    """Pasted places as a mark; whoever pastes a part of a word pastes the whole."""
    places = deque(sorted(pasted))
    reached = 0  # where the last of the places that began so far ends

    def laid(found: re.Match[str]) -> str:
        nonlocal reached
        while places and places[0][0] < found.end():
            reached = max(reached, places.popleft()[1])
        return CONTENT if found.start() < reached else found.group()

    return re.sub(r"\S+", laid, text)


def _first(said: str) -> str:
    """The first line; of a long one the first sentence. What follows can still take it back."""
    line, _, rest = said.lstrip().partition("\n")
    if len(line.split()) > _MOST_WORDS:
        first = _FIRST_SENTENCE.match(line)
        at = first.end() if first else 0
        line, rest = line[:at], f"{line[at:]} {rest}"
    if not rest.strip():
        return line
    # A word that stops every order, where the rest holds one.
    return f"{line}\n{CONTENT}" + (" not" if grammar.is_stopped(grammar.tokens(rest)) else "")
