"""Going through mail: who asks something gets an answer that it was seen and more will follow."""

import re
from collections.abc import Sequence
from typing import Any

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import drafts, results
from bailiwick.offline.intents import RequestIntent
from bailiwick.offline.plans import gullible
from bailiwick.offline.plans.read import nothing
from bailiwick.offline.results import Item
from bailiwick.offline.toolbox import Toolbox
from bailiwick.offline.work import MOST_AT_ONCE, Doc, Steps, Work

_UNREAD = re.compile(r"\b(?:unread|new)\b", re.IGNORECASE)
_PROGRAM = re.compile(r"\b(?:no-?reply|do-?not-?reply|newsletter|mailer-daemon)\b", re.IGNORECASE)
_LIST = re.compile(r"\bunsubscribe\b", re.IGNORECASE)
_LISTED = 25


def answer_all(work: Work, intent: RequestIntent) -> Steps[str]:
    """Read the mails that are meant, and answer those that ask something."""
    tool = _replying(work.box)
    docs = yield from _read(work, intent.text)
    if not docs:
        return nothing(work, intent.text)
    asking = [doc for doc in docs if _wants_answer(doc)]
    if not tool:
        return f"{_seen(docs, asking)}\n\nI was given no tool to answer mail."
    replies = [(tool, _reply(doc)) for doc in asking]
    # What a text wants is asked for together with the rest, so that one question covers all.
    more = gullible.orders(work, docs) if work.believes else []
    outcomes = yield from work.calls([*replies, *more])
    done = [doc for doc, came in zip(asking, outcomes, strict=False) if came.ok]
    lines = [f"I answered {drafts.sender_of([doc])}." for doc in done]
    return "\n\n".join([_seen(docs, asking), *lines])


def _read(work: Work, text: str) -> Steps[list[Doc]]:
    listing, reading = work.box.find("list", "email"), work.box.find("read", "email")
    if not listing or not reading:
        return []
    given = {"number": _LISTED, "folder": "inbox", "unread": True if _UNREAD.search(text) else None}
    came = yield from work.call(listing, given)
    items = [item for item in results.items(came.data) if item.id]
    if len(items) > MOST_AT_ONCE:
        work.notes.append(f"I read the newest {MOST_AT_ONCE} of {len(items)} mails.")
    chosen = items[:MOST_AT_ONCE]
    outcomes = yield from work.calls([(reading, {"id": item.id}) for item in chosen])
    pairs = zip(chosen, outcomes, strict=True)
    work.docs = [_doc(item, came.data) for item, came in pairs if came.ok]
    return work.docs


def _doc(item: Item, data: Any) -> Doc:
    facts = {**results.heading(item.facts), **results.heading(data), "id": item.id}
    return Doc(facts.get("subject", ""), results.text_of(data), item.day, facts)


def _replying(box: Toolbox) -> OfferedTool | None:
    """The tool that answers a mail, rather than sending a new one."""
    sending = [each.tool for each in box.known if each.verb == "send" and "email" in each.nouns]
    return next((tool for tool in sending if re.search("repl|answer", tool.name)), None)


def _wants_answer(doc: Doc) -> bool:
    sender = doc.facts.get("from", "")
    by_program = _PROGRAM.search(sender) or _LIST.search(doc.text)
    return bool(drafts.sender_of([doc])) and not by_program and bool(drafts.questions(doc))


def _reply(doc: Doc) -> dict[str, Any]:
    return {"id": doc.facts["id"], "content": drafts.received(doc)}


def _seen(docs: Sequence[Doc], asking: Sequence[Doc]) -> str:
    plural = "" if len(docs) == 1 else "s"
    asks = "asks" if len(asking) == 1 else "ask"
    return f"I read {len(docs)} mail{plural}; {len(asking) or 'none'} of them {asks} something."
