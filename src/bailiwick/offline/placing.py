"""Which folder a paper belongs in: by what the folders hold, their names, and what was said.

Each kind of evidence is brought to one scale over all folders: words that are telling for what a
folder holds, the papers that are most like this one, the folder's own name, and the guideline.
"""

import math
import re
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bailiwick.llm import vectors
from bailiwick.offline.kinship import matters
from bailiwick.offline.lexicon import english, is_common, is_foreign
from bailiwick.offline.results import base, folder_of, spaced
from bailiwick.offline.text import stem, stems, telling, words

_HELD, _NEAR, _NAME, _NAME_WORDS, _RULE, _DECIDED = 1.0, 0.8, 0.5, 0.5, 0.3, 0.3
_TITLE = 1.0  # what it counts that a paper is called as the folder is
_PART = 5  # letters that a part of a longer word has at least
_KIN = 0.4  # what a word of the same matter counts, beside the word itself
# Vectors take two texts in one foreign language for alike, whatever they are about.
_NEAR_FOREIGN = 0.3
_HALF_SURE = 1.15  # by how much the best must lead to be half sure
_NEXT = 0.5  # what the next nearest decision counts beside the one before
_FADES = 20  # words after which the next tells half as much
_MISREAD = re.compile(r"(?=.*[a-z])(?=.*[01])")
_READ = 6_000  # characters of a paper that are looked at


@dataclass(frozen=True, slots=True)
class FiledFolder:
    """A folder that papers could go to, and the words that are telling for what it holds."""

    path: str
    about: Sequence[str] = ()

    @property
    def name(self) -> str:
        """Its name in words, with those of the folders around it, without the notebook's."""
        return spaced(self.path.partition("/")[2] or self.path)


@dataclass(frozen=True, slots=True)
class PlacingEvidence:
    """What is known beside the folders themselves."""

    guideline: str = ""
    similar: Mapping[str, float] = field(default_factory=dict[str, float])  # paths of files
    wanted: Sequence[str] = ()  # folders in which papers like it were put, one for each
    unwanted: Sequence[str] = ()  # folders that were refused for papers like it


@dataclass(frozen=True, slots=True)
class Place:
    """The folder that a paper belongs in, how sure that is, and why."""

    folder: str
    confidence: float
    reason: str


def place(
    name: str, text: str, folders: Sequence[FiledFolder], known: PlacingEvidence
) -> Place | None:
    """The best folder for a paper; None if there is none, or nothing to go by."""
    paper = _words(name, text[:_READ])
    if not folders or not paper:
        return None
    paper = _with_parts(paper, folders)
    held = _held(paper, folders)
    near = _near(folders, known.similar)
    rules, lines = _ruled(paper, folders, known.guideline)
    decided = [
        _said_of(each.path, known.wanted) - _said_of(each.path, known.unwanted) for each in folders
    ]
    parts = (
        (_HELD, _scaled(held)),
        (_NEAR_FOREIGN if is_foreign(words(text[:_READ])) else _NEAR, _scaled(near)),
        (_NAME, _scaled(vectors.likeness(_gist(name, text), [each.name for each in folders]))),
        (_NAME_WORDS, _scaled(_named(paper, folders))),
        (_TITLE, _titled(name, text, folders)),
        (_RULE, rules),
        (_DECIDED, decided),
    )
    scores = [sum(weight * part[n] for weight, part in parts) for n in range(len(folders))]
    order = sorted(range(len(folders)), key=lambda n: -scores[n])
    first = order[0]
    second = scores[order[1]] if len(order) > 1 else 0.0
    if scores[first] <= 0:
        return None
    lead = max(0.0, scores[first] - second)
    return Place(
        folders[first].path,
        round(min(0.97, lead / (lead + _HALF_SURE)), 2),
        _reason(folders[first], paper, lines.get(first), known),
    )


def _said_of(folder: str, decisions: Sequence[str]) -> float:
    """How much decisions about papers like it speak of a folder; the nearest come first."""
    return sum(_NEXT**place for place, each in enumerate(decisions) if each == folder)


def _words(name: str, text: str) -> Counter[str]:
    """The stems of what a paper says, in English where that is known; its name counts double."""
    found: Counter[str] = Counter()
    top = " ".join(text.strip().splitlines()[:2])
    for part, times in ((spaced(name.rpartition(".")[0] or name), 2), (top, 1), (text, 1)):
        for word in map(_reread, telling(part)):
            if len(word) < 3 or word.isdigit() or is_common(word):
                continue
            found[stem(word)] += times
            for other in english(word):
                found[stem(other)] += 2 * times
    return found


