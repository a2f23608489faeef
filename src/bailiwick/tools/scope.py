"""A caller's scope: capability flags, and patterns of what may be touched. Deny by default.

Patterns are globs over normalised names: `*` is any part of one name, `**` in the place of a name
is any number of folders. Of folders, `notes` and `/notes` are the folder and all beneath it, `/` is
all of a notebook, `notes/*` what lies directly in the folder, `notes/**` all that lies in it. An
empty list matches nothing, and so does a pattern with an empty name in it. Names are compared
exactly, so a disk that ignores case can only refuse more.
"""

import functools
import re
import unicodedata
from typing import Annotated, Any

import re2
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.tools.effects import Capability
from bailiwick.tools.paths import VirtualPath

_ANY_FOLDERS = "(?:.*/)?"
_NOTHING = re2.compile(r"[^\s\S]")
ScopePattern = Annotated[str, StringConstraints(max_length=500)]
ScopePatterns = Annotated[tuple[ScopePattern, ...], Field(max_length=200)]


class Scope(BaseModel):
    """What a caller may do at all, whatever the rules say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read: bool = True
    write: bool = False
    create: bool = False
    delete: bool = False
    execute: bool = False
    integrations: bool = False
    notebooks: ScopePatterns = ()
    folders: ScopePatterns = ("**",)
    file_types: ScopePatterns = ("*",)
    accounts: ScopePatterns = ()
    tools: ScopePatterns = ("*",)

    def has(self, capability: Capability) -> bool:
        """Whether a flag is on."""
        return getattr(self, capability)

    def allows_tool(self, name: str) -> bool:
        """Whether a tool of this name may be called."""
        return matches(self.tools, name)

    def allows_account(self, label: str) -> bool:
        """Whether an account that the user calls this may be used."""
        return matches(self.accounts, label)

    def allows_notebook(self, name: str) -> bool:
        """Whether anything in a notebook of this name may be seen."""
        return _any(self.notebooks, name)

    def allows_folder(self, path: VirtualPath) -> bool:
        """Whether a folder may be listed: it is in scope, or something within it may be."""
        if not path.notebook:
            return True
        return self.allows_notebook(path.notebook) and any(
            _leads_to(pattern, path.inner) for pattern in self.folders
        )

    def allows_file(self, path: VirtualPath) -> bool:
        """Whether a file may be touched: its notebook, its folder and its type."""
        return (
            self.allows_notebook(path.notebook)
            and bool(path.inner)
            and any(_covering(pattern).fullmatch("/".join(path.inner)) for pattern in self.folders)
            and any(_type_matches(pattern, path.suffix) for pattern in self.file_types)
        )


ALL = Scope(
    read=True,
    write=True,
    create=True,
    delete=True,
    execute=True,
    integrations=True,
    notebooks=("*",),
    accounts=("*",),
)


def matches(patterns: ScopePatterns, name: str) -> bool:
    """Whether a name fits any of the patterns; a slash in either is a letter like any other."""
    flat = name.replace("/", "\0")
    return any(_glob(pattern.replace("/", "\0")).fullmatch(flat) for pattern in patterns)


def fits_glob(pattern: str, path: str) -> bool:
    """Whether names with slashes between them fit a pattern."""
    return _glob(pattern).fullmatch(path) is not None


@functools.lru_cache(maxsize=4096)  # a folder of ten thousand files asks ten thousand times
def _any(patterns: ScopePatterns, name: str) -> bool:
    return any(_glob(pattern).fullmatch(name) for pattern in patterns)


def _type_matches(pattern: str, suffix: str) -> bool:
    wanted = pattern.casefold().lstrip("*").lstrip(".")
    return pattern == "*" or wanted == suffix.casefold().lstrip(".")


def _leads_to(pattern: str, folder: tuple[str, ...]) -> bool:
    """Whether a folder lies on the way to something that a pattern covers, or is covered."""
    parts = _parts(pattern)
    if not parts:
        return False
    for part, name in zip(parts, folder, strict=False):
        if part == "**":
            return True
        if not _glob(part).fullmatch(name):
            return False
    return len(folder) <= len(parts) or "*" not in parts[-1]


def _parts(pattern: str) -> list[str]:
    """The names of a pattern of folders; none if it covers nothing."""
    if pattern == "/":
        return ["**"]
    parts = _normal(pattern).removeprefix("/").removesuffix("/").split("/")
    if not all(parts):
        return []
    # Several in a row say no more than one, and cost as many times as much.
    return [
        part for at, part in enumerate(parts) if not (part == "**" and parts[at - 1 : at] == [part])
    ]


@functools.lru_cache(maxsize=4096)
def _covering(pattern: str) -> Any:
    """What fits the paths of the files that a pattern of folders covers."""
    parts = _parts(pattern)
    if not parts:
        return _NOTHING
    *above, last = parts
    translated = "".join(_ANY_FOLDERS if part == "**" else _name(part) + "/" for part in above)
    if last == "**":
        translated += ".+"
    else:
        translated += _name(last) + ("" if "*" in last else "(?:/.*)?")
    return re2.compile(f"(?s){translated}")


def _name(part: str) -> str:
    return re.sub(r"(?:\\\*)+", "[^/]*", re2.escape(part))


@functools.lru_cache(maxsize=4096)
def _glob(pattern: str) -> Any:
    """A glob as a regular expression, for an engine that takes linear time whatever it is given."""
    parts = re.sub(r"(^|/)\*\*(/\*\*)+(?=/|$)", r"\1**", _normal(pattern)).split("/")
    translated, last = "", len(parts) - 1
    for place, part in enumerate(parts):
        if part == "**":
            translated += ".*" if last == 0 else "(?:/.*)?" if place == last else "(?:.*/)?"
            continue
        translated += _name(part)
        if place < last and not (place + 1 == last and parts[last] == "**"):
            translated += "/"
    return re2.compile(f"(?s){translated}")


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


class Limits(BaseModel):
    """How much a caller may use; None is no bound."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    requests_per_hour: int | None = Field(default=1000, ge=1, le=10_000_000)
    tokens_per_request: int | None = Field(default=None, ge=1)
    tokens_per_day: int | None = Field(default=None, ge=1)
    money_per_day: float | None = Field(default=None, gt=0)
