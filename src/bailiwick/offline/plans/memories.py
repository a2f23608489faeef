"""Remembering and recalling."""

import re

from bailiwick.offline import topics
from bailiwick.offline.intents import RequestIntent, bare
from bailiwick.offline.plans import lookup
from bailiwick.offline.plans.read import nothing
from bailiwick.offline.results import text_of
from bailiwick.offline.work import Steps, Work

_LEAD = re.compile(
    r"^(?:also |and |please )*(?:remember|memori[sz]e|keep in mind|bear in mind|never forget|"
    r"do not forget|don't forget|make a (?:mental )?note|note for later|note|for future reference|"
    r"take note|save|store|add|put|commit|keep)\b[\s,:]*(?:(?:to|in|into) (?:your |my |the |"
    r"long-term )?memory[\s,:]*)?"
    r"(?:for (?:later|me|everyone|all|the team)[\s,:]*)?(?:that|this|of the fact that)?[\s,:]*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?<![\s,])[\s,]*\b"
    r"(?:(?:to|in|into) (?:your |my |the |long-term )?memory|for (?:later|everyone|"
    r"all of us|the (?:whole )?team|everybody))\W*$",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\bfor (?:everyone|everybody|all of us|the (?:whole )?(?:team|office|workspace))\b", re.I
)


def remember(work: Work, intent: RequestIntent) -> Steps[str]:
    """Keep what the person said, or what was just found."""
    tool = work.box.any_of(("create",), "memory")
    if not tool:
        return "I was given no tool to remember things."
    said = _TAIL.sub("", _LEAD.sub("", bare(intent.text), count=1)).strip(" .")
    if (not topics.topic(said) or topics.points_back(said[:12])) and work.product:
        said = work.product
    if not said:
        return "Your words do not tell me what to remember."
    content = said[:1].upper() + said[1:]
    reach = "global" if _ALL.search(intent.text) else None
    came = yield from work.call(tool, {"content": content, "reach": reach})
    return f"I will remember: {content}" if came.ok else ""


def recall(work: Work, intent: RequestIntent) -> Steps[str]:
    """Say what is remembered about something."""
    if not work.box.any_of(("search", "list", "read"), "memory"):
        return "I was given no tool to recall things."
    items = yield from lookup.records(work, "memory", intent.text)
    if not items:
        return nothing(work, intent.text)
    work.product = "\n".join(f"- {text_of(item.facts) or item.name}" for item in items[:8])
    return f"I remember:\n\n{work.product}"
