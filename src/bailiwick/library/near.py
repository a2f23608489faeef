"""What a caller may have meant by a path that leads nowhere: models misspell, and drop folders.

Only what the caller may see is named. A name that a stranger chose is said only where it is nearly
what the caller wrote, and in a folder that the caller named or that the owner did.
"""

import asyncio
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from bailiwick.errors import BailiwickError, NotFound
from bailiwick.library import labels
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import FileFacts
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import ToolContext

MOST_NAMED = 2
_ALIKE = 0.75
_MOST_FOLDERS = 3
Walk = Callable[[ResolvedPath], Iterator[tuple[ResolvedPath, FileFacts]]]


@dataclass(frozen=True, slots=True)
class _NearPath:
    place: ResolvedPath
    likeness: float


async def hinted(
    error: NotFound, paths: PathResolver, context: ToolContext, text: str, *, kind: str, walk: Walk
) -> NotFound:
    """The same error, naming what is nearest to the path among all that the caller may see."""
    try:
        asked = VirtualPath.parse(text)
        found = await _nearest(paths, context, asked, kind=kind, walk=walk)
    except BailiwickError:
        return error
    # What is there after all was not what was missing.
    if not found or any(each.place.path == asked for each in found):
        return error
    there = " or ".join(str(each.place.path) for each in found)
    return NotFound(f"There is no {asked}; there is {there}.")


async def _nearest(
    paths: PathResolver, context: ToolContext, asked: VirtualPath, *, kind: str, walk: Walk
) -> list[_NearPath]:
    near: list[_NearPath] = []
    for row in await paths.notebooks(context.workspace_id, context.scope):
        top = ResolvedPath(row, await paths.root(row), VirtualPath((row.name,)))
        if kind == "folder" and (likeness := _likeness(asked, top.path)) >= _ALIKE:
            near.append(_NearPath(top, likeness))
        found = await asyncio.to_thread(_alike, top, asked, kind, walk)
        near += [each for each in found if await _is_safe(paths, asked, each.place)]
    return sorted(near, key=lambda each: -each.likeness)[:MOST_NAMED]


def _alike(top: ResolvedPath, asked: VirtualPath, kind: str, walk: Walk) -> list[_NearPath]:
    try:
        made = [
            _NearPath(place, likeness)
            for place, facts in walk(top)
            if (facts.kind == "file") == (kind == "file")
            and (likeness := _likeness(asked, place.path)) >= _ALIKE
        ]
    except BailiwickError:
        return []
    return sorted(made, key=lambda each: -each.likeness)[:MOST_NAMED]


def _likeness(asked: VirtualPath, path: VirtualPath) -> float:
    """How alike the names are; among equals, those in a like folder come first."""
    name = _ratio(_stem(asked), _stem(path)) if asked.names else 0.0
    folder = _ratio("/".join(asked.names[:-1]), "/".join(path.names[:-1]))
    return name + folder / 10 if name >= _ALIKE else 0.0


def _stem(path: VirtualPath) -> str:
    """Without the ending: that one is `.md` says nothing of which."""
    return PurePosixPath(path.names[-1]).stem


def _ratio(one: str, other: str) -> float:
    matcher = difflib.SequenceMatcher(None, one.casefold(), other.casefold())
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE or not one else 0.0


async def _is_safe(paths: PathResolver, asked: VirtualPath, place: ResolvedPath) -> bool:
    folders = place.names[:-1]
    said = [name.casefold() for name in asked.names[:-1]]
    if len(folders) <= _MOST_FOLDERS and [name.casefold() for name in folders] == said[1:]:
        return True
    trail = [folders[:depth] for depth in range(1, len(folders) + 1)]
    rows = await paths.known(place.notebook, trail)
    return all(labels.of_name(place.notebook, rows, each) == "owner" for each in trail)
