"""Files that may be shown, on their way from the disk or the index to a caller."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bailiwick.errors import BailiwickError
from bailiwick.library.arguments import LARGEST_TEXT
from bailiwick.library.changes import digest
from bailiwick.library.content import as_text
from bailiwick.library.index.search import FileHit
from bailiwick.library.resolver import ResolvedPath
from bailiwick.library.root import FileFacts
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope
from bailiwick.tools.tool import Ref

MOST_ENTRIES = 10_000
MOST_SEARCHED_BYTES = 50_000_000
MOST_LINES = 3
_EXCERPT = 200
DEEPEST = 32


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file or folder that may be shown."""

    place: ResolvedPath
    facts: FileFacts

    def shown(self) -> dict[str, Any]:
        """As callers see it; a folder has no id, because it is named by its path."""
        made: dict[str, Any] = {"path": str(self.place.path), "kind": self.facts.kind}
        if self.facts.kind == "file":
            made |= {
                "id": Ref("file", str(self.place.path)),
                "size": self.facts.size,
                "modified": self.facts.modified.isoformat(),
            }
        return made


@dataclass(frozen=True, slots=True)
class ContentMatch:
    """A file that a search found, with the digest of what was looked through."""

    found: FoundFile
    lines: list[str]
    digest: str | None


@dataclass(slots=True)
class ReadBudget:
    """How much one search may look through, in all notebooks together."""

    entries: int = MOST_ENTRIES
    bytes: int = MOST_SEARCHED_BYTES

    @property
    def is_spent(self) -> bool:
        """Whether the search had to end early."""
        return self.entries <= 0 or self.bytes <= 0


def walked(
    folder: ResolvedPath, scope: Scope, budget: ReadBudget, *, depth: int
) -> Iterator[FoundFile]:
    """What may be seen in a folder and, to a depth, beneath it."""
    entries = folder.root.entries(folder.names, most=max(budget.entries, 1))
    budget.entries -= len(entries)
    for name, facts in entries:
        item = FoundFile(folder.beneath(name), facts)
        if facts.kind == "file":
            if scope.allows_file(item.place.path):
                yield item
        elif scope.allows_folder(item.place.path):
            yield item
            if depth > 0 and not budget.is_spent:
                yield from beneath(item.place, scope, budget, depth=depth - 1)


def beneath(
    folder: ResolvedPath, scope: Scope, budget: ReadBudget, *, depth: int
) -> Iterator[FoundFile]:
    """The same of a folder that may be gone meanwhile, or closed."""
    try:
        yield from walked(folder, scope, budget, depth=depth)
    except BailiwickError:
        return  # it is gone meanwhile, or the server may not look into it


def part_of(walk: Iterator[FoundFile], start: int, most: int, *, sorts: bool) -> list[FoundFile]:
    """A part of what is found; of a single folder, its folders first, as a person orders names."""
    if sorts:
        walk = iter(sorted(walk, key=_order))
    return [*islice(walk, start, start + most)]


def _order(item: FoundFile) -> tuple[bool, str]:
    return item.facts.kind == "file", item.place.path.name.casefold()


def searched(
    folder: ResolvedPath, scope: Scope, query: str, most: int, budget: ReadBudget
) -> list[ContentMatch]:
    """The files beneath a folder whose name or text holds the query."""
    matches: list[ContentMatch] = []
    for item in walked(folder, scope, budget, depth=DEEPEST):
        if len(matches) >= most or budget.is_spent:
            break
        if item.facts.kind == "file" and (match := _match(item, query, budget)):
            matches.append(match)
    return matches


def indexed_match(folder: ResolvedPath, hit: FileHit, query: str) -> ContentMatch:
    """A file that the index found, with its lines."""
    file = hit.file
    facts = FileFacts("file", file.size, file.modified_at, 0, 1, ())
    item = FoundFile(place_of(folder, file.path), facts)
    lines = [*lines_of(hit.text, query)]
    if not lines and any(piece.found for piece in hit.snippet):
        lines = ["".join(piece.text for piece in hit.snippet)]
    return ContentMatch(item, lines, file.digest if lines else None)


def place_of(folder: ResolvedPath, path: str) -> ResolvedPath:
    """Where a path of the index is."""
    whole = VirtualPath((folder.notebook.name, *path.split("/")))
    return ResolvedPath(folder.notebook, folder.root, whole)


def unread(places: Sequence[ResolvedPath], query: str, budget: ReadBudget) -> list[ContentMatch]:
    """Those of some files that hold the query, as the disk has them."""
    found: list[ContentMatch] = []
    for place in places:
        with suppress(BailiwickError):  # gone meanwhile, or closed to the server
            item = FoundFile(place, place.root.facts(place.names))
            if not budget.is_spent and (match := _match(item, query, budget)):
                found.append(match)
    return found


def _match(item: FoundFile, query: str, budget: ReadBudget) -> ContentMatch | None:
    named = query in item.place.path.name.casefold()
    lines: list[str] = []
    seen: str | None = None
    if item.facts.size <= min(LARGEST_TEXT, budget.bytes):
        content = _read(item)
        budget.bytes -= len(content)
        lines = [*_lines(content, query)]
        seen = digest(content) if lines else None
    return ContentMatch(item, lines, seen) if named or lines else None


def _read(item: FoundFile) -> bytes:
    try:
        return item.place.root.read(item.place.names, most=LARGEST_TEXT)[0]
    except BailiwickError:
        return b""  # it is gone meanwhile, or the server may not read it


def _lines(content: bytes, query: str) -> Iterator[str]:
    if text := as_text(content):
        yield from lines_of(text, query)


def lines_of(text: str, query: str) -> Iterator[str]:
    """The first lines of a text that hold the query, each around it."""
    if query not in text.casefold():
        return
    left = MOST_LINES
    for line in text.splitlines():
        if (at := line.casefold().find(query)) >= 0 and left:
            left -= 1
            start = max(0, at - _EXCERPT // 2)
            yield line[start : start + _EXCERPT + len(query)].strip()
