"""The tools over the index. Each shows only what the caller may see, with whose words it is."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

from bailiwick.errors import NotFound
from bailiwick.library import labels
from bailiwick.library.arguments import OneFile, ReadFile
from bailiwick.library.index import hit_sources, profiles, queries, summary, tag_rows, text_rows
from bailiwick.library.index.arguments import (
    FilesystemRetrieve,
    FilesystemSearch,
    FindSimilar,
    GetFolderTree,
    ListRecentFiles,
    SummarizeFile,
    TagFile,
)
from bailiwick.library.index.entities import entities
from bailiwick.library.index.events import emit_changes
from bailiwick.library.index.indexer import LibraryIndexer
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.index.queries import FileFilter
from bailiwick.library.index.search import FileFinder, FileHit, FileHits, FileSearch
from bailiwick.library.models import Notebook
from bailiwick.library.read import FileReader
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.office import Office
from bailiwick.offline.extraction import key_sentences
from bailiwick.offline.work import Doc
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, Source

_MOST_TEXT = 100_000  # characters of a text that get_file shows
_MOST_FOLDERS = 500


class IndexedFiles:
    """What the tools do."""

    def __init__(self, office: Office, paths: PathResolver, reader: FileReader) -> None:
        self._office = office
        self._paths = paths
        self._reader = reader
        self._store = office.storage.app

    async def filesystem_search(
        self, context: ToolContext, arguments: FilesystemSearch
    ) -> ToolOutput:
        """Files by name, words and meaning."""
        only = FileFilter(
            kind=arguments.type,
            tag=arguments.tag.casefold() if arguments.tag else None,
            untagged=arguments.untagged,
            after=_start(arguments.after),
            before=_start(arguments.before),
        )
        search = await self._search(context, arguments.virtual_root, only)
        search = replace(search, query=arguments.query, mode=arguments.mode)
        return await self._shown(await self._finder.find(search, limit=arguments.limit))

    async def filesystem_retrieve(
        self, context: ToolContext, arguments: FilesystemRetrieve
    ) -> ToolOutput:
        """The text of a file beneath a root."""
        parts = (arguments.virtual_root.strip("/"), arguments.file_path.lstrip("/"))
        path = "/".join(part for part in parts if part)
        return await self._reader.read_file(context, ReadFile.checked({"path": path}))

    async def find_similar(self, context: ToolContext, arguments: FindSimilar) -> ToolOutput:
        """Files that say alike things."""
        _, file = await self._file(context, arguments)
        search = await self._search(context, "", FileFilter())
        return await self._shown(await self._finder.similar(search, file, limit=arguments.limit))

    async def list_recent_files(
        self, context: ToolContext, arguments: ListRecentFiles
    ) -> ToolOutput:
        """The files that came last."""
        search = await self._search(context, "", FileFilter(kind=arguments.type))
        hits = await self._finder.newest(search, limit=arguments.limit, by_arrival=True)
        return await self._shown(hits)

    async def get_folder_tree(self, context: ToolContext, arguments: GetFolderTree) -> ToolOutput:
        """The folders of the library, to a depth; also those that are empty."""
        top = VirtualPath.parse(arguments.path)
        made: list[dict[str, Any]] = []
        sources: list[Source] = []
        left = [_MOST_FOLDERS]
        for notebook in await self._paths.notebooks(context.workspace_id, context.scope):
            if top.notebook not in ("", notebook.name):
                continue
            path = top if top.names else VirtualPath((notebook.name,))
            place = await self._paths.folder(context, path)
            seen: list[ResolvedPath] = []
            about = await self._about(context, notebook, arguments.words)
            tree = await asyncio.to_thread(_tree, place, context, arguments.depth, left, seen)
            made.append(_described(tree, about))
            if any(about.values()):
                # They are words of what the folders hold, and that may be anyone's.
                sources.append(Source("stranger", f"words of files in {path}"))
            names = [each.names for each in seen if each.names]
            rows = await self._paths.known(notebook, names)
            used: set[Label] = {labels.of_name(notebook, rows, each) for each in names}
            sources += [Source(label, f"names of folders in {path}") for label in used]
        if top.names and not made:
            raise NotFound(f"There is no notebook {top.notebook}.")
        return ToolOutput(
            {"folders": made, "more": left[0] <= 0},
            summary="the folders of the library",
            sources=tuple(sources),
        )

    async def _about(
        self, context: ToolContext, notebook: Notebook, words: int
    ) -> dict[str, list[str]]:
        """The telling words of each folder, by its path; of files that the caller may see alone."""
        if not words:
            return {}

        def allows(path: str) -> bool:
            return context.scope.allows_file(VirtualPath((notebook.name, *path.split("/"))))

        async with self._store.read() as session:
            found = await profiles.profiles(session, notebook.id, allows=allows, words=words)
        return {f"{notebook.name}/{folder}": each for folder, each in found.items()}

    async def get_file(self, context: ToolContext, arguments: OneFile) -> ToolOutput:
        """All that is known of a file, with its text as each extractor read it."""
        place, file = await self._file(context, arguments)
        async with self._store.read() as session:
            texts = await queries.texts(session, [file.number], most=_MOST_TEXT)
            tags = (await text_rows.tags_of(session, [file.number])).get(file.number, [])
        data = {
            **_facts(str(place.path), file, tags),
            "name": file.name,
            "created_at": file.first_seen_at.isoformat(),
            "properties": file.properties,
            "state": file.text_state,
            "problem": file.problem,
            "digests": {by: text for by, (text, _) in texts.get(file.number, {}).items()},
        }
        sources = (place.source(await self._label(place, file)),)
        return ToolOutput(data, summary="a file and its text", sources=sources)

    async def summarize_file(self, context: ToolContext, arguments: SummarizeFile) -> ToolOutput:
        """What a file says: by the model for people, else in its own sentences that matter most."""
        place, file = await self._file(context, arguments)
        text, most = await self._text(file), arguments.sentences
        said, by = list[str](), ""
        if context.in_person:
            said, by = await summary.by_model(self._office, file.name, text, most=most)
        if not said:
            quotes = await asyncio.to_thread(key_sentences, Doc(file.name, text), most=most)
            said = [quote.text for quote in quotes]
        data = {
            **_named(place),
            "summary": " ".join(said) or file.problem or "There is no text to sum up.",
            "sentences": said,
            "made_by": by or "extraction: these are the file's own sentences",
        }
        sources = (place.source(await self._label(place, file)),)
        return ToolOutput(data, summary="a summary", sources=sources)

    async def extract_entities(self, context: ToolContext, arguments: OneFile) -> ToolOutput:
        """People, dates, amounts and places that a file names."""
        place, file = await self._file(context, arguments)
        found = await asyncio.to_thread(entities, await self._text(file))
        sources = (place.source(await self._label(place, file)),)
        return ToolOutput({**_named(place), **found}, summary="what a file names", sources=sources)

    async def tag_file(self, context: ToolContext, arguments: TagFile) -> ToolOutput:
        """Give a file tags, or take them away."""
        place, file = await self._file(context, arguments)
        tags = [tag.strip().casefold() for tag in arguments.tags]
        return await self._tag(place, file, tags, take=arguments.remove)

    async def preview_tags(self, context: ToolContext, arguments: TagFile) -> dict[str, Any]:
        """Which tags would come or go."""
        place = await self._paths.file(context, arguments.path)
        verb = "Takes away" if arguments.remove else "Adds"
        tags = ", ".join(arguments.tags)
        return {"kind": "note", "text": f"{verb} the tags {tags} at {place.path}."}

    async def untag_file(
        self, context: ToolContext, arguments: TagFile, receipt: Receipt
    ) -> ToolOutput:
        """Take back the tags that were given, or give back those that were taken."""
        place, file = await self._file(context, arguments)
        return await self._tag(place, file, receipt["tags"], take=not receipt["taken"])

    async def _tag(
        self, place: ResolvedPath, file: IndexedFile, tags: Sequence[str], *, take: bool
    ) -> ToolOutput:
        change = tag_rows.take if take else tag_rows.add
        async with self._store.write() as session:
            changed = await change(session, file.number, tags)
            now = (await text_rows.tags_of(session, [file.number])).get(file.number, [])
            emit_changes(session, place.notebook, changed=1)
        status = "untagged" if take else "tagged"
        return ToolOutput(
            {**_named(place), "tags": now, "status": status},
            summary=f"file {status}",
            receipt={"tags": changed, "taken": take},
        )

    @property
    def _finder(self) -> FileFinder:
        return self._office[FileFinder]

    async def _search(self, context: ToolContext, text: str, only: FileFilter) -> FileSearch:
        top = VirtualPath.parse(text, field="virtualRoot")
        notebooks = list(await self._paths.notebooks(context.workspace_id, context.scope))
        if top.names:
            place = await self._paths.folder(context, top)
            notebooks = [place.notebook]
            only = replace(only, folders={place.notebook.id: "/".join(place.names)})
        return FileSearch(notebooks, context.scope, only=only)

    async def _file(
        self, context: ToolContext, arguments: OneFile
    ) -> tuple[ResolvedPath, IndexedFile]:
        """A file and its row; one that the index does not have yet is looked at now."""
        async with self._reader.hints(context, arguments.path):
            place = await self._paths.file(context, arguments.path)
            await asyncio.to_thread(place.root.facts, place.names)
        file = await self._row(place)
        if file is None or file.text_state == "waiting":
            await self._office[LibraryIndexer].catch_up(place.notebook, place.names)
            file = await self._row(place)
        if file:
            return place, file
        raise NotFound(f"{place.path} is not in the index yet. Try again in a moment.")

    async def _row(self, place: ResolvedPath) -> IndexedFile | None:
        async with self._store.read() as session:
            return await queries.file_at(session, place.notebook.id, "/".join(place.names))

    async def _text(self, file: IndexedFile) -> str:
        async with self._store.read() as session:
            found = await queries.texts(session, [file.number])
        return "\n".join(text for text, _ in found.get(file.number, {}).values())

    async def _shown(self, hits: FileHits) -> ToolOutput:
        files = [_hit(hit) for hit in hits.items]
        return ToolOutput(
            {"files": files, "more": hits.more},
            summary=f"{len(files)} files found",
            sources=await hit_sources.sources(self._paths, hits.items),
        )

    async def _label(self, place: ResolvedPath, file: IndexedFile) -> Label:
        rows = await self._paths.known(place.notebook, [place.names])
        return labels.of_content(place.notebook, rows, place.names, file.digest or "")


def _start(day: date | None) -> datetime | None:
    return datetime.combine(day, time.min, UTC) if day else None


def _named(place: ResolvedPath) -> dict[str, Any]:
    return {"path": str(place.path), "id": Ref("file", str(place.path))}


def _facts(path: str, file: IndexedFile, tags: Sequence[str]) -> dict[str, Any]:
    return {
        "path": path,
        "kind": "file",
        "id": Ref("file", path),
        "size": file.size,
        "modified": file.modified_at.isoformat(),
        "type": file.media_type,
        "tags": list(tags),
    }


def _hit(hit: FileHit) -> dict[str, Any]:
    made = _facts(str(hit.path), hit.file, hit.tags)
    if hit.likeness is not None:
        made["likeness"] = round(hit.likeness, 3)
    if hit.how != "newest":
        made |= {"snippet": "".join(piece.text for piece in hit.snippet), "found_by": hit.how}
    return made


def _described(tree: dict[str, Any], about: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    folders = [_described(each, about) for each in tree["folders"]]
    return {**tree, "about": [*about.get(tree["path"], ())], "folders": folders}


def _tree(
    place: ResolvedPath,
    context: ToolContext,
    depth: int,
    left: list[int],
    shown: list[ResolvedPath],
) -> dict[str, Any]:
    left[0] -= 1
    shown.append(place)
    entries = place.root.entries(place.names, most=10_000)
    below = [place.beneath(name) for name, facts in entries if facts.kind == "folder"]
    seen = [each for each in below if context.scope.allows_folder(each.path)]
    files = [place.beneath(name) for name, facts in entries if facts.kind == "file"]
    return {
        "name": place.path.name,
        "path": str(place.path),
        "files": sum(context.scope.allows_file(each.path) for each in files),
        "subfolders": len(seen),
        "folders": [
            _tree(each, context, depth - 1, left, shown)
            for each in seen
            if depth > 0 and left[0] > 0
        ],
    }
