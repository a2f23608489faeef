"""Files for people: read and changed through the gate, under their own name."""

import asyncio
import mimetypes
from collections.abc import Mapping
from typing import Any

from fastapi.responses import Response

from bailiwick.errors import BailiwickError, Conflict
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.people import caller_of
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.downloads import PICTURES, download, to_look_at
from bailiwick.kit.http.wire import Wire
from bailiwick.library import labels, repository, versions
from bailiwick.library.content import as_text
from bailiwick.library.file_schemas import (
    CoverageOut,
    FileChangeOut,
    FileDetailsOut,
    FileDiffOut,
    FileOut,
    FileTextOut,
    FileVersionsOut,
    FolderNodeOut,
    FolderOut,
    FolderTreeOut,
    SimilarFileOut,
    SimilarFilesOut,
    UsedTagOut,
    UsedTagsOut,
)
from bailiwick.library.index import tag_rows
from bailiwick.library.models import FileVersion
from bailiwick.library.previews import difference
from bailiwick.library.read import covered
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label, Source, lowest
from bailiwick.workspaces.access import WorkspaceAccess

_LISTED = 500
_TAGS = 200
_LARGEST_SHOWN = 100_000_000


class FileBrowser:
    """What one person does with the files of one workspace."""

    def __init__(self, office: Office, who: Principal, access: WorkspaceAccess) -> None:
        self._office = office
        self._who = who
        self._access = access
        self._paths = PathResolver(office)

    async def folder(self, path: str, *, pattern: str | None, offset: int) -> FolderOut:
        """What is in a folder; at the top, the notebooks."""
        more = {"pattern": pattern} if pattern else {}
        data = await self._read("list_files", path=path, limit=_LISTED, offset=offset, **more)
        shown = [FileOut(name=_name(each["path"]), **each) for each in data["files"]]
        goes_on = data["more"] and len(shown) == _LISTED
        return FolderOut(
            path=path,
            files=shown,
            more=data["more"],
            next_offset=offset + _LISTED if goes_on else None,
        )

    async def tree(self, path: str) -> FolderTreeOut:
        """The folders directly in a folder; at the top, the notebooks."""
        if path:
            tree = await self._tree(path, depth=1)
            folders = tree["folders"][0]["folders"]
            return FolderTreeOut(path=path, folders=[*map(_node, folders)], more=tree["more"])
        top = await self._read("list_files", path="")
        notebooks = [await self._notebook(each["path"]) for each in top["files"]]
        return FolderTreeOut(path=path, folders=notebooks, more=False)

    async def details(self, path: str) -> FileDetailsOut:
        """What the index knows of a file."""
        data = await self._read("get_file", path=path)
        return FileDetailsOut(**_of(FileDetailsOut, {**data, "texts": data["digests"]}))

    async def similar(self, path: str, *, limit: int) -> SimilarFilesOut:
        """Files that say alike things."""
        data = await self._read("find_similar", path=path, limit=limit)
        files = [
            SimilarFileOut(**_of(SimilarFileOut, {**each, "name": _name(each["path"])}))
            for each in data["files"]
        ]
        return SimilarFilesOut(files=files)

    async def tags(self) -> UsedTagsOut:
        """The tags that files of the workspace have."""
        async with self._office.storage.app.read() as session:
            notebooks = await repository.of_workspace(session, self._access.id)
            ids = [row.id for row in notebooks]
            used = await tag_rows.of_notebooks(session, ids, most=_TAGS)
        shown = [UsedTagOut(tag=tag, files=files) for tag, files in used]
        seen = await programs.shown_to(
            self._office,
            self._who,
            shown,
            workspace_id=self._access.id,
            sources=[Source("stranger", "tags of files")],
            words=("tag",),
        )
        return UsedTagsOut(tags=list(seen))

    async def text(self, path: str, *, offset: int, limit: int) -> FileTextOut:
        """A file with its facts and its text."""
        data = await self._read("read_file", path=path, offset=offset, limit=limit)
        kind = mimetypes.guess_type(data["path"])[0]
        return FileTextOut(**_of(FileTextOut, {**data, "type": kind}))

    async def content(self, path: str, *, version: str | None, to_keep: bool) -> Response:
        """The bytes of a file or of a version, as a browser may have them."""
        place, row = await self._place(path, version)
        content = await self._bytes(place, row)
        name = place.path.name
        kind = mimetypes.guess_type(name)[0] or ""
        if to_keep:
            return download(content, name, media_type="application/octet-stream")
        if kind == "application/pdf" or kind in PICTURES:
            return download(content, name, media_type=kind, inline=True)
        return to_look_at(content, name, "")

    async def versions(self, path: str) -> FileVersionsOut:
        """The versions of a file, newest first."""
        return FileVersionsOut.model_validate(await self._read("list_file_versions", path=path))

    async def diff(self, path: str, *, version: str, to: str | None) -> FileDiffOut:
        """What is different between a version and another, or what is there now."""
        place, row = await self._place(path, version)
        other = (await self._place(path, to))[1] if to else None
        before, after = await self._bytes(place, row), await self._bytes(place, other)
        old, new = as_text(before), as_text(after)
        if new is None:
            text = f"{len(before):,} bytes become {len(after):,}, which are no text."
            return FileDiffOut(kind="note", text=text)
        shown = FileDiffOut.model_validate(await asyncio.to_thread(difference, old, new))
        label = lowest([self._label(place, row), self._label(place, other)])
        (seen,) = await programs.shown_to(
            self._office,
            self._who,
            [shown],
            workspace_id=self._access.id,
            sources=[place.source(label)],
            words=("text",),
        )
        return seen

    async def change(self, tool: str, **arguments: Any) -> FileChangeOut:
        """Change a file; what is left out is None."""
        given = {name: value for name, value in arguments.items() if value is not None}
        done = await own_name.act(self._office, self._who, self._access, tool, given)
        if isinstance(done, Pending):
            return FileChangeOut(status="pending", approval_id=done.approval_id, reason=done.reason)
        data: Mapping[str, Any] = done.data if isinstance(done.data, dict) else {}
        return FileChangeOut(
            status="done",
            path=data.get("path"),
            etag=data.get("etag"),
            action_id=done.action_id,
            undoable=done.undoable,
        )

    async def coverage(self, scope: Scope) -> CoverageOut:
        """Which files a scope would cover."""
        found = await covered(self._paths, self._access.id, scope)
        shown = CoverageOut(
            files=found.count, more=found.more, examples=[str(path) for path in found.some]
        )
        (seen,) = await programs.shown_to(
            self._office,
            self._who,
            [shown],
            workspace_id=self._access.id,
            sources=found.sources,
            words=("examples",),
        )
        return seen

    async def _notebook(self, name: str) -> FolderNodeOut:
        """A notebook; if its folder is gone or closed, with why."""
        try:
            (found,) = (await self._tree(name, depth=0))["folders"]
        except BailiwickError as error:
            return FolderNodeOut(path=name, name=name, files=0, subfolders=0, problem=str(error))
        return _node(found)

    async def _tree(self, path: str, *, depth: int) -> dict[str, Any]:
        return await self._read("get_folder_tree", path=path, depth=depth, words=0)

    async def _read(self, tool: str, **arguments: Any) -> dict[str, Any]:
        done = await own_name.act(self._office, self._who, self._access, tool, arguments)
        if isinstance(done, Pending):
            raise Conflict(f"Waits for an answer: {done.reason}")
        return done.data

    async def _place(
        self, path: str, version: str | None
    ) -> tuple[ResolvedPath, FileVersion | None]:
        """Where a file is that the gate lets this person read, with one of its versions."""
        tool = "list_file_versions" if version else "get_file_metadata"
        data = await self._read(tool, path=path)
        place = await self._paths.file(self._context(), data["path"])
        if version is None:
            return place, None
        async with self._office.storage.app.read() as session:
            return place, await versions.get(session, place.notebook.id, place.names, version)

    def _context(self) -> ToolContext:
        caller = caller_of(self._who, self._access)
        return ToolContext(
            workspace_id=caller.workspace_id,
            user_id=caller.user_id,
            actor_id=caller.id,
            actor_name=caller.name,
            scope=caller.scope,
            label="owner",
            key="",
        )

    async def _bytes(self, place: ResolvedPath, version: FileVersion | None) -> bytes:
        if version:
            blobs = versions.own(self._office.blobs)
            return await asyncio.to_thread(blobs.read, version.blob)
        read = place.root.read
        return (await asyncio.to_thread(read, place.names, most=_LARGEST_SHOWN))[0]

    def _label(self, place: ResolvedPath, version: FileVersion | None) -> Label:
        known: Label | None = version.label if version else None  # pyright: ignore[reportAssignmentType]
        return known or labels.usual(place.notebook, place.names)


def _node(found: Mapping[str, Any]) -> FolderNodeOut:
    return FolderNodeOut(**_of(FolderNodeOut, found))


def _name(path: str) -> str:
    return VirtualPath.parse(path).name


def _of(model: type[Wire], data: Mapping[str, Any]) -> dict[str, Any]:
    """What a model has of this; a tool leaves out what there is none of."""
    return {name: data.get(name) for name in model.model_fields}
