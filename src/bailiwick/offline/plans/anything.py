"""Tools that no other plan knows: chosen by their words, filled from the request."""

import re
from datetime import datetime, time, timedelta
from typing import Any

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import days, results, slots, topics
from bailiwick.offline.arguments import fill, slots_of
from bailiwick.offline.intents import RequestIntent, RequestKind, bare
from bailiwick.offline.likeness import alike
from bailiwick.offline.results import spaced
from bailiwick.offline.text import shortened, stem, words
from bailiwick.offline.toolbox import Verb, nouns_in
from bailiwick.offline.work import Steps, Work

_LEAST = 0.3
_PROPER = re.compile(r"(?<![.!?] )(?<!^)\b([A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*)")
_TITLED = re.compile(r"\b(?:called|named|titled|for|about|with)\s+(?P<title>.+)$", re.I | re.S)
_ONLY: dict[RequestKind, tuple[Verb, ...]] = {
    RequestKind.LIST: ("list", "search", "read"),
    RequestKind.READ: ("read", "list"),
    RequestKind.SEARCH: ("search", "list"),
    RequestKind.ASK: ("read", "search", "list"),
    RequestKind.DELETE: ("delete",),
    RequestKind.SEND: ("send",),
}


def tool_named(work: Work, intent: RequestIntent) -> OfferedTool | None:
    """The tool whose own words, those that set it apart, all stand in the request."""
    said = {stem(word) for word in words(intent.text)}
    fitting = [
        each
        for each in work.box.known
        if each.rest
        and each.rest <= said
        and (intent.kind not in _ONLY or each.verb is None or each.verb in _ONLY[intent.kind])
    ]
    return max(fitting, key=lambda each: len(each.rest)).tool if fitting else None


def tool_like(work: Work, intent: RequestIntent) -> OfferedTool | None:
    """The tool that is most like the request, if any is like it enough."""
    said = set(nouns_in(intent.text))
    tools = [
        each.tool
        for each in work.box.known
        if each.tool not in work.box.agents and (not said or not each.nouns or said & each.nouns)
    ]
    if not tools:
        return None
    scores = alike(intent.text, [f"{spaced(tool.name)} {tool.description}" for tool in tools])
    top = max(scores)
    return tools[scores.index(top)] if top >= _LEAST else None


def use(work: Work, intent: RequestIntent, tool: OfferedTool) -> Steps[str]:
    """Call a tool with whatever the request tells of its parameters."""
    given = found(work, intent.text)
    for name in fill(tool, given).missing:
        given |= dict.fromkeys(slots_of(name)[:1], given["proper"] or given["topic"] or None)
    came = yield from work.call(tool, given)
    if not came.ok:
        return ""
    listed = results.items(came.data)
    if listed:
        work.product = "\n".join(f"- {shortened(item.name, 200)}" for item in listed[:20])
    else:
        work.product = results.text_of(came.data) or _facts(came.data)
    return work.product or f"Done: {spaced(tool.name)}."


def found(work: Work, text: str) -> dict[str, Any]:
    """Everything that a request names, by what it may be for."""
    day = days.first(text, work.today)
    at = slots.clock(text)
    start = datetime.combine(day, time(*at)) if day and at else day
    quotes, numbers = slots.quoted(text), slots.numbers(days.without(text, work.today))
    paths = slots.files(text)
    proper = " ".join(_PROPER.findall(bare(text))[:1])
    title = quotes[0] if quotes else _title(work, text)
    return {
        "path": paths[0].path if paths else None,
        "to": paths[1].path if len(paths) > 1 else None,
        "folder": next(iter(slots.folders(text)), None),
        "recipients": slots.addresses(text) or None,
        "link": next(iter(slots.links(text)), None),
        "number": numbers[0] if numbers else None,
        "due": day,
        "start": start,
        "end": start + timedelta(hours=1) if isinstance(start, datetime) else start,
        "title": title or None,
        "content": (quotes[0] if quotes else work.product or work.request.material)
        or title
        or None,
        "topic": topics.topic(text, work.today) or None,
        "query": quotes[0] if quotes else None,
        "proper": proper,
    }


def _title(work: Work, text: str) -> str:
    left = bare(text)
    for each in days.mentioned(left, work.today):
        left = left.replace(each.said, "", 1)
    left = re.sub(
        r"\b(?:at|on|by)?\s*\d{1,2}(?::\d{2})?\s*(?:am|pm|o'clock|h)\b|\bat \d{1,2}:\d{2}\b",
        "",
        left,
        flags=re.I,
    )
    match = _TITLED.search(left)
    made = " ".join((match["title"] if match else left).split()).strip(" .?!,")
    return re.sub(r"(?:\s+(?:at|on|by|for|in))+$", "", made)


def _facts(data: Any) -> str:
    if isinstance(data, dict):
        lines = [
            f"- {spaced(str(k))}: {v}" for k, v in data.items() if isinstance(v, str | int | float)
        ]
        return "\n".join(lines[:20])
    return shortened(str(data), 400) if data not in (None, "", [], {}) else ""
