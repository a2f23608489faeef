"""Reading, listing, searching, summing up, answering from what was read, and telling the mood."""

import re
from collections.abc import Sequence

from bailiwick.offline import days, mood, results, slots, topics
from bailiwick.offline.evidence import answered
from bailiwick.offline.extraction import warnings
from bailiwick.offline.facts import facts_of
from bailiwick.offline.intents import RequestIntent
from bailiwick.offline.plans import lookup
from bailiwick.offline.plans.material import at_hand, gather, read_files
from bailiwick.offline.results import Item
from bailiwick.offline.summaries import is_talk, of_talk, summary
from bailiwick.offline.text import shortened
from bailiwick.offline.toolbox import nouns_in
from bailiwick.offline.work import Doc, Steps, Work

LONGEST_TEXT = 4_000
_LISTED = 30
_LATE = re.compile(r"\boverdue\b|\btoo late\b|\blate\b|\banything\b|\bstill open\b", re.IGNORECASE)
_SURE = 0.65  # an answer from memory that needs no other
_DONE = re.compile(r"\b(?:done|finished|completed|closed|ticked)\b", re.IGNORECASE)


def read(work: Work, intent: RequestIntent) -> Steps[str]:
    """Show a text as it stands."""
    docs = yield from gather(work, intent.text, single=not topics.is_plural(intent.text))
    if not docs:
        return nothing(work, intent.text)
    shown = [f"**{doc.name}**\n\n{_cut(doc.text)}" if doc.name else _cut(doc.text) for doc in docs]
    work.product = "\n\n".join(doc.text for doc in docs)
    return "\n\n".join([*shown, *warnings(docs)])


def listed(work: Work, intent: RequestIntent) -> Steps[str]:
    """Say which things there are."""
    noun = _noun(work, intent.text)
    if noun in ("file", "folder"):
        items = yield from _files(work, intent.text)
    else:
        items = yield from _things(work, noun, intent.text)
    if not items:
        return nothing(work, intent.text)
    lines = [f"- {_line(item)}" for item in items[:_LISTED]]
    if len(items) > _LISTED:
        lines.append(f"- and {len(items) - _LISTED} more")
    work.product = "\n".join(lines)
    return work.product


def search(work: Work, intent: RequestIntent) -> Steps[str]:
    """Say where something is."""
    noun = _noun(work, intent.text)
    if noun in ("file", "folder"):
        items = yield from _found(work, intent.text)
    else:
        items = yield from lookup.records(work, noun, intent.text)
    if not items:
        return nothing(work, intent.text)
    work.product = "\n".join(f"- {_line(item)}" for item in items[:10])
    return f"I found:\n\n{work.product}"


def summarise(work: Work, intent: RequestIntent) -> Steps[str]:
    """Sum up by the texts' own sentences."""
    if work.product and topics.points_back(intent.text) and not topics.topic(intent.text):
        docs = work.docs
    else:
        docs = yield from gather(work, intent.text)
    if not docs:
        return nothing(work, intent.text)
    talk = len(docs) == 1 and not docs[0].name and (is_talk(docs[0].text) or not docs[0].facts)
    query = topics.topic(intent.text, work.today)
    work.product = of_talk(docs[0].text) if talk else summary(docs, query=query)
    if not work.product:
        return "I read it, but there is no sentence in it that I could quote."
    return "\n\n".join([work.product, *warnings(docs)])


def answer(work: Work, intent: RequestIntent) -> Steps[str]:
    """Answer a question by the sentence that fits it best, in memory or in files."""
    docs = at_hand(work, intent.text) or [*work.docs]
    if not docs:
        # A day in a question is rarely the day of the paper that answers it.
        docs = yield from _evidence(work, days.without(intent.text, work.today))
    work.docs = docs or work.docs
    best = answered(intent.text, docs)
    if not best:
        return nothing(work, intent.text)
    work.product = best[0].text
    lines = [f"{quote.text}" + (f" ({quote.source})" if quote.source else "") for quote in best]
    return "\n\n".join([*lines, *warnings(docs)])


def tell_mood(work: Work, intent: RequestIntent) -> Steps[str]:
    """Tell the mood of a text, with the sentence that shows it."""
    docs = yield from gather(work, intent.text, single=True)
    if not docs:
        return nothing(work, intent.text)
    work.product = "\n\n".join(mood.described(doc) for doc in docs)
    return "\n\n".join([work.product, *warnings(docs)])


def tell_facts(work: Work, intent: RequestIntent) -> Steps[str]:
    """Tell the facts of a text, as JSON."""
    docs = yield from gather(work, intent.text, single=True)
    if not docs:
        return nothing(work, intent.text)
    work.product = facts_of(docs[0])
    return work.product


