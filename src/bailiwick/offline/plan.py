"""What to do about a transcript: the next calls, or the final words."""

import re
from collections.abc import Callable
from datetime import date

from bailiwick.llm.chat import ModelRequest
from bailiwick.offline import days, request, slots, toolbox, transcript
from bailiwick.offline.intents import RequestIntent, RequestKind, intents_of
from bailiwick.offline.plans import (
    anything,
    delegation,
    folders,
    gullible,
    mail,
    memories,
    papers,
    read,
    tasks,
    write,
)
from bailiwick.offline.toolbox import Toolbox
from bailiwick.offline.work import Step, Steps, Work, follow

Plan = Callable[[Work, RequestIntent], Steps[str]]

_PLANS: dict[RequestKind, Plan] = {
    RequestKind.READ: read.read,
    RequestKind.LIST: read.listed,
    RequestKind.SEARCH: read.search,
    RequestKind.SUMMARISE: read.summarise,
    RequestKind.ASK: read.answer,
    RequestKind.MOOD: read.tell_mood,
    RequestKind.FACTS: read.tell_facts,
    RequestKind.DRAFT: write.draft,
    RequestKind.SAVE: write.save,
    RequestKind.EDIT: write.edit,
    RequestKind.MOVE: write.move,
    RequestKind.DELETE: write.delete,
    RequestKind.SEND: write.send,
    RequestKind.ANSWER_MAIL: mail.answer_all,
    RequestKind.FILE_AWAY: folders.file_away,
    RequestKind.ADD_TASK: tasks.add,
    RequestKind.FINISH_TASK: tasks.finish,
    RequestKind.CHANGE_TASK: tasks.change,
    RequestKind.REMEMBER: memories.remember,
    RequestKind.RECALL: memories.recall,
}
# What an agent may be there for, so that it knows what to do with a text that comes without a word.
_PURPOSES = tuple(
    (kind, re.compile(rule, re.IGNORECASE))
    for kind, rule in (
        (
            RequestKind.MOOD,
            r"\bmoods?\b|\bsentiments?\b|\btone\b|\bhow (?:a|the) (?:mail|message|text) sounds\b",
        ),
        (RequestKind.FACTS, r"\bfacts\b"),
        (
            RequestKind.DRAFT,
            r"\brepl(?:y|ies)\b|\bminutes\b|\b(?:you|and) draft\b|\bdrafts (?:an?|replies|answers|"
            r"letters)\b|\banswers to\b",
        ),
        (RequestKind.SUMMARISE, r"\bsummar\w+|\bsums? up\b|\bdigests?\b|\btexts? short\b"),
        (RequestKind.FILE_AWAY, r"\borgani[sz]\w+|\bfil(?:e|es|ing) (?:the |new )?papers\b"),
    )
)
_WITH_TEXT = (RequestKind.MOOD, RequestKind.FACTS, RequestKind.DRAFT, RequestKind.SUMMARISE)
_HEAD = 600  # characters in which a prompt says what an agent is for
_FOLDED = (
    "A part of what I did for this is no longer before me. I stop here, so that nothing is done "
    "twice; please ask for what is still missing."
)
_MOST_INTENTS = 6
_TODAY = re.compile(r"\b(?:today|date)\b", re.IGNORECASE)


def decide(
    ask: ModelRequest, *, today: date | None = None, believes: bool = False
) -> list[Step] | str:
    """The calls that come next, or the final words. It depends on what is given here alone."""
    talk = transcript.read(ask.messages)
    work = Work(
        talk=talk,
        box=toolbox.open(ask.tools),
        request=request.split(talk.now.said, system=talk.system),
        today=_today(talk.system) or today,
        believes=believes,
    )
    return _FOLDED if talk.now.folded else follow(_whole(work), talk.now.calls)


def _today(system: str) -> date | None:
    """The day that a system prompt gives as today; others that it names are not meant."""
    for match in _TODAY.finditer(system):
        if day := days.first(system[match.end() : match.end() + 40]):
            return day
    return None


def _whole(work: Work) -> Steps[str]:
    said: list[str] = []
    if papers.is_paper(work):
        return (yield from papers.suggest(work))
    intents = _intents(work)
    if work.request.material and work.box.agents and not intents:
        said.append((yield from delegation.ask_all(work)))
    for intent in intents[:_MOST_INTENTS]:
        part = yield from _one(work, intent)
        said += [part] if part and part not in said else []
    if work.believes:
        said.append((yield from gullible.obey(work)))
    refused = [*dict.fromkeys(work.troubles)]
    if refused and delegation.is_case(work):
        yield from delegation.put_item(work, "What was not done", "\n\n".join(refused))
    said += dict.fromkeys([*work.notes, *refused])
    return "\n\n".join(filter(None, said)) or f"I cannot do that. {about_me(work.box)}"


def _intents(work: Work) -> list[RequestIntent]:
    """What is asked; a text without a word goes to what the agent is for, or to its agents."""
    asked = intents_of(work.request.asked) if work.request.asked else []
    if any(intent.kind is not RequestKind.OTHER for intent in asked):
        return asked
    purpose = purpose_of(work.talk.system)
    if not work.request.material:
        # "A new paper: Files/inbox/scan.txt" is for whoever files papers.
        named = bool(slots.files(work.request.asked))
        return [RequestIntent(purpose.kind, work.request.asked)] if purpose and named else asked
    if work.box.agents:
        return []
    return [
        purpose
        if purpose and purpose.kind in _WITH_TEXT
        else RequestIntent(RequestKind.SUMMARISE, "")
    ]


def _one(work: Work, intent: RequestIntent) -> Steps[str]:
    if intent.kind is RequestKind.GREET:
        thanked = intent.text.lower().startswith("thank")
        return "You are welcome." if thanked else about_me(work.box)
    if agent := delegation.agent_for(work, intent):
        return (yield from delegation.delegate(work, agent, intent.text))
    if tool := anything.tool_named(work, intent):
        return (yield from anything.use(work, intent, tool))
    if plan := _PLANS.get(intent.kind):
        before = work.product
        said = yield from plan(work, intent)
        if work.product and work.product != before and delegation.wants_items(work):
            yield from delegation.put_item(work, str(intent.kind), work.product)
        return said
    if tool := anything.tool_like(work, intent):
        return (yield from anything.use(work, intent, tool))
    return ""


def purpose_of(system: str) -> RequestIntent | None:
    """What the system prompt says that this agent is for: what it speaks of first."""
    found = [
        (match.start(), kind, match)
        for kind, rule in _PURPOSES
        if (match := rule.search(system[:_HEAD]))
    ]
    if not found:
        return None
    _, kind, match = min(found, key=lambda each: each[0])
    return RequestIntent(kind, f"{match.group()} this")


def about_me(box: Toolbox) -> str:
    """What it is and what it can do with the tools that it was given."""
    can = [
        "sum up and quote a text that you give me",
        "draft from a template",
        "tell the mood of a text",
    ]
    if "file" in box.nouns:
        can.append("list, find, read and write files and put papers into folders")
    if "task" in box.nouns:
        can.append("list, add and tick off tasks")
    if "memory" in box.nouns:
        can.append("remember and recall things")
    if "email" in box.nouns:
        can.append("look through mail")
    if box.agents:
        can.append(f"pass work on to {delegation.names(box.agents)}")
    return f"I am rules, not AI: I understand plain requests only. I can {'; '.join(can)}."
