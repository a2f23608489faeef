"""Where a new file goes: the path that was given, beside what was read, or a notebook."""

import re
from collections.abc import Sequence

from bailiwick.offline import slots
from bailiwick.offline.plans import lookup
from bailiwick.offline.results import Item, base, folder_of
from bailiwick.offline.text import telling
from bailiwick.offline.work import Steps, Work


def place(work: Work, text: str, *, title: str) -> Steps[str]:
    """The path for a new file; a request rarely names a whole one."""
    named = [each for each in slots.files(text) if each.output] or slots.files(text)
    name = named[-1].path if named else f"{slug(title)}.md"
    if not work.box.find("list", "file"):
        return name
    there = yield from lookup.walk(work)
    tops = [item.path for item in there if item.is_notebook]
    if not tops or any(name == top or name.startswith(top + "/") for top in tops):
        return name if tops or "/" in name else _beside(work, there, text, name)
    if "/" in name:
        return f"{_top(work, tops)}/{name}"
    return (
        _beside(work, there, text, name)
        if _folder(work, there, text)
        else f"{_top(work, tops)}/{name}"
    )


def slug(title: str) -> str:
    """A title as the name of a file."""
    return "-".join(re.sub(r"[^\w-]", "", word) for word in telling(title)[:6])[:60] or "note"


def another(path: str, number: int = 2) -> str:
    """The same name with a number, where the first is taken."""
    stem, dot, ending = path.rpartition(".")
    return f"{stem}-{number}.{ending}" if dot and "/" not in ending else f"{path}-{number}"


def _beside(work: Work, there: Sequence[Item], text: str, name: str) -> str:
    folder = _folder(work, there, text)
    return f"{folder}/{name}" if folder else name


def _folder(work: Work, there: Sequence[Item], text: str) -> str:
    """The folder that is named for it, or the one that all texts came from."""
    match = re.search(r"\b(?:in|into|to|under)\b(?P<where>.+)$", text, re.IGNORECASE | re.DOTALL)
    if match and (given := slots.folders(match["where"])):
        known = [item.path for item in there if item.is_folder]
        return next((p for p in known if p == given[0] or p.endswith("/" + given[0])), given[0])
    if match and (named := lookup.folders_named(there, match["where"])):
        return named[0].path
    read = {folder_of(doc.name) for doc in work.docs if "/" in doc.name}
    # Not into the inbox: what is made here has not just arrived.
    return read.pop() if len(read) == 1 and base(min(read)).lower() != "inbox" else ""


def _top(work: Work, tops: Sequence[str]) -> str:
    """The notebook of what was read, or else the first."""
    used = [doc.name.partition("/")[0] for doc in work.docs if "/" in doc.name]
    return next((top for top in used if top in tops), tops[0])
