"""The tools that read files. All are bounded, and leave out what the caller may not know of."""

import asyncio
import functools
import mimetypes
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from bailiwick.errors import NotFound
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
from bailiwick.library.index import content_search
from bailiwick.library.matches import (
    DEEPEST,
    ContentMatch,
    FoundFile,
    ReadBudget,
    beneath,
    indexed_match,
    part_of,
    place_of,
    searched,
    unread,
    walked,
)
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import FileFacts, PathNames
from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.file_kinds import seen_kind
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope, fits_glob
from bailiwick.tools.tool import ToolContext, ToolOutput
from bailiwick.tools.trust import Label, Source, lowest

A = TypeVar("A", bound=OneFile)
R = TypeVar("R")
FileAct = Callable[[ToolContext, A], Awaitable[R]]
_LOOKED_AT = 2_000  # names, for what may have been meant
_COUNTED = 50_000  # names, to say how much a scope covers
_NAMED = 20
_SEEN = "This is a picture or a PDF document. A model is shown it, or its text, with this answer."


class FileReader:
    """What the reading tools do."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths

    async def list_files(self, context: ToolContext, arguments: ListFiles) -> ToolOutput:
        """What is in a folder; at the top, the notebooks."""
        path = VirtualPath.parse(arguments.path)
        if not path.names:
            return await self._list_notebooks(context)
        limit, start, budget = arguments.limit, arguments.offset, ReadBudget()
        fits, is_deep = _fitting(arguments.pattern, path)
        depth = DEEPEST if arguments.recursive or is_deep else 0
        async with self.hints(context, arguments.path, kind="folder"):
            folder = await self._paths.folder(context, path)
            walk = filter(fits, walked(folder, context.scope, budget, depth=depth))
            found = await asyncio.to_thread(part_of, walk, start, limit + 1, sorts=depth == 0)
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
            new = await self._content(
                context, folder, arguments.query, limit + 1 - len(matches), budget
            )
            matches += new
            sources += await self._match_sources(folder, new[: limit + 1])
        shown = matches[:limit]
        data = {
            "files": [{**match.found.shown(), "lines": match.lines} for match in shown],
            "more": len(matches) > limit or budget.is_spent,
        }
        return ToolOutput(data, summary=f"{len(shown)} files found", sources=tuple(sources))

    async def _content(
        self, context: ToolContext, folder: ResolvedPath, query: str, most: int, budget: ReadBudget
    ) -> list[ContentMatch]:
        """Matches in one notebook: by the index, and on the disk for what that has not read."""
        folded, scope = query.casefold(), context.scope
        known = await content_search.indexed(
            self._paths.storage.app, folder.notebook, folder.names, scope, query=query, limit=most
        )
        if known is None:
            return await asyncio.to_thread(searched, folder, scope, folded, most, budget)
        made = [indexed_match(folder, hit, folded) for hit in known.hits]
        places = [place_of(folder, path) for path in known.waiting]
        allowed = [place for place in places if scope.allows_file(place.path)]
        return made + await asyncio.to_thread(unread, allowed, folded, budget)

    @asynccontextmanager
    async def hints(
        self, context: ToolContext, text: str, *, kind: str = "file"
    ) -> AsyncGenerator[None]:
        """What is not there is told with what is nearest to it."""

        def walk(top: ResolvedPath) -> Iterator[tuple[ResolvedPath, FileFacts]]:
            found = walked(top, context.scope, ReadBudget(_LOOKED_AT), depth=DEEPEST)
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
        found += await asyncio.to_thread(list, beneath(top, scope, budget, depth=DEEPEST))
    files = [item for item in found if item.facts.kind == "file"]
    some = [item.place for item in files[:_NAMED]]
    # Their names may be anyone's words.
    sources = [place.source(labels.usual(place.notebook, place.names)) for place in some]
    return CoveredFiles(len(files), budget.is_spent, [place.path for place in some], sources)
