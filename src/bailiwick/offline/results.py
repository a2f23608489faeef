"""What stands in the answer of a tool, whichever tool it is.

Everything here is material. Nothing of it is ever looked at for what to do next.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from bailiwick.offline import days
from bailiwick.offline.text import listed

_NAMES = (
    "path",
    "title",
    "subject",
    "name",
    "label",
    "filename",
    "summary",
    "content",
    "text",
    "id",
)
_TEXTS = ("content", "text", "body", "output", "data", "markdown", "notes", "snippet", "result")
_TIMES = listed(
    "date due start modified received_at received sent_at sent updated_at created_at created "
    "updated time"
)
_INNER = ("item", "file", "email", "message", "task", "event", "memory", "result", "data")
_FOLDERS = frozenset(listed("folder notebook directory dir"))


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of a list."""

    facts: Mapping[str, Any]

    @property
    def name(self) -> str:
        """How people call it."""
        return next((v for key in _NAMES if isinstance(v := self.facts.get(key), str) and v), "")

    @property
    def path(self) -> str:
        """Where it is, if it has a place."""
        for key in ("path", "file", "file_path", "filePath"):
            if isinstance(value := self.facts.get(key), str):
                return value
        return ""

    @property
    def id(self) -> str:
        """What tools call it."""
        for key, value in self.facts.items():
            if (key == "id" or key.endswith(("_id", "Id"))) and isinstance(value, str | int):
                return str(value)
        return ""

    @property
    def is_folder(self) -> bool:
        """Whether it holds others."""
        kinds = (self.facts.get("kind"), self.facts.get("type"))
        return any(isinstance(kind, str) and kind in _FOLDERS for kind in kinds)

    @property
    def is_notebook(self) -> bool:
        """Whether it is the top of a tree."""
        return self.facts.get("kind") == "notebook"

    @property
    def day(self) -> date | None:
        """When it was, by its name or else by its times."""
        if named := days.first(self.name.replace("_", "-")):
            return named
        times = (self.facts.get(key) for key in _TIMES)
        return next((d for t in times if isinstance(t, str) and (d := days.first(t))), None)

    @property
    def described(self) -> str:
        """All its short texts: for likeness."""
        texts = [value for value in self.facts.values() if isinstance(value, str)]
        return spaced(" ".join(text[:300] for text in texts))


def items(data: Any) -> list[Item]:
    """The things that an answer lists."""
    return [Item(each) for each in _listed(data)]


def text_of(data: Any) -> str:
    """The text that an answer holds."""
    if isinstance(data, str):
        return data
    if isinstance(data, Mapping):
        for key in _TEXTS:
            if isinstance(value := data.get(key), str):
                return value
        for key in _INNER:
            if isinstance(inner := data.get(key), Mapping):
                return text_of(inner)
    if isinstance(data, Sequence):
        return "\n".join(filter(None, map(text_of, data)))
    return ""


def heading(data: Any) -> dict[str, str]:
    """The short fields beside the text: from whom, about what, when."""
    if not isinstance(data, Mapping):
        return {}
    for key in _INNER:
        if isinstance(inner := data.get(key), Mapping):
            data = {**inner, **data}
    short = {key: _person(value) for key, value in data.items() if key not in _TEXTS}
    return {k: value for k, value in short.items() if isinstance(value, str) and len(value) < 300}


def _person(value: Any) -> Any:
    """Someone's name and address as mail has them; anything else as it is."""
    if not isinstance(value, Mapping) or not isinstance(address := value.get("address"), str):
        return value
    name = value.get("name")
    return f"{name} <{address}>" if isinstance(name, str) and name else address


def spaced(name: str) -> str:
    """A path or name as words: "Files/lab_notes-3.md" reads "Files lab notes 3 md"."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return " ".join(re.split(r"[/\\_\-.\s]+", apart))


def folder_of(path: str) -> str:
    """The folder that a path lies in."""
    return path.rstrip("/").rpartition("/")[0]


def base(path: str) -> str:
    """The last name of a path."""
    return path.rstrip("/").rpartition("/")[2]


def _listed(data: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    if depth > 3:
        return
    if isinstance(data, Mapping):
        inner = next(filter(_is_list, data.values()), None)
        parts = (
            [inner] if inner is not None else [v for v in data.values() if isinstance(v, Mapping)]
        )
        for part in parts:
            yield from _listed(part, depth + 1)
    elif _is_list(data):
        for each in data:
            if isinstance(each, Mapping):
                yield each
                yield from _listed(each.get("children"), depth + 1)
            elif isinstance(each, str):
                yield {"path": each} if "/" in each else {"name": each}


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
