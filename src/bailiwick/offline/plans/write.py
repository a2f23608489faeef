"""Writing: drafts, new files, changes to files, moves, deletions, mail."""

import re

from bailiwick.offline import drafts, slots, topics
from bailiwick.offline.extraction import warnings
from bailiwick.offline.intents import RequestIntent
from bailiwick.offline.plans import lookup
from bailiwick.offline.plans.destination import another, place
from bailiwick.offline.plans.material import gather, read_files
from bailiwick.offline.plans.read import nothing
from bailiwick.offline.results import base
from bailiwick.offline.summaries import summary
from bailiwick.offline.toolbox import nouns_in
from bailiwick.offline.work import Steps, Work

_SAYING = re.compile(
    r"\b(?:saying|with the (?:text|content|words?|line)|containing|that says|which says|reading|"
    r"content|text|with)\s*:?\s+(?P<said>.+)$|\b(?:that|:)\s+(?P<that>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_TAKEN = re.compile(r"\b(?:exists?|already|taken|conflict)\b", re.IGNORECASE)
_OVER = re.compile(r"\b(?:overwrite|replace|update|rewrite)\b", re.IGNORECASE)
_REPLACE = re.compile(r"\breplace\b", re.IGNORECASE)
_WITH = re.compile(r"\b(?:with|by)\b", re.IGNORECASE)
_ADD = re.compile(r"\b(?:append|add|insert|write)\b\s+", re.IGNORECASE)
_TO = re.compile(r"(?<!\s)\s+to\b", re.IGNORECASE)


def draft(work: Work, intent: RequestIntent) -> Steps[str]:
    """Write a letter, a reply, a report or minutes from what was read."""
    form = drafts.form_of(intent.text)
    asked = drafts.without_points(intent.text)
    topic = topics.topic(asked, work.today)
    docs = [*work.docs] if work.docs and not work.request.material else []
    if not docs and not (form == "letter" and drafts.points(intent.text)):
        docs = yield from gather(work, asked, single=form in ("reply", "minutes"))
    if not docs and form in ("reply", "minutes") and not drafts.points(intent.text):
        return nothing(work, intent.text)
    if form == "report" and not docs:
        return nothing(work, intent.text)
    work.product = drafts.drafted(form, intent.text, docs, topic=topic, today=work.today)
    return "\n\n".join([work.product, *warnings(docs)])


def save(work: Work, intent: RequestIntent) -> Steps[str]:
    """Make a new file of what was said, or of what was made before."""
    tool = work.box.find("create", "file") or work.box.find("edit", "file")
    content = yield from _content(work, intent.text)
    if not tool or not content:
        return _cannot("create files") if not tool else nothing(work, intent.text)
    topic = topics.topic(intent.text, work.today)
    path = yield from place(work, intent.text, title=topic or "note")
    if not slots.files(intent.text) and not content.lstrip().startswith("#") and topic:
        content = f"# {topic[:1].upper()}{topic[1:]}\n\n{content}"
    text = content.rstrip() + "\n"
    came = yield from work.call(tool, {"path": path, "content": text}, quiet=True)
    if came.status == "refused" and _TAKEN.search(came.reason):
        editing = work.box.find("edit", "file")
        over = editing is not None and bool(_OVER.search(intent.text))
        path = path if over else another(path)
        retry = editing if over and editing else tool
        came = yield from work.call(retry, {"path": path, "content": text})
    elif not came.ok:
        # Not a second try: it is known what came of it, and now it is told.
        came = yield from work.call(tool, {"path": path, "content": text})
    return f"I saved it as {path}." if came.ok else ""


def edit(work: Work, intent: RequestIntent) -> Steps[str]:
    """Add to a file, or replace words in it."""
    tool = work.box.find("edit", "file")
    if not tool:
        return _cannot("change files")
    items = yield from lookup.files(work, re.sub(r"\bto\b", "of", intent.text), single=True)
    docs = yield from read_files(work, items[:1])
    if not docs:
        return nothing(work, intent.text)
    new = _changed(docs[0].text, intent.text, work.product)
    if new is None:
        return (
            f"I read {docs[0].name}, but your words do not tell me what to change in it. Put the "
            f"text in quotes."
        )
    came = yield from work.call(tool, {"path": docs[0].name, "content": new})
    return f"I changed {docs[0].name}." if came.ok else ""


def move(work: Work, intent: RequestIntent) -> Steps[str]:
    """Give a file another place or name."""
    tool = work.box.find("move", "file")
    if not tool:
        return _cannot("move files")
    start, _, end = re.sub(r"\b(?:into|to|in)\b", "\x00", intent.text, count=1).partition("\x00")
    if "archive" in start.lower().split()[:2] and not end:
        end = "archive"
    items = yield from lookup.files(work, start, single=True)
    there = yield from lookup.walk(work)
    if not items:
        return nothing(work, intent.text)
    source = items[0].path
    target = _target(there, end, source)
    if not target:
        return f"I found {source}, but your words do not tell me where it should go."
    came = yield from work.call(tool, {"path": source, "to": target})
    return f"I moved {source} to {target}." if came.ok else ""


def delete(work: Work, intent: RequestIntent) -> Steps[str]:
    """Delete the one thing that is meant; never one that is only a little like it."""
    known = [noun for noun in nouns_in(intent.text) if work.box.find("delete", noun)]
    if re.match(r"\W*(?:please )?forget\b", intent.text, re.IGNORECASE):
        known = ["memory"]
    noun = known[0] if known else "file"
    tool = work.box.find("delete", noun)
    if not tool:
        return _cannot(f"delete a {noun}")
    if noun == "file":
        items = yield from lookup.files(work, intent.text, single=True)
    else:
        items = yield from lookup.records(work, noun, intent.text)
    if not items:
        return nothing(work, intent.text)
    if len(items) > 1 and not slots.files(intent.text):
        names = "\n".join(f"- {item.name}" for item in items[:5])
        return f"Several could be meant, so I deleted none:\n\n{names}"
    one = items[0]
    came = yield from work.call(tool, {"path": one.path or one.name, "id": one.id or one.path})
    return f"I deleted {one.name}." if came.ok else ""


def send(work: Work, intent: RequestIntent) -> Steps[str]:
    """Send a mail: to whom the person names, or as a reply to who wrote."""
    tool = work.box.find("send", "email") or work.box.find("send", "draft")
    drafted = work.product  # it was shown already
    if not drafted:
        yield from draft(work, intent)
    recipients = slots.addresses(intent.text) or slots.addresses(work.request.asked)
    recipients = recipients or list(filter(None, [drafts.sender_of(work.docs)]))
    if not tool:
        return f"{'' if drafted else work.product}\n\n{_cannot('send mail')}".strip()
    if not recipients:
        shown = "" if drafted else work.product
        return f"{shown}\n\nYour words name no address to send it to.".strip()
    if drafts.has_gaps(work.product):
        return (
            f"{'' if drafted else work.product}\n\nI did not send it: it has gaps to fill.".strip()
        )
    subject = drafts.subject_of(work.docs, topics.topic(intent.text, work.today)) or "Message"
    given = {"recipients": recipients, "title": subject, "content": work.product}
    came = yield from work.call(tool, given)
    shown = "" if drafted else work.product
    sent = f"I sent it to {', '.join(recipients)}." if came.ok else ""
    return "\n\n".join(filter(None, [shown, sent]))


def _content(work: Work, text: str) -> Steps[str]:
    """The text for a new file: quoted, said, made before, handed over, or gathered."""
    named = {each.path for each in slots.files(text)}
    if quote := next((q for q in slots.quoted(text) if q not in named), ""):
        return quote
    if re.search(r"\b(?:copy|duplicate)\b", text, re.IGNORECASE):
        docs = yield from gather(work, text, single=True)
        return docs[0].text if docs else ""
    if work.product:
        return work.product
    match = _SAYING.search(text)
    if (
        match
        and (said := (match["said"] or match["that"] or "").strip())
        and not topics.points_back(said)
    ):
        left = said
        for name in named:
            left = re.sub(
                r"(?<!\s)\s*\b(?:in|to|into|as|called|named)\s+"
                rf"(?:a (?:file|note) )?{re.escape(name)}",
                "",
                left,
            )
        return left.strip(" .") + "."
    if work.request.material:
        return work.request.material
    docs = yield from gather(work, text)
    if docs and re.search(r"\breport\b", text, re.I):
        topic = topics.topic(text, work.today)
        return drafts.drafted("report", text, docs, topic=topic, today=work.today)
    return summary(docs, query=topics.topic(text, work.today))


def _changed(old: str, text: str, product: str) -> str | None:
    """The text of a file after the change; None if it is not clear which."""
    named = {each.path for each in slots.files(text)}
    quotes = [quote for quote in slots.quoted(text) if quote not in named]
    swap = _REPLACE.search(text)
    if swap and _WITH.search(text, swap.end()) and len(quotes) > 1:
        return old.replace(quotes[0], quotes[1]) if quotes[0] in old else None
    added = quotes[0] if quotes else product
    if not added:
        verb = _ADD.search(text)
        end = _TO.search(text, verb.end() + 1) if verb else None
        said = text[verb.end() : end.start()] if verb and end else ""
        added = said if said and not topics.points_back(said) else ""
    return f"{old.rstrip()}\n{added}\n" if added else None


def _target(there: "list[lookup.Item]", end: str, source: str) -> str:
    given = next((each.path for each in slots.files(end)), "")
    top = source.partition("/")[0]
    if given:
        if given.startswith(top + "/") or any(
            item.is_notebook and given.startswith(item.path + "/") for item in there
        ):
            return given
        return f"{top if '/' in given else source.rpartition('/')[0]}/{given}".lstrip("/")
    folder = next(iter(slots.folders(end)), "")
    known = [item.path for item in there if item.is_folder]
    named = next((p for p in known if folder and (p == folder or p.endswith("/" + folder))), "")
    if not named and (found := lookup.folders_named(there, end)):
        named = found[0].path
    return f"{named or folder}/{base(source)}" if named or folder else ""


def _cannot(what: str) -> str:
    return f"I was given no tool to {what}."
