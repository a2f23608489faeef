"""Words and sentences of a text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_END = re.compile(r"(?<=[.!?\u2026])[\"'\u201d)]*\s+(?=[^\W_a-z\u00df-\u00ff]|[\"'(\u201c])")
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]|\d{1,3}[.)]|#{1,6}|>)\s+(?:\[[ xX]\]\s+)?")
_SHORTENED = re.compile(
    r"\b(?:mr|mrs|ms|dr|prof|st|no|nr|vs|etc|e\.g|i\.e|approx|ca|inc|ltd|co|dept|fig|"
    r"jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$",
    re.IGNORECASE,
)

_LONGEST_SHORTENED = 12  # letters at the end of a sentence that show it


def listed(text: str) -> tuple[str, ...]:
    """Words that stand in one string, for long lists of them."""
    return tuple(text.split())


STOP = frozenset(
    listed(
        "a about above after again all also am an and any anyone anything are around as at away "
        "be because been before being below between both but by can cannot could did do does doing "
        "done down during each either else every few for from further get gets give given go goes "
        "going got had has have having he her here hers him his how i if in into is it its itself "
        "just kindly let lets like made make many may me might mine more most much must my myself "
        "no nor not now of off on once one only or other our ours out over own per "
        "please put s same say says see shall she should so some something such t than thanks that "
        "the their theirs them then there these they thing things this those through to too under "
        "until up upon us use used using very was we well went were what when where whether "
        "which while who whom whose why will with within without would yes yet you your yours "
        "don't doesn't didn't isn't aren't wasn't won't can't couldn't i'm i've i'd i'll it's "
        "that's there's what's who's we're we've you're they're let's"
    )
)
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ers", "er", "ed")


def words(text: str) -> list[str]:
    """The words of a text in small letters."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(text.lower())]


def telling(text: str) -> list[str]:
    """The words that say what a text is about."""
    return [word for word in words(text) if word not in STOP and (len(word) > 1 or word.isdigit())]


def stem(word: str) -> str:
    """A word without its ending, so that "invoices" and "invoice" are the same."""
    word = word.removesuffix("'s")
    if len(word) < 4 or word.isdigit():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            left = word[: -len(ending)]
            if len(left) > 3 and left[-1] == left[-2] and left[-1] not in "lsz":
                left = left[:-1]
            return left.rstrip("ey") if len(left) > 4 else left
    if word.endswith("es") and word[-3] in "sxzh" and len(word) > 4:
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.rstrip("ey") if len(word) > 4 else word


def stems(text: str) -> set[str]:
    """The stems of the telling words of a text."""
    return {stem(word) for word in telling(text)}


def sentences(text: str) -> list[str]:
    """The sentences of a text; a line of a list is one, and so is a heading."""
    found: list[str] = []
    for block in _blocks(text):
        for piece in _END.split(block):
            # What follows a shortened word still belongs to its sentence.
            if (
                found
                and found[-1] is not block
                and _SHORTENED.search(found[-1][-_LONGEST_SHORTENED:])
                and piece
            ):
                found[-1] = f"{found[-1]} {piece.strip()}"
            elif piece.strip():
                found.append(piece.strip())
    return found


def _blocks(text: str) -> Iterable[str]:
    """Lines that belong together: a paragraph may go over several."""
    held: list[str] = []
    for line in text.splitlines():
        alone = not line.strip() or _BULLET.match(line) or _is_field(line)
        # A short line before a capital letter was not broken by the margin.
        ended = bool(held) and len(held[-1]) < 50 and line.strip()[:1].isupper()
        if held and (alone or ended):
            yield " ".join(held)
            held = []
        if alone:
            yield _BULLET.sub("", line).strip()
        else:
            held.append(line.strip())
    if held:
        yield " ".join(held)


def _is_field(line: str) -> bool:
    return bool(re.match(r"^\s*[A-Z][\w -]{1,24}:\s+\S", line)) and len(line) < 120


def is_heading(line: str) -> bool:
    """Whether a line names what follows rather than saying something."""
    bare = line.strip()
    return bare.startswith("#") or (bool(bare) and len(bare) < 60 and bare[-1] not in ".!?:;,")


def frequent(texts: Sequence[str], most: int = 12) -> list[str]:
    """The telling words that texts use most, in the order in which they first stand there."""
    counts = Counter(word for text in texts for word in telling(text) if not word.isdigit())
    top = {word for word, _ in counts.most_common(most)}
    ordered = dict.fromkeys(word for text in texts for word in telling(text) if word in top)
    return list(ordered)


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters, cut after a word."""
    bare = " ".join(text.split())
    if len(bare) <= most:
        return bare
    return bare[:most].rsplit(" ", 1)[0].rstrip(",;:.") + "\u2026"
