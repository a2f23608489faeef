"""Tasks: new ones from a request or a text, ticking off, another day."""

import re
from collections.abc import Sequence

from bailiwick.offline import days, results, slots, topics
from bailiwick.offline.actions import ActionItem, actions
from bailiwick.offline.intents import RequestIntent, bare
from bailiwick.offline.likeness import alike
from bailiwick.offline.plans.material import gather
from bailiwick.offline.plans.read import nothing
from bailiwick.offline.results import Item
from bailiwick.offline.text import shortened, words
from bailiwick.offline.work import MOST_AT_ONCE, Steps, Work

_LEAST = 0.3
_LONGEST_SAID = 1_000  # characters in which a title is looked for
_TASK = r"(?:tasks?|to-?\s?dos?|reminders?|to-do items?|action items?)"
_FROM_TEXT = re.compile(
    rf"\b(?:{_TASK}|actions?)\b.{{0,40}}\b(?:from|out of|in|of|for (?:each|every)|based on)\b"
    r"|\b(?:turn|extract|pull)\b|\b(?:everything|all|each|whatever|"
    r"what)\b.{0,30}\b(?:to (?:be done|do)|needs? (?:doing|to be done))\b"
    r"|\b(?:add|put|note|make) (?:it|them|these|those|this|that)\b",
    re.IGNORECASE | re.DOTALL,
)
_WHAT = re.compile(r"\bneeds? (?:doing|to be done)\b|\bto be done\b", re.IGNORECASE)
_LEADS = (
    re.compile(r"^.*?\bnote to (?:self|myself)\b[\s:,]*(?:to )?", re.I | re.S),
    re.compile(
        r"^.*?\bremind (?:me|us)\b\s*(?:on \S+\s|tomorrow\s|today\s)?(?:to|about|of|that)?\s*",
        re.I | re.S,
    ),
    re.compile(
        rf"^.*?\b{_TASK}\b\s*(?::|to|for me to|called|named|that says|saying|\u2013|-)\s*",
        re.I | re.S,
    ),
    re.compile(
        rf"^(?:create|add|make|put|new|open|set up|note|record|write)\s+(?:a |an |the |new |"
        rf"another )*{_TASK}?\s*(?:for|about|:)?\s*",
        re.I,
    ),
)
_TAILS = re.compile(
    rf"(?<!\s)\s*\b(?:(?:to|on|in|onto) (?:my|the|our) (?:{_TASK}(?: list)?|list|agenda|plan)|"
    rf"as an? (?:new )?{_TASK}|{_TASK} list)\b",
    re.IGNORECASE,
)
_LEFT_OVER = re.compile(
    r"(?:\s|,|\b(?:on|by|until|till|before|due|at|for|the|in|to|and)\b)+$|^(?:to|that|about|"
    r"for)\s+",
    re.IGNORECASE,
)


def add(work: Work, intent: RequestIntent) -> Steps[str]:
    """Put new tasks on the list."""
    tool = work.box.find("create", "task")
    if not tool:
        return "I was given no tool to create tasks."
    wanted = yield from _wanted(work, intent.text)
    if not wanted:
        return nothing(work, intent.text)
    given = [
        (tool, {"title": each.title, "due": each.due, "notes": None})
        for each in wanted[:MOST_AT_ONCE]
    ]
    outcomes = yield from work.calls(given)
    made = [each for each, came in zip(wanted, outcomes, strict=False) if came.ok]
    lines = [f"- {each.title}{f' (due {each.due})' if each.due else ''}" for each in made]
    work.product = "\n".join(lines)
    return "I put on the list:\n\n" + work.product if made else ""


def finish(work: Work, intent: RequestIntent) -> Steps[str]:
    """Tick off the task that is meant."""
    tool = work.box.find("complete", "task")
    if not tool:
        return "I was given no tool to complete tasks."
    found = yield from _meant(work, intent.text)
    if isinstance(found, str):
        return found
    came = yield from work.calls([(tool, {"id": each.id}) for each in found])
    done = [each.name for each, one in zip(found, came, strict=True) if one.ok]
    return f"Done: {', '.join(done)}." if done else ""


def change(work: Work, intent: RequestIntent) -> Steps[str]:
    """Give a task another day."""
    tool, due = work.box.find("edit", "task"), _last_day(work, intent.text)
    if not tool or not due:
        return (
            "I was given no tool to change tasks."
            if not tool
            else "Your words do not tell me the new day."
        )
    found = yield from _meant(work, intent.text)
    if isinstance(found, str):
        return found
    came = yield from work.call(tool, {"id": found[0].id, "due": due})
    return f"{found[0].name} is now due on {due}." if came.ok else ""


def _wanted(work: Work, text: str) -> Steps[list[ActionItem]]:
    named = [each for each in slots.files(text) if not each.output]
    handed = bool(named or work.request.material or work.docs or topics.points_back(text))
    handed = handed or bool(_WHAT.search(text))
    if handed and (_FROM_TEXT.search(text) or named) and not slots.quoted(text):
        docs = [] if named else [*work.docs]
        if not docs:
            about = re.sub(_TASK, " ", text if named else work.request.asked, flags=re.IGNORECASE)
            docs = yield from gather(work, about)
        return [each for doc in docs for each in actions(doc.text, work.today)]
    due = _last_day(work, text)
    return [ActionItem(title, due) for title in _titles(work, text)]


def _titles(work: Work, text: str) -> list[str]:
    if quotes := slots.quoted(text):
        return quotes
    left = bare(text)
    for each in days.mentioned(left, work.today):
        left = left.replace(each.said, "", 1)
    tailless = _TAILS.sub("", left)
    lead = next(
        (made for rule in _LEADS if (made := rule.sub("", tailless, count=1)) != tailless), tailless
    )
    pieces = re.split(r"(?<!\s)\s*[;\n]\s*|,\s*(?=\w+ )(?:and )?", lead) if ":" in text else [lead]
    return [title for piece in pieces if len(words(title := _trimmed(piece))) > 0]


def _trimmed(title: str) -> str:
    left = " ".join(title.split())[:_LONGEST_SAID].strip(" .!?:-\u2013")
    while (made := _LEFT_OVER.sub("", left).strip(" .")) != left:
        left = made
    return shortened(left[:1].upper() + left[1:], 200)


def _meant(work: Work, text: str) -> Steps[list[Item] | str]:
    """The open task that is meant, or what to say if there is no such task."""
    tool = work.box.any_of(("list", "search"), "task")
    if not tool:
        return "I was given no tool to list tasks."
    outcome = yield from work.call(tool, {"number": 200})
    items = [item for item in results.items(outcome.data) if item.facts.get("status") != "done"]
    asked = topics.phrase(text) or topics.topic(text, work.today)
    asked = asked or topics.topic(work.request.asked, work.today) or text
    scores = alike(asked, [item.described for item in items])
    if not scores or max(scores) < _LEAST:
        return f'There is no open task like "{asked}".{_open(items)}'
    top = max(scores)
    best = [item for item, score in zip(items, scores, strict=True) if score >= 0.97 * top]
    if len(best) > 1 and not topics.is_plural(text):
        return f"Several tasks could be meant, so I changed none.{_open(best)}"
    return best


def _open(items: Sequence[Item]) -> str:
    lines = "\n".join(f"- {item.name}" for item in items[:8])
    return f" There are:\n\n{lines}" if lines else ""


def _last_day(work: Work, text: str) -> "days.date | None":
    found = days.mentioned(text, work.today)
    return found[-1].day if found else None
