"""Filing papers: each goes to the folder that it is most like, or stays where it is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bailiwick.llm import vectors
from bailiwick.offline import results, slots, topics
from bailiwick.offline.extraction import said_in, warnings
from bailiwick.offline.intents import RequestIntent, bare
from bailiwick.offline.kinship import matters
from bailiwick.offline.plans import lookup
from bailiwick.offline.plans.material import read_files
from bailiwick.offline.plans.read import nothing
from bailiwick.offline.results import Item, base, folder_of, spaced
from bailiwick.offline.text import frequent, stem, stems
from bailiwick.offline.work import MOST_AT_ONCE, Doc, Steps, Work

LEAST = 0.2
_AHEAD = 0.05  # by how much the best must lead
_ASKS = re.compile(r"^\W*(?:which|what|where|suggest|propose|recommend)\b|\?\s*$", re.IGNORECASE)
_NAME, _HELD = 1.0, 0.6  # what the folder's name counts, and what it holds
_KIN = 0.6  # what a word of the same matter counts, beside the word itself


@dataclass(slots=True)
class FolderCandidate:
    """A folder, and all that is known of what belongs there."""

    path: str
    held: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """Its name in words, with those of the folders around it."""
        return spaced(self.path.partition("/")[2] or self.path)

    @property
    def contents(self) -> str:
        """The names of what it holds."""
        return " ".join(_words(each) for each in self.held[:20])


def file_away(work: Work, intent: RequestIntent) -> Steps[str]:
    """Move papers to the folders that suit them; asked only where, say only where."""
    there = yield from lookup.walk(work)
    papers = yield from _papers(work, intent.text, there)
    folders = _folders(there, {folder_of(item.path) for item in papers})
    if not papers or not folders:
        return (
            nothing(work, intent.text) if not papers else "There is no folder to put anything in."
        )
    yield from _guided(work, folders)
    docs = yield from read_files(work, papers[:MOST_AT_ONCE])
    chosen = {doc.name: _choice(doc, folders) for doc in docs}
    if _ASKS.search(bare(intent.text)) and not work.box.find("create", "suggestion"):
        said = [_where(name, folder) for name, folder in chosen.items()]
    else:
        said = yield from _moved(work, chosen)
    left = len(papers) - len(papers[:MOST_AT_ONCE])
    said += [f"{left} more are left; ask me again for those."] if left else []
    return "\n".join([*said, *warnings(docs)])


def _papers(work: Work, text: str, there: Sequence[Item]) -> Steps[list[Item]]:
    named = [each.path for each in slots.files(text)]
    papers = [item for item in there if not item.is_folder]
    if named:
        known = [i for name in named for i in papers if i.path.casefold().endswith(name.casefold())]
        return known or [Item({"path": name}) for name in named if "/" in name]
    waiting = [item for item in papers if _in_inbox(item.path)]
    topic = topics.topic(text, work.today)
    if topic:
        # "the letter from the bank": one of them, wherever it is
        among = lookup.ranked(waiting, topic) or (yield from lookup.files(work, text))
        return among or waiting
    places = [place for place in lookup.folders_named(there, text) if not place.is_notebook]
    for place in places[:1]:
        return [item for item in papers if item.path.startswith(place.path + "/")]
    return waiting or [item for item in papers if item.path.count("/") <= 1]


def _in_inbox(path: str) -> bool:
    return any(
        part.lower() in ("inbox", "incoming", "new", "scans") for part in path.split("/")[:-1]
    )


def _folders(there: Sequence[Item], sources: set[str]) -> list[FolderCandidate]:
    """Every folder that papers could go to, with what it holds."""
    found = {
        item.path: FolderCandidate(item.path)
        for item in there
        if item.is_folder
        and not item.is_notebook
        and item.path not in sources
        and not _in_inbox(item.path + "/x")
    }
    for item in there:
        if not item.is_folder and (folder := found.get(folder_of(item.path))):
            folder.held.append(base(item.path))
    return list(found.values())


def _guided(work: Work, folders: Sequence[FolderCandidate]) -> Steps[None]:
    """What a guideline says of a folder is known of it, too; it is matched, and never obeyed."""
    tool = work.box.find("read", "guideline")
    if not tool:
        return
    outcome = yield from work.call(tool, {}, quiet=True)
    for line in results.text_of(outcome.data).splitlines() if outcome.ok else ():
        for folder in folders:
            if base(folder.path).lower() in line.lower():
                folder.held.insert(0, line)


def _choice(doc: Doc, folders: Sequence[FolderCandidate]) -> str:
    """The folder for a paper; empty if none stands out."""
    start = " ".join(said_in(doc.text)[:8])[:1200]
    about = f"{_words(base(doc.name))} {doc.facts.get('subject', '')} {start}"
    key = frequent([about], most=25)
    near = vectors.likeness(" ".join(key), [folder.name for folder in folders])
    scores = [
        found / (found + 1.5) + 0.5 * max(0.0, vector)
        for found, vector in zip(_evidence(key, folders), near, strict=True)
    ]
    order = sorted(range(len(folders)), key=lambda place: -scores[place])
    top = scores[order[0]]
    second = scores[order[1]] if len(order) > 1 else 0.0
    return folders[order[0]].path if top >= LEAST and top - second >= _AHEAD else ""


def _evidence(key: Sequence[str], folders: Sequence[FolderCandidate]) -> list[float]:
    """How many words of a paper speak for each folder; one that speaks for all speaks for none."""
    names = [stems(folder.name) for folder in folders]
    held = [stems(folder.contents) for folder in folders]
    kin = [_matters(each) for each in names], [_matters(each) for each in held]
    found = [0.0] * len(folders)
    for word in {stem(each) for each in key}:
        own = matters(word)
        hits = [
            _NAME * max(word in names[n], _KIN * bool(own & kin[0][n]))
            + _HELD * max(word in held[n], _KIN * bool(own & kin[1][n]))
            for n in range(len(folders))
        ]
        total = sum(hits)
        for place, hit in enumerate(hits):
            found[place] += hit * hit / total if total else 0.0
    return found


def _matters(words: set[str]) -> frozenset[int]:
    return frozenset[int]().union(*(matters(word) for word in words))


def _words(name: str) -> str:
    """A file's name in words, without its ending and numbers."""
    return " ".join(
        word for word in spaced(name.rpartition(".")[0] or name).split() if word.isalpha()
    )


def _moved(work: Work, chosen: Mapping[str, str]) -> Steps[list[str]]:
    suggesting = work.box.find("create", "suggestion")
    tool = work.box.find("move", "file") or suggesting
    if not tool:
        return [
            *(_where(name, folder) for name, folder in chosen.items()),
            "I was given no tool to move files.",
        ]
    going = [(name, folder) for name, folder in chosen.items() if folder]
    given = [
        (
            tool,
            {
                "path": name,
                "to": f"{folder}/{base(name)}",
                "to_folder": folder,
                "notes": f"It is most like what is in {base(folder)}.",
            },
        )
        for name, folder in going
    ]
    outcomes = yield from work.calls(given)
    verb = "moved" if tool is not suggesting else "suggested to move"
    said = [
        f"- I {verb} {base(name)} to {folder}."
        for (name, folder), came in zip(going, outcomes, strict=True)
        if came.ok
    ]
    return said + [_where(name, "") for name, folder in chosen.items() if not folder]


def _where(name: str, folder: str) -> str:
    if folder:
        return f"- {base(name)} belongs in {folder}."
    return f"- {base(name)} stays: no folder is clearly like it."