def nothing(work: Work, text: str) -> str:
    """That nothing was found, and for what it was looked."""
    if work.troubles:
        return ""
    period = days.period(text, work.today)
    named = [each.path for each in slots.files(text)]
    about = topics.phrase(text) or ", ".join(named) or topics.topic(text, work.today)
    what = f' for "{about}"' if about else ""
    when = f" ({period.said}: {period.first} to {period.last})" if period else ""
    return f"I found nothing{what}{when}."


def _files(work: Work, text: str) -> Steps[list[Item]]:
    folder = next(iter(slots.folders(text)), "")
    there = (yield from lookup.walk(work, folder)) or (
        (yield from lookup.walk(work)) if folder else []
    )
    if folder:
        return there
    only_folders = "folder" in nouns_in(text) and not re.search(
        r"\b(?:files|papers|documents|in)\b", text
    )
    if only_folders:
        return [item for item in there if item.is_folder]
    places = lookup.folders_named(there, text)
    if places:
        return [item for item in there if item.path.startswith(places[0].path + "/")]
    papers = [item for item in there if not item.is_folder]
    period = days.period(text, work.today)
    if period:
        papers = [item for item in papers if item.day and period.holds(item.day)]
    topic = topics.topic(text, work.today)
    return (lookup.ranked(papers, topic) if topic else papers) or []


def _things(work: Work, noun: str, text: str) -> Steps[list[Item]]:
    tool = work.box.any_of(("list", "search", "read"), noun)
    if not tool:
        return []
    status = "done" if _DONE.search(text) else None
    given = {"number": 50, "status": status, "query": "", **lookup.span(work, text)}
    outcome = yield from work.call(tool, given)
    items = results.items(outcome.data)
    period = days.period(text, work.today)
    if period:
        items = [item for item in items if item.day and period.holds(item.day)]
    if work.today and _LATE.search(text):
        items = [item for item in items if item.day and item.day < work.today]
    topic = topics.topic(_LATE.sub(" ", text), work.today)
    return lookup.ranked(items, topic) if topic and noun != "agent" else items


def _found(work: Work, text: str) -> Steps[list[Item]]:
    query = topics.phrase(text) or topics.topic(text, work.today)
    items = yield from lookup.search_files(work, query)
    if not items:
        items = yield from lookup.files(work, text)
    return items if topics.phrase(text) else (lookup.ranked(items, query) or items)


def _evidence(work: Work, text: str) -> Steps[list[Doc]]:
    """Texts that may hold the answer: memories first, then the files that fit."""
    docs: list[Doc] = []
    named = bool(slots.files(text))
    if not named and (work.box.find("search", "memory")):
        items = yield from lookup.records(work, "memory", text)
        docs += [Doc("memory", results.text_of(item.facts)) for item in items[:5]]
        if any(quote.score >= _SURE for quote in answered(text, docs)):
            return docs
    noun = next((n for n in nouns_in(text) if n in ("email", "event", "task")), "")
    if noun and noun in work.box.nouns:
        return docs + (yield from gather(work, text))
    found: list[Item] = []
    if not named:
        query = topics.phrase(text) or topics.topic(text, work.today)
        found = yield from lookup.search_files(work, query)
    more = yield from lookup.files(work, text)
    known = {item.path: item for item in [*more[:3], *found[:3]]}
    return docs + (yield from read_files(work, [*known.values()]))


def _noun(work: Work, text: str) -> str:
    known = [noun for noun in nouns_in(text) if noun in work.box.nouns]
    if known and known[0] == "email" and "file" in known:
        return "file"  # "the files in the inbox" are files
    if "email" in known and re.search(r"\binbox\b", text) and not re.search(r"mail|message", text):
        return "file" if work.box.find("list", "file") else "email"
    if (
        re.search(
            r"\b(?:over)?due\b|\bto do\b|\bshould (?:i|we) do\b|\bon my (?:list|plate)\b", text
        )
        and "task" in work.box.nouns
    ):
        return "task"
    return known[0] if known else "file"


def _line(item: Item) -> str:
    facts = item.facts
    lines = facts.get("lines")
    quote = (
        next((f": {shortened(str(each), 160)}" for each in lines), "")
        if isinstance(lines, Sequence) and not isinstance(lines, str)
        else ""
    )
    due = f" (due {facts['due']})" if facts.get("due") else ""
    done = ", done" if facts.get("status") == "done" else ""
    sender = f", from {facts['from']}" if isinstance(facts.get("from"), str) else ""
    return f"{shortened(item.name, 200)}{sender}{due}{done}{quote}"


def _cut(text: str) -> str:
    if len(text) <= LONGEST_TEXT:
        return text.strip()
    return text[:LONGEST_TEXT].rsplit(" ", 1)[0] + f"\u2026\n\n({len(text)} characters in all)"
