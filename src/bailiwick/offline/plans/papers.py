"""One paper from the inbox: look at it and at the folders, then suggest one."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bailiwick.llm.chat import OfferedTool
from bailiwick.offline import results
from bailiwick.offline.extraction import gives_orders
from bailiwick.offline.placing import FiledFolder, PlacingEvidence, place
from bailiwick.offline.results import base
from bailiwick.offline.text import sentences
from bailiwick.offline.work import Step, Steps, Work

_ARRIVED = re.compile(
    r"\barrived in (?:the )?inbox: (?P<path>[^\n]+?)(?:\. Analy[sz]e it\b|$)", re.M
)
_WANTED = re.compile(r"^- .+ belongs in (?P<folder>[^,\n]+?)(?:, not in (?P<not>[^\n]+))?\.$", re.M)
_UNWANTED = re.compile(r"^- .+ does not belong in (?P<folder>[^\n]+)\.$", re.M)
_NEEDED = ("create_suggestion", "get_file", "get_folder_tree")
_DEPTH, _WORDS, _SIMILAR = 8, 100, 50
_NEAREST = 10  # of those that are filed; the rest say little
_LEAST = 0.05  # less sure than this is no suggestion


def is_paper(work: Work) -> bool:
    """Whether a paper has arrived, and the tools to suggest a folder for it are there."""
    names = {tool.name for tool in work.box.tools}
    return bool(_ARRIVED.search(work.talk.now.said)) and names.issuperset(_NEEDED)


def suggest(work: Work) -> Steps[str]:
    """Suggest a folder for the paper, or say that none stands out."""
    said = work.talk.now.said
    match = _ARRIVED.search(said)
    assert match
    path = match["path"].strip()
    offered = {tool.name: tool for tool in work.box.tools}
    asked = [
        Step("get_file", {"path": path}),
        Step("get_folder_tree", _given(offered["get_folder_tree"], depth=_DEPTH, words=_WORDS)),
    ]
    if "read_guideline" in offered:
        asked.append(Step("read_guideline", {}))
    if "find_similar" in offered:
        asked.append(Step("find_similar", {"path": path, "limit": _SIMILAR}))
    came = dict(zip((step.tool for step in asked), (yield asked), strict=True))
    if not came["get_file"].ok:
        return f"I could not look at {path}: {came['get_file'].reason}"
    folders = [*_folders(came["get_folder_tree"].data)]
    known = PlacingEvidence(
        guideline=_text(came, "read_guideline"),
        similar=_similar(came),
        wanted=[each["folder"] for each in _WANTED.finditer(said)],
        unwanted=[
            *(each["folder"] for each in _UNWANTED.finditer(said)),
            *(each["not"] for each in _WANTED.finditer(said) if each["not"]),
        ],
    )
    text = _said(_extracted(came["get_file"].data))
    found = place(base(path), text, folders, known)
    if found is None or found.confidence < _LEAST:
        return f"{base(path)} stays in the inbox: no folder is clearly like it."
    arguments = {
        "file_path": path,
        "target_folder": found.folder,
        "reasoning": found.reason,
        "confidence": found.confidence,
    }
    (made,) = yield [Step("create_suggestion", arguments)]
    if not made.ok:
        return f"I could not suggest {found.folder} for {base(path)}: {made.reason}"
    return f"I suggest {found.folder} for {base(path)}. {found.reason}"


def _given(tool: OfferedTool, **wanted: int) -> dict[str, int]:
    """What of these a tool takes."""
    taken = tool.parameters.get("properties", {})
    return {name: value for name, value in wanted.items() if name in taken}


def _folders(data: Any) -> Iterator[FiledFolder]:
    """Every folder of a tree but the inboxes and the notebooks themselves."""
    if isinstance(data, list):
        for each in data:
            yield from _folders(each)
    if not isinstance(data, Mapping):
        return
    path = data.get("path")
    if isinstance(path, str) and "/" in path:
        if path.split("/")[1].casefold() == "inbox":
            return
        about = data.get("about")
        words = [word for word in about if isinstance(word, str)] if isinstance(about, list) else []
        # A folder that holds nothing but folders is not where papers go.
        if data.get("files") or not data.get("folders"):
            yield FiledFolder(path, words)
    for name in ("tree", "notebooks", "folders", "children"):
        yield from _folders(data.get(name))


def _extracted(data: Any) -> str:
    """The texts that extractors made of a file, the longest first."""
    digests = data.get("digests") if isinstance(data, Mapping) else None
    if not isinstance(digests, Mapping):
        return results.text_of(data)
    texts = [results.text_of(each) for each in digests.values()]
    return "\n".join(sorted(texts, key=len, reverse=True))


def _said(text: str) -> str:
    """A text without what gives orders to a model: that says nothing of where it belongs."""
    return "\n".join(each for each in sentences(text) if not gives_orders(each))


def _text(came: Mapping[str, Any], tool: str) -> str:
    outcome = came.get(tool)
    if outcome is None or not outcome.ok or not isinstance(outcome.data, Mapping):
        return ""
    return str(outcome.data.get("guideline", "")) or results.text_of(outcome.data)


def _similar(came: Mapping[str, Any]) -> dict[str, float]:
    outcome = came.get("find_similar")
    if outcome is None or not outcome.ok:
        return {}
    found: dict[str, float] = {}
    for item in results.items(outcome.data):
        likeness = item.facts.get("likeness", item.facts.get("score"))
        if item.path and isinstance(likeness, int | float):
            found[item.path] = float(likeness)
    filed = [pair for pair in found.items() if not _is_inbox(pair[0])]
    return dict(filed[:_NEAREST])


def _is_inbox(path: str) -> bool:
    return len(parts := path.split("/")) > 1 and parts[1].casefold() == "inbox"