def _with_parts(paper: Counter[str], folders: Sequence[FiledFolder]) -> Counter[str]:
    """The same words, and those of the folders that are part of one of them, or have one as part.

    German writes what belongs together as one word: a Urlaubsantrag has to do with Urlaub.
    """
    known = {stem(word) for folder in folders for word in (*folder.about, *words(folder.name))}
    found = Counter(paper)
    long_known = [word for word in known if len(word) >= _PART]
    for word, count in paper.items():
        if len(word) < _PART:
            continue
        for other in long_known:
            if other != word and (other in word or word in other):
                found[other] += count
    return found


def _reread(word: str) -> str:
    """A word in which a scanner took letters for digits."""
    return word.replace("0", "o").replace("1", "l") if _MISREAD.match(word) else word


def _gist(name: str, text: str) -> str:
    known = [other for word in telling(text[:_READ]) for other in english(word)]
    return f"{spaced(name)} {' '.join(known)} {text}"


def _held(paper: Counter[str], folders: Sequence[FiledFolder]) -> list[float]:
    bags = [_bag(folder.about) for folder in folders]
    spread = Counter(word for bag in bags for word in bag)
    return [
        sum(
            weight * (1 + math.log(paper[word])) * math.log(1 + len(bags) / spread[word])
            for word, weight in bag.items()
            if word in paper
        )
        for bag in bags
    ]


def _bag(about: Sequence[str]) -> dict[str, float]:
    """Telling words without their endings, and what each counts: the first the most."""
    found: dict[str, float] = {}
    for place, word in enumerate(word for word in about if not is_common(word)):
        for each in (word, *english(word)):
            found.setdefault(stem(each), 1 / (1 + place / _FADES))
    return found


def _near(folders: Sequence[FiledFolder], similar: Mapping[str, float]) -> list[float]:
    found: Counter[str] = Counter()
    for path, likeness in similar.items():
        found[folder_of(path)] += max(0.0, likeness)  # pyright: ignore[reportArgumentType]
    return [float(found[folder.path]) for folder in folders]


def _named(paper: Counter[str], folders: Sequence[FiledFolder]) -> list[float]:
    scores: list[float] = []
    length = math.sqrt(sum(paper.values()))
    for folder in folders:
        names = stems(folder.name)
        kin = frozenset[int]().union(*(matters(word) for word in names))
        hits = (
            math.sqrt(count) * (1.0 if word in names else _KIN * bool(matters(word) & kin))
            for word, count in paper.items()
        )
        scores.append(sum(hits) / length)
    return scores


def _titled(name: str, text: str, folders: Sequence[FiledFolder]) -> list[float]:
    """Whether the paper's name or its first lines say the folder's own name."""
    top = " ".join(text.strip().splitlines()[:2])
    said = set(_words(name, top))
    return [
        1.0 if (own := stems(spaced(base(folder.path)))) and own <= said else 0.0
        for folder in folders
    ]


def _ruled(
    paper: Counter[str], folders: Sequence[FiledFolder], guideline: str
) -> tuple[list[float], dict[int, str]]:
    """How many of its words each line that names a folder shares; matched, and never obeyed."""
    scores = [0.0] * len(folders)
    lines: dict[int, str] = {}
    for line in guideline.splitlines():
        place = _folder_in(line, folders)
        if place is None:
            continue
        names = stems(folders[place].name)
        said = {stem(each) for word in telling(line) for each in (word, *english(word))} - names
        shared = [word for word in said if word in paper]
        score = min(3.0, sum(min(1.5, math.sqrt(paper[word])) for word in shared))
        if score > scores[place] and len(shared) >= min(2, len(said)):
            scores[place], lines[place] = score, line.strip(" -*\t")
    return scores, lines


def _folder_in(line: str, folders: Sequence[FiledFolder]) -> int | None:
    """The folder that a line names: the longest of those that stand in it."""
    low = line.casefold()
    named = [
        (len(inner), n)
        for n, folder in enumerate(folders)
        if (inner := (folder.path.partition("/")[2] or folder.path)).casefold() in low
    ]
    return max(named)[1] if named else None


def _scaled(values: Sequence[float]) -> list[float]:
    """How far each is above the mean, in standard deviations."""
    if len(values) < 2:
        return [1.0 if value > 0 else 0.0 for value in values]
    mean, spread = statistics.fmean(values), statistics.pstdev(values)
    return [(value - mean) / spread if spread > 1e-9 else 0.0 for value in values]


def _reason(
    folder: FiledFolder, paper: Counter[str], rule: str | None, known: PlacingEvidence
) -> str:
    if rule:
        return f'The guideline says: "{rule}".'
    beside = [base(path) for path in known.similar if folder_of(path) == folder.path][:2]
    if beside:
        return f"It is most like what is there: {' and '.join(beside)}."
    shared = [word for word in folder.about if stem(word) in paper][:4]
    if shared:
        return f"It speaks of {', '.join(shared)}, as what is there does."
    return f"Its words are closest to the folder's name, {base(folder.path)}."
