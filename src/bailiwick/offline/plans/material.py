"""Reading what a request means, whatever it is: handed over, named before, or to be found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bailiwick.offline import days, results, slots, topics
from bailiwick.offline.plans import lookup
from bailiwick.offline.results import Item
from bailiwick.offline.toolbox import nouns_in
from bailiwick.offline.transcript import Turn
from bailiwick.offline.work import MOST_AT_ONCE, Doc, Steps, Work

_TALK = re.compile(
    r"\b(?:conversation|chat|discussion|dialogue|so far|thread|we (?:said|discussed))\b", re.I
)
# Of one text: several must fit into one conversation, so that nothing of it has to be folded.
LONGEST_READ = 12_000
_RECORDS = ("email", "event", "item", "task", "memory")


def gather(work: Work, text: str, *, single: bool = False) -> Steps[list[Doc]]:
    """The texts that a request is about; they stay at hand for what is asked next."""
    docs = at_hand(work, text)
    if not docs:
        docs = yield from _fetched(work, text, single=single)
    work.docs = docs or work.docs
    return docs


def at_hand(work: Work, text: str) -> list[Doc]:
    """Texts that need no tool: handed over with the request, or read before."""
    if any(not named.output for named in slots.files(text)) and not work.request.material:
        return []
    if work.request.material:
        return [Doc("", work.request.material, facts=headers(work.request.material))]
    if _TALK.search(text) and work.talk.earlier:
        return [Doc("", _as_text(work.talk.earlier))]
    if topics.points_back(text) and not topics.topic(text, work.today):
        return work.docs or _read_before(work.talk.earlier)
    return []


def read_files(work: Work, items: Sequence[Item]) -> Steps[list[Doc]]:
    """The texts of files; what cannot be read is told, and left out."""
    tool = work.box.find("read", "file")
    if not tool:
        return []
    chosen = items[:MOST_AT_ONCE]
    wanted = [
        (tool, {"path": item.path or item.name, "id": item.id or None, "number": LONGEST_READ})
        for item in chosen
    ]
    outcomes = yield from work.calls(wanted)
    docs: list[Doc] = []
    for item, outcome in zip(chosen, outcomes, strict=True):
        if outcome.ok and (text := results.text_of(outcome.data)):
            facts = {**headers(text), **results.heading(outcome.data)}
            name = facts.get("path") or item.path or item.name
            if _is_part(outcome.data, text):
                work.notes.append(f"I read only the beginning of {name}.")
            docs.append(Doc(name, text[:LONGEST_READ], _day(item, text), facts))
    return docs


def headers(text: str) -> dict[str, str]:
    """The fields at the top of a mail or a page: from whom, about what, when."""
    found: dict[str, str] = {}
    for line in text.lstrip("-\n\r ").splitlines()[:12]:
        if match := re.match(r"^[*> ]*([A-Za-z][\w -]{1,20}?)[* ]*:[* ]*(\S.{0,200})$", line):
            found.setdefault(match[1].lower(), match[2].strip().strip('"'))
    return found


def in_period(work: Work, text: str, docs: Sequence[Doc]) -> list[Doc]:
    """Only the texts from the time that a request speaks of."""
    period = days.period(text, work.today)
    if not period:
        return [*docs]
    return [doc for doc in docs if doc.day is not None and period.holds(doc.day)]


def _is_part(data: object, text: str) -> bool:
    more = data.get("next_offset") if isinstance(data, Mapping) else None
    return more is not None or len(text) > LONGEST_READ


def _fetched(work: Work, text: str, *, single: bool) -> Steps[list[Doc]]:
    noun = next((n for n in nouns_in(text) if n in _RECORDS and n in work.box.nouns), "")
    if noun and not slots.files(text):
        return (yield from _records(work, noun, text, single=single))
    items = yield from lookup.files(work, text, single=single)
    docs = yield from read_files(work, items[:1] if single else items)
    if not docs and items and any("/" in named.path for named in slots.files(text)):
        docs = yield from _read_elsewhere(work, items)
    return in_period(work, text, docs)


def _read_elsewhere(work: Work, items: Sequence[Item]) -> Steps[list[Doc]]:
    """A path that does not exist as it stands may be the end of one that does."""
    there = yield from lookup.walk(work)
    names = [item.path.casefold() for item in items]
    found = [
        item
        for item in there
        if not item.is_folder and any(item.path.casefold().endswith("/" + name) for name in names)
    ]
    if found:
        work.troubles.clear()
    return (yield from read_files(work, found)) if found else []


def _records(work: Work, noun: str, text: str, *, single: bool) -> Steps[list[Doc]]:
    items = yield from lookup.records(work, noun, text)
    chosen = items[:1] if single else items[:MOST_AT_ONCE]
    tool = work.box.find("read", noun)
    if not tool or all(results.text_of(item.facts) for item in chosen):
        return [_doc(item, item.facts) for item in chosen]
    outcomes = yield from work.calls(
        [(tool, {"id": item.id, "path": item.path}) for item in chosen]
    )
    pairs = zip(chosen, outcomes, strict=True)
    return [_doc(item, outcome.data) for item, outcome in pairs if outcome.ok]


def _doc(item: Item, data: object) -> Doc:
    facts = {**results.heading(item.facts), **results.heading(data)}
    text = results.text_of(data) or results.text_of(item.facts) or item.name
    return Doc(item.name, text, item.day, {key.lower(): value for key, value in facts.items()})


def _day(item: Item, text: str) -> "days.date | None":
    """By its name, or else by the first lines of its text, or else by when it was changed."""
    named = days.first(item.name.replace("_", "-"))
    # A date in a whole sentence may be any day; one in a short line at the top is the text's own.
    top = "\n".join(line for line in text.splitlines()[:6] if len(line) < 60)
    return named or days.first(top) or item.day


def _read_before(turns: Sequence[Turn]) -> list[Doc]:
    """What was read for the request before this one."""
    for turn in reversed(turns):
        docs: list[Doc] = []
        for call in turn.calls:
            text = results.text_of(call.outcome.data) if call.outcome.ok else ""
            name = call.arguments.get("path") or results.heading(call.outcome.data).get("path", "")
            if text and not results.items(call.outcome.data):
                docs.append(Doc(str(name), text, None, headers(text)))
        if docs:
            return [replace(doc) for doc in docs]
    return []


def _as_text(turns: Sequence[Turn]) -> str:
    return "\n\n".join(part for turn in turns for part in (turn.said, turn.answer) if part)
