"""Files for people: read and changed through the gate, under their own name."""

import asyncio
import mimetypes
from collections.abc import Mapping
from typing import Any

from fastapi.responses import Response

from bailiwick.errors import Conflict
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.people import caller_of
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.downloads import PICTURES, download, to_look_at
from bailiwick.library import labels, versions
from bailiwick.library.content import as_text
from bailiwick.library.file_schemas import (
    CoverageOut,
    FileChangeOut,
    FileDiffOut,
    FileOut,
    FileTextOut,
    FileVersionsOut,
    FolderOut,
)
from bailiwick.library.models import FileVersion
from bailiwick.library.previews import difference
from bailiwick.library.read import covered
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label, lowest
from bailiwick.workspaces.access import WorkspaceAccess

_LISTED = 500
_LARGEST_SHOWN = 100_000_000


class FileBrowser:
    """What one person does with the files of one workspace."""

    def __init__(self, office: Office, who: Principal, access: WorkspaceAccess) -> None:
        self._office = office
        self._who = who
        self._access = access
        self._paths = PathResolver(office)

    async def folder(self, path: str, *, pattern: str | None) -> FolderOut:
        """What is in a folder; at the top, the notebooks."""
        more = {"pattern": pattern} if pattern else {}
        data = await self._read("list_files", path=path, limit=_LISTED, **more)
        shown = [
            FileOut(name=VirtualPath.parse(each["path"]).name, **each) for each in data["files"]
        ]
        return FolderOut(path=path, files=shown, more=data["more"])

    async def text(self, path: str, *, offset: int) -> FileTextOut:
        """A file with its facts and its text."""
        data = await self._read("read_file", path=path, offset=offset)
        kind = mimetypes.guess_type(data["path"])[0]
        fields = {name: data.get(name) for name in FileTextOut.model_fields if name != "type"}
        return FileTextOut(type=kind, **fields)  # pyright: ignore[reportArgumentType]

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
