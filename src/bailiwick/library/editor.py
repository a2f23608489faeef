"""Where files are changed.

The order is always the same: what undo will need is kept as a version, the label of what comes is
put on record, the disk is changed in one step, the record is brought in line. A crash between any
two of these loses neither content nor label.
"""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from bailiwick.errors import Conflict, NotFound
from bailiwick.library import changes, labels, versions
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import FileFacts, PathNames
from bailiwick.library.versions import FileContent, VersionAuthor
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it is now."""

    digest: str
    facts: FileFacts
    recorded: Label | None  # None: it has the usual label of its place
    label: Label


class FileEditor:
    """Changes files, and what is known about whose words they hold."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths
        self._app = paths.storage.app
        self._blobs = versions.own(paths.blobs)

    async def place(self, context: ToolContext, path: str, *, field: str = "path") -> ResolvedPath:
        """Where a file is, or would be."""
        return await self._paths.file(context, path, field=field)

    def writing(self, *places: ResolvedPath) -> AbstractAsyncContextManager[None]:
        """Nobody else writes in these notebooks while this is held."""
        return self._paths.writing(*places)

    async def state(self, place: ResolvedPath) -> FileState | None:
        """The file as it is now; None if there is none."""
        try:
            digest, facts = await asyncio.to_thread(changes.digest_of, place.root, place.names)
        except NotFound:
            return None
        rows = await self._paths.known(place.notebook, [place.names])
        recorded = labels.recorded(rows, place.names, digest)
        return FileState(
            digest, facts, recorded, recorded or labels.usual(place.notebook, place.names)
        )

    async def present(self, place: ResolvedPath) -> FileState:
        """The file as it is now, or `NotFound`."""
        if state := await self.state(place):
            return state
        raise place.root.missing(place.names)

    async def exists(self, place: ResolvedPath) -> bool:
        """Whether anything has this name."""
        return await asyncio.to_thread(place.root.exists, place.names)

    async def require_seen(
        self, context: ToolContext, place: ResolvedPath, state: FileState, etag: str | None
    ) -> None:
        """Refuse to change what the caller has not seen: it is not what they named, or read."""
        now = versions.etag_of(state.digest)
        if etag is not None:
            seen = etag.strip().removeprefix("W/").strip('"')
            if seen != now:
                raise _changed_since(place, seen=seen, now=now)
        elif context.context_id:
            async with self._app.read() as session:
                last = await versions.seen(
                    session, context.context_id, place.notebook.id, place.names
                )
            if last and last != state.digest:
                raise _changed_since(place, seen=versions.etag_of(last), now=now)

    async def keep(self, place: ResolvedPath, state: FileState) -> str:
        """Keep a file's content, under the name that is returned; it is a version from now on."""
        blob = await asyncio.to_thread(self._put, place)
        content = FileContent(state.digest, blob, state.facts.size, state.recorded)
        async with self._app.write() as session:
            await versions.add(
                session,
                place.notebook.id,
                place.names,
                content,
                by=versions.FOUND,
                at=state.facts.modified,
            )
        return blob

    async def kept(self, blob: str) -> bytes:
        """What was kept."""
        return await asyncio.to_thread(self._blobs.read, blob)

    async def create(
        self,
        place: ResolvedPath,
        content: bytes,
        label: Label | None,
        *,
        by: VersionAuthor,
        mode: int | None = None,
    ) -> list[PathNames]:
        """A new file with this label; without one it has the usual label of its place."""
        new = await self._new(content, label)
        await self._expect(place, new.digest, label)
        made = await asyncio.to_thread(
            changes.create, place.root, place.names, [content], mode=mode
        )
        await self.record(place, new.digest, label, version=(new, by))
        await self.name_folders(place, made, label)
        return made

    async def replace(
        self,
        place: ResolvedPath,
        state: FileState,
        content: bytes,
        label: Label | None,
        *,
        by: VersionAuthor,
    ) -> None:
        """Another content for a file, with this label."""
        new = await self._new(content, label)
        await self._expect(place, new.digest, label, now=state)
        await asyncio.to_thread(
            changes.replace, place.root, place.names, [content], seen=state.facts
        )
        await self.record(place, new.digest, label, version=(new, by))

    async def remove(
        self,
        place: ResolvedPath,
        state: FileState,
        *,
        by: VersionAuthor | None = None,
        linked: bool = False,
    ) -> None:
        """Remove a file, and what is known of it but for its versions."""
        await asyncio.to_thread(
            changes.remove, place.root, place.names, seen=state.facts, linked=linked
        )
        await self.forget(place, by=by)

    async def move(
        self, source: ResolvedPath, target: ResolvedPath, state: FileState, label: Label | None
    ) -> list[PathNames]:
        """Move a file to a free name, where it has this label."""
        await self._expect(target, state.digest, label)
        made = await asyncio.to_thread(
            changes.move,
            source.root,
            source.names,
            target.root,
            target.names,
            seen=state.facts,
        )
        await self.moved(source, target, state.digest, label)
        return made

    async def moved(
        self, source: ResolvedPath, target: ResolvedPath, digest: str, label: Label | None
    ) -> None:
        """Put on record that a file, with its versions, has another place."""
        await self.record(target, digest, label)
        await self.forget(source)
        async with self._app.write() as session:
            await versions.follow(
                session,
                (source.notebook.id, source.names),
                (target.notebook.id, target.names),
            )

    async def record(
        self,
        place: ResolvedPath,
        digest: str,
        label: Label | None,
        *,
        version: tuple[FileContent, VersionAuthor] | None = None,
    ) -> None:
        """Put on record whose words a file holds, or that nothing is known; and its version."""
        async with self._app.write() as session:
            if label is None:
                await labels.forget(session, place.notebook.id, [place.names])
            else:
                await labels.arrived(
                    session, place.notebook.id, place.names, digest=digest, label=label
                )
            if version:
                content, by = version
                await versions.add(session, place.notebook.id, place.names, content, by=by)
                if by.context_id:
                    await versions.saw(
                        session, by.context_id, place.notebook.id, place.names, digest
                    )

    async def forget(
        self,
        place: ResolvedPath,
        *,
        folders: Iterable[PathNames] = (),
        by: VersionAuthor | None = None,
    ) -> None:
        """A file is gone, and so are the folders that were made for it, if they are empty."""
        made = [tuple(names) for names in folders]
        gone = await asyncio.to_thread(changes.remove_empty, place.root, made)
        async with self._app.write() as session:
            await labels.forget(session, place.notebook.id, [place.names, *gone])
            if by and (last := await versions.newest(session, place.notebook.id, place.names)):
                content = FileContent(last.digest, last.blob, last.size, last.label)  # pyright: ignore[reportArgumentType]
                await versions.add(session, place.notebook.id, place.names, content, by=by)

    async def name_folders(
        self, place: ResolvedPath, folders: Iterable[PathNames], label: Label | None
    ) -> None:
        """Folders were made, so their names are these words."""
        if label is not None and (made := list(folders)):
            async with self._app.write() as session:
                await labels.name_folders(session, place.notebook.id, made, label=label)

    async def leave(self, place: ResolvedPath, key: str, what: labels.DepartingFile) -> None:
        """Remember what a call is about to take away."""
        async with self._app.write() as session:
            await labels.leave(session, place.notebook.id, place.names, key=key, what=what)

    async def left(self, place: ResolvedPath, key: str) -> labels.DepartingFile | None:
        """What this very call took away, if it came so far."""
        async with self._app.read() as session:
            return await labels.left(session, place.notebook.id, place.names, key=key)

    async def _expect(
        self, place: ResolvedPath, digest: str, label: Label | None, *, now: FileState | None = None
    ) -> None:
        if label is None:
            return
        async with self._app.write() as session:
            await labels.expect(
                session,
                place.notebook.id,
                place.names,
                digest=digest,
                label=label,
                now=now and (now.digest, now.recorded),
            )

    async def _new(self, content: bytes, label: Label | None) -> FileContent:
        blob = await asyncio.to_thread(self._blobs.put, content)
        return FileContent(changes.digest(content), blob, len(content), label)

    def _put(self, place: ResolvedPath) -> str:
        with place.root.opened(place.names) as (file, _):
            return self._blobs.put(file)


def _changed_since(place: ResolvedPath, *, seen: str, now: str) -> Conflict:
    words = f"{now} is there now, and you saw {seen}"
    return Conflict(
        f"{place.path} was changed since you saw it ({words}), so nothing was done. Read it again "
        f"and repeat your change on what it says now.",
        errors={"etag": [words]},
    )
