"""Finding what a request means: files by name, folder, matter or day; other things by likeness."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import days, results, slots, topics
from bailiwick.offline.arguments import takes
from bailiwick.offline.likeness import alike, overlap
from bailiwick.offline.results import Item, base, folder_of, spaced
from bailiwick.offline.text import stem, stems, words
from bailiwick.offline.toolbox import nouns_in
from bailiwick.offline.work import Steps, Work

MOST_FOLDERS = 6
MOST_LISTED = 200
_LEAST = 0.16
_NEWEST = re.compile(r"\b(?:latest|newest|last|most recent)\b(?!\s+(?:week|month|year|\d))", re.I)


def walk(work: Work, folder: str = "") -> Steps[list[Item]]:
    """What is in a folder and beneath it; at the top, in every notebook."""
    tool = work.box.find("list", "file") or work.box.find("list", "folder")
    if not tool:
        return []
    found: dict[str, Item] = {}
    asked: set[str] = set()
    queue = [folder]
    for _ in range(3):
        wanted: list[tuple[OfferedTool, Mapping[str, Any]]] = [
            (tool, _listing(each)) for each in queue
        ]
        for outcome in (yield from work.calls(wanted, quiet=bool(folder))):
            found |= {item.path or item.name: item for item in results.items(outcome.data)}
        asked |= set(queue)
        queue = [path for path in _unopened(tool, found) if path not in asked][:MOST_FOLDERS]
        if not queue:
            break
    return list(found.values())


def files(work: Work, text: str, *, single: bool = False) -> Steps[list[Item]]:
    """The files that a request means, the best first."""
    named = [each.path for each in slots.files(text) if not each.output]
    if named and all("/" in path for path in named):
        return [Item({"path": path}) for path in named]
    folder = next((path for path in slots.folders(text)), "")
    there = (yield from walk(work, folder)) or ((yield from walk(work)) if folder else [])
    papers = [item for item in there if not item.is_folder]
    if named:
        return [item for path in named for item in papers if _is_called(item.path, path)]
    papers = _in_period(work, text, _within(there, papers, text))
    return (yield from _about(work, text, there, papers, single=single))


def records(work: Work, noun: str, text: str) -> Steps[list[Item]]:
    """Things of another kind, such as mails: those that a request means, the best first."""
    topic = topics.topic(text, work.today)
    found: dict[str, Item] = {}
    searching, listing = work.box.find("search", noun), work.box.any_of(("list", "read"), noun)
    if searching and (query := topics.phrase(text) or topic):
        for each in _queries(query):
            outcome = yield from work.call(
                searching, {"query": each, **span(work, text)}, quiet=True
            )
            found |= {item.id or item.name: item for item in results.items(outcome.data)}
            if found:
                break
    if not found and listing:
        outcome = yield from work.call(listing, {"number": 50, **span(work, text)})
        found |= {item.id or item.name: item for item in results.items(outcome.data)}
    return ranked(
        _in_period(work, text, list(found.values())), topic, newest=bool(_NEWEST.search(text))
    )


def span(work: Work, text: str) -> dict[str, Any]:
    """The days that a request speaks of, for tools that take them."""
    period = days.period(text, work.today)
    return {"start": period.first, "end": period.last} if period else {}


def ranked(items: Sequence[Item], topic: str, *, newest: bool = False) -> list[Item]:
    """Things by their likeness to a topic; those that have nothing to do with it are left out."""
    if newest:
        items = sorted(items, key=lambda item: str(item.day or ""), reverse=True)
    if not topic or not items:
        return [*items]
    scores = alike(topic, [item.described for item in items])
    top = max(scores)
    kept = [(score, place) for place, score in enumerate(scores) if score >= max(_LEAST, top * 0.6)]
    order = sorted(kept, key=lambda pair: pair[1] if newest else -pair[0])
    return [items[place] for _, place in order]


def folders_named(there: Sequence[Item], text: str) -> list[Item]:
    """The folders that a text speaks of by their names."""
    said = {stem(word) for word in words(text)}
    found = [
        item
        for item in there
        if item.is_folder
        and (name := {stem(w) for w in words(spaced(base(item.path)))})
        and name <= said
    ]
    # The deepest is what is meant: "the invoices in Finance".
    return sorted(found, key=lambda item: -item.path.count("/"))


def search_files(work: Work, query: str) -> Steps[list[Item]]:
    """The files whose text holds the words: together, or else the most telling of them."""
    tool = work.box.find("search", "file")
    if not tool or not query:
        return []
    found: dict[str, Item] = {}
    for each in _queries(query):
        outcome = yield from work.call(tool, {"query": each}, quiet=True)
        for item in results.items(outcome.data):
            found.setdefault(item.path or item.name, item)
        if found:
            break
    return list(found.values())


def _queries(query: str) -> list[str]:
    """The whole phrase first, then its longest words alone."""
    said = sorted(dict.fromkeys(words(query)), key=len, reverse=True)
    singles = [word for word in said if len(word) > 2][:3]
    return list(dict.fromkeys([query[:200], *singles]))


def _listing(folder: str) -> dict[str, Any]:
    where = {"path": folder, "folder": folder} if folder else {}
    return {**where, "recursive": True, "number": MOST_LISTED}


def _unopened(tool: OfferedTool, found: Mapping[str, Item]) -> list[str]:
    """Folders whose content was not told."""
    parents = {folder_of(path) for path in found}
    closed = [item for path, item in found.items() if item.is_folder and path not in parents]
    if takes(tool, "recursive") and any(not item.is_folder for item in found.values()):
        closed = [item for item in closed if item.is_notebook]
    return [item.path or item.name for item in closed]


def _is_called(path: str, name: str) -> bool:
    there, said = path.casefold(), name.casefold()
    return there == said or there.endswith("/" + said)


def _within(there: Sequence[Item], papers: Sequence[Item], text: str) -> list[Item]:
    """Only those in the folder that is named as a place."""
    match = re.search(r"\b(?:in|inside|from|of|under|within)\b(?P<where>.+)$", text, re.I | re.S)
    is_place = r"\b(?:folder|inbox|directory|notebook)\b"
    if not match or not (re.search(is_place, text, re.I) or slots.folders(text)):
        return [*papers]
    places = folders_named(there, match["where"])
    for place in places[:1]:
        return [item for item in papers if item.path.startswith(place.path + "/")]
    return [*papers]


def _in_period(work: Work, text: str, items: Sequence[Item]) -> list[Item]:
    """Without those that are known to be from another time, by their name."""
    period = days.period(text, work.today)
    if not period:
        return [*items]
    dated = [(item, days.first(item.name.replace("_", "-"))) for item in items]
    return [item for item, day in dated if day is None or period.holds(day)]


def _about(
    work: Work, text: str, there: Sequence[Item], papers: Sequence[Item], *, single: bool
) -> Steps[list[Item]]:
    phrase = topics.phrase(text)
    topic = topics.topic(text, work.today)
    if phrase:
        return (yield from search_files(work, phrase))
    if not topic:
        return [*papers] if nouns_in(text) or slots.folders(text) else []
    named = _by_name(papers, topic, single=single)
    if named:
        return named
    found = yield from search_files(work, topic)
    known = {item.path for item in papers}
    # A search does not know of days and folders; the listing did.
    kept = [item for item in found if not there or item.path in known]
    return ranked(kept, topic) or kept or _near(papers, topic)


def _by_name(papers: Sequence[Item], topic: str, *, single: bool) -> list[Item]:
    """Files whose path has the words of the topic: the name counts more than the folders."""
    scored: list[tuple[float, int]] = []
    for place, item in enumerate(papers):
        score = overlap(topic, spaced(item.path)) + 0.1 * overlap(topic, spaced(base(item.path)))
        if score >= 0.3:
            scored.append((score, place))
    if not scored:
        return []
    top = max(score for score, _ in scored)
    least = top if single else max(0.5, top * 0.8)
    kept = [pair for pair in scored if pair[0] >= min(least, top)]
    return [papers[place] for _, place in sorted(kept, key=lambda pair: (-pair[0], pair[1]))]


def _near(papers: Sequence[Item], topic: str) -> list[Item]:
    if not papers or not stems(topic):
        return []
    scores = alike(topic, [spaced(item.path) for item in papers])
    order = sorted(range(len(papers)), key=lambda place: -scores[place])
    return [papers[place] for place in order[:3] if scores[place] >= _LEAST]
