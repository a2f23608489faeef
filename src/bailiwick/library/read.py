"""The tools that read files. All are bounded, and leave out what the caller may not know of."""

import asyncio
import functools
import mimetypes
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, TypeVar

from bailiwick.errors import BailiwickError, NotFound
from bailiwick.library import changes, front_matter, labels, near, versions
from bailiwick.library.arguments import (
    LARGEST_TEXT,
    ListFiles,
    OneFile,
    ReadFile,
    SearchContent,
)
from bailiwick.library.changes import digest
from bailiwick.library.content import as_text
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import FileFacts, PathNames
from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.file_kinds import seen_kind
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope, fits_glob
from bailiwick.tools.tool import Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, Source, lowest

A = TypeVar("A", bound=OneFile)
R = TypeVar("R")
FileAct = Callable[[ToolContext, A], Awaitable[R]]
MOST_ENTRIES = 10_000
MOST_SEARCHED_BYTES = 50_000_000
MOST_LINES = 3
_EXCERPT = 200
_DEEPEST = 32
_LOOKED_AT = 2_000  # names, for what may have been meant
_COUNTED = 50_000  # names, to say how much a scope covers
_NAMED = 20
_SEEN = "This is a picture or a PDF document. A model is shown it, or its text, with this answer."


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


class FileReader:
    """What the reading tools do."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths

    async def list_files(self, context: ToolContext, arguments: ListFiles) -> ToolOutput:
        """What is in a folder; at the top, the notebooks."""
        path = VirtualPath.parse(arguments.path)
        if not path.names:
            return await self._list_notebooks(context)
        limit, budget = arguments.limit, ReadBudget()
        fits, is_deep = _fitting(arguments.pattern, path)
        depth = _DEEPEST if arguments.recursive or is_deep else 0
        async with self.hints(context, arguments.path, kind="folder"):
            folder = await self._paths.folder(context, path)
            walk = filter(fits, _walk(folder, context.scope, budget, depth=depth))
            found = await asyncio.to_thread(lambda: [*islice(walk, limit + 1)])
        shown = found[:limit]
        return ToolOutput(
            {
                "files": [item.shown() for item in shown],
                "more": len(found) > limit or budget.is_spent,
            },
            summary=f"{len(shown)} files and folders",
            sources=await self._name_sources(folder, shown),
        )

    async def read_file(self, context: ToolContext, arguments: ReadFile) -> ToolOutput:
        """The text of a file, or a part of it; what is not text is described."""
        async with self.hints(context, arguments.path):
            place = await self._paths.file(context, arguments.path)
            read = place.root.read
            content, facts = await asyncio.to_thread(read, place.names, most=LARGEST_TEXT)
        seen = digest(content)
        label = await self._paths.label_of(place, seen)
        await self._saw(context, place, seen)
        data = {
            **FoundFile(place, facts).shown(),
            "etag": versions.etag_of(seen),
            **_part(content, arguments),
        }
        kind = seen_kind(content)
        files = (AttachedFile(place.path.name, kind, content),) if kind else ()
        return ToolOutput(
            data, summary=f"{facts.size} bytes", sources=(place.source(label),), files=files
        )

    async def get_file_metadata(self, context: ToolContext, arguments: OneFile) -> ToolOutput:
        """Facts about a file, with its properties but without its text."""
        async with self.hints(context, arguments.path):
            place = await self._paths.file(context, arguments.path)
            facts = await asyncio.to_thread(place.root.facts, place.names)
            seen, more = await asyncio.to_thread(_known_content, place, facts)
        rows = await self._paths.known(place.notebook, [place.names])
        label = labels.of_name(place.notebook, rows, place.names)
        if seen and more:
            words = labels.of_content(place.notebook, rows, place.names, seen)
            label = lowest((label, words))
        data = {
            **FoundFile(place, facts).shown(),
            "type": mimetypes.guess_type(place.path.name)[0],
            "folder": place.path.folder,
            **({"etag": versions.etag_of(seen)} if seen else {}),
            **more,
        }
        return ToolOutput(data, summary="facts about a file", sources=(place.source(label),))

    async def search_content(self, context: ToolContext, arguments: SearchContent) -> ToolOutput:
        """The files whose name or text holds the words, whatever their case."""
        limit = arguments.limit
        matches: list[ContentMatch] = []
        sources: list[Source] = []
        budget = ReadBudget()
        for folder in await self._folders(context, arguments.path):
            new = await asyncio.to_thread(
                _searched,
                folder,
                context.scope,
                arguments.query.casefold(),
                limit + 1 - len(matches),
                budget,
            )
            matches += new
            sources += await self._match_sources(folder, new[: limit + 1])
        shown = matches[:limit]
        data = {
            "files": [{**match.found.shown(), "lines": match.lines} for match in shown],
            "more": len(matches) > limit or budget.is_spent,
        }
        return ToolOutput(data, summary=f"{len(shown)} files found", sources=tuple(sources))

    @asynccontextmanager
    async def hints(
        self, context: ToolContext, text: str, *, kind: str = "file"
    ) -> AsyncGenerator[None]:
        """What is not there is told with what is nearest to it."""

        def walk(top: ResolvedPath) -> Iterator[tuple[ResolvedPath, FileFacts]]:
            found = _walk(top, context.scope, ReadBudget(_LOOKED_AT), depth=_DEEPEST)
            return ((item.place, item.facts) for item in found)

        try:
            yield
        except NotFound as error:
            raise await near.hinted(
                error, self._paths, context, text, kind=kind, walk=walk
            ) from None

    def hinting(self, act: FileAct[A, R]) -> FileAct[A, R]:
        """The same for what a tool does with one file, named by `path`."""

        @functools.wraps(act)
        async def hinted(context: ToolContext, arguments: A) -> R:
            async with self.hints(context, arguments.path):
                return await act(context, arguments)

        return hinted

    async def _saw(self, context: ToolContext, place: ResolvedPath, seen: str) -> None:
        """Remember what a run saw, so that it never overwrites what it did not."""
        if context.context_id is None:
            return
        key = (context.context_id, place.notebook.id, place.names)
        async with self._paths.storage.app.read() as session:
            if await versions.seen(session, *key) == seen:
                return
        async with self._paths.storage.app.write() as session:
            await versions.saw(session, *key, seen)

    async def _list_notebooks(self, context: ToolContext) -> ToolOutput:
        notebooks = await self._paths.notebooks(context.workspace_id, context.scope)
        files = [{"path": row.name, "kind": "notebook"} for row in notebooks]
        return ToolOutput({"files": files, "more": False}, summary=f"{len(files)} notebooks")

    async def _folders(self, context: ToolContext, text: str) -> list[ResolvedPath]:
        path = VirtualPath.parse(text)
        if path.names:
            async with self.hints(context, text, kind="folder"):
                folder = await self._paths.folder(context, path)
                await asyncio.to_thread(folder.root.entries, folder.names, most=1)
            return [folder]
        notebooks = await self._paths.notebooks(context.workspace_id, context.scope)
        return [
            ResolvedPath(row, await self._paths.root(row), VirtualPath((row.name,)))
            for row in notebooks
        ]

    async def _name_sources(
        self, folder: ResolvedPath, found: Sequence[FoundFile]
    ) -> tuple[Source, ...]:
        names = [item.place.names for item in found]
        rows = await self._paths.known(folder.notebook, names)
        used: set[Label] = {labels.of_name(folder.notebook, rows, each) for each in names}
        return tuple(Source(label, f"names of files in {folder.path}") for label in used)

    async def _match_sources(
        self, folder: ResolvedPath, matches: Sequence[ContentMatch]
    ) -> list[Source]:
        # A path shows the names of folders too, of which the caller knows only where it began.
        trails = [_trail(match.found.place.names, beyond=folder.names) for match in matches]
        rows = await self._paths.known(folder.notebook, [*{*chain.from_iterable(trails)}])
        return [
            match.found.place.source(_label(rows, match, trail))
            for match, trail in zip(matches, trails, strict=True)
        ]


@dataclass(slots=True)
class ReadBudget:
    """How much one search may look through, in all notebooks together."""

    entries: int = MOST_ENTRIES
    bytes: int = MOST_SEARCHED_BYTES

    @property
    def is_spent(self) -> bool:
        """Whether the search had to end early."""
        return self.entries <= 0 or self.bytes <= 0


def _fitting(pattern: str | None, folder: VirtualPath) -> tuple[Callable[[FoundFile], bool], bool]:
    """Whether something fits a pattern, and whether that looks into the folders beneath."""
    if pattern is None:
        return lambda _: True, False
    pattern = pattern.removeprefix("/")
    is_deep = "/" in pattern or "**" in pattern

    def fits(item: FoundFile) -> bool:
        path = item.place.path
        names = path.names[len(folder.names) :] if is_deep else (path.name,)
        return fits_glob(pattern, "/".join(names))

    return fits, is_deep


def _known_content(place: ResolvedPath, facts: FileFacts) -> tuple[str | None, dict[str, Any]]:
    """The digest of a file that is not too large, and the properties that it has."""
    if facts.size > changes.LARGEST:
        return None, {}
    if facts.size > LARGEST_TEXT:
        return changes.digest_of(place.root, place.names)[0], {}
    content, _ = place.root.read(place.names, most=LARGEST_TEXT)
    return digest(content), _properties(as_text(content))


def _properties(text: str | None) -> dict[str, Any]:
    found, fault = front_matter.readable(text or "")
    if fault:
        return {"note": fault}
    return {} if found is None else {"properties": found}


def _trail(names: PathNames, *, beyond: PathNames) -> list[PathNames]:
    return [names[:depth] for depth in range(len(beyond) + 1, len(names) + 1)]


def _label(rows: labels.FileLabels, match: ContentMatch, trail: list[PathNames]) -> Label:
    place = match.found.place
    used: list[Label] = [labels.of_name(place.notebook, rows, names) for names in trail]
    if match.digest is not None:
        used.append(labels.of_content(place.notebook, rows, place.names, match.digest))
    return lowest(used)


def _walk(
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
                yield from _beneath(item.place, scope, budget, depth=depth - 1)


def _beneath(
    folder: ResolvedPath, scope: Scope, budget: ReadBudget, *, depth: int
) -> Iterator[FoundFile]:
    try:
        yield from _walk(folder, scope, budget, depth=depth)
    except BailiwickError:
        return  # it is gone meanwhile, or the server may not look into it


def _searched(
    folder: ResolvedPath, scope: Scope, query: str, most: int, budget: ReadBudget
) -> list[ContentMatch]:
    matches: list[ContentMatch] = []
    for item in _walk(folder, scope, budget, depth=_DEEPEST):
        if len(matches) >= most or budget.is_spent:
            break
        if item.facts.kind == "file" and (match := _match(item, query, budget)):
            matches.append(match)
    return matches


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
    text = as_text(content)
    if text is None or query not in text.casefold():
        return
    left = MOST_LINES
    for line in text.splitlines():
        if (at := line.casefold().find(query)) >= 0 and left:
            left -= 1
            start = max(0, at - _EXCERPT // 2)
            yield line[start : start + _EXCERPT + len(query)].strip()


def _part(content: bytes, arguments: ReadFile) -> dict[str, Any]:
    text = as_text(content)
    if text is None:
        note = _SEEN if seen_kind(content) else "This is not a text file, so only facts follow."
        return {"content": None, "note": note}
    end = arguments.offset + arguments.limit
    return {
        "content": text[arguments.offset : end],
        "characters": len(text),
        "next_offset": end if end < len(text) else None,
        **(_properties(text) if arguments.offset == 0 else {}),
    }


@dataclass(frozen=True, slots=True)
class CoveredFiles:
    """The files that a scope covers, as far as they were counted."""

    count: int
    more: bool
    some: list[VirtualPath]
    sources: list[Source]


async def covered(paths: PathResolver, workspace_id: str, scope: Scope) -> CoveredFiles:
    """Which files in the notebooks of a workspace a scope covers."""
    budget, found = ReadBudget(_COUNTED), list[FoundFile]()
    for row in await paths.notebooks(workspace_id, scope):
        top = ResolvedPath(row, await paths.root(row), VirtualPath((row.name,)))
        found += await asyncio.to_thread(list, _beneath(top, scope, budget, depth=_DEEPEST))
    files = [item for item in found if item.facts.kind == "file"]
    some = [item.place for item in files[:_NAMED]]
    # Their names may be anyone's words.
    sources = [place.source(labels.usual(place.notebook, place.names)) for place in some]
    return CoveredFiles(len(files), budget.is_spent, [place.path for place in some], sources)
