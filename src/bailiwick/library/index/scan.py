"""Brings the index of a notebook in line with the disk, folder by folder.

What is known of a folder is read before the folder is listed: so what is known and not listed is
really gone. Nothing is read of files that are as they were. What is missing stays for a moment,
marked, because it may turn up under another name; then it keeps its id, tags and text.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field

from bailiwick.errors import NotFound, RuleViolated, Unavailable
from bailiwick.kit.db import Store
from bailiwick.library.index import repository, scan_rows, walk
from bailiwick.library.index.events import emit_changes
from bailiwick.library.index.repository import KnownFile
from bailiwick.library.index.walk import DiskFile, FolderListing
from bailiwick.library.models import Notebook
from bailiwick.library.root import PathNames, Root

_TOGETHER = 1_000  # changes in one transaction
_FOLDERS_TOGETHER = 200  # folders between two notes of how far it came


class ScanStopped(Exception):
    """Somebody asked for the scan to stop."""


@dataclass(slots=True)
class DiskChanges:
    """What is different on the disk."""

    added: list[DiskFile] = field(default_factory=list[DiskFile])
    changed: list[DiskFile] = field(default_factory=list[DiskFile])
    known: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])  # of what changed
    back: list[int] = field(default_factory=list[int])
    gone: list[int] = field(default_factory=list[int])

    def __len__(self) -> int:
        return len(self.added) + len(self.changed) + len(self.back) + len(self.gone)

    @property
    def found(self) -> list[DiskFile]:
        """What is new at its place, or other than it was."""
        return [*self.added, *self.changed]

    def compare(self, known: KnownFile | None, found: DiskFile) -> None:
        """Take in a file that is on the disk."""
        if known is None:
            self.added.append(found)
        elif known.identity != found.identity:
            self.changed.append(found)
            self.known[found.path] = known
        elif known.is_gone:
            self.back.append(known.number)

    def clear(self) -> None:
        """All of it is written."""
        for each in (self.added, self.changed, self.known, self.back, self.gone):
            each.clear()


class NotebookScanner:
    """One notebook and its folder. Whoever compares the two holds the lock."""

    def __init__(self, store: Store, notebook: Notebook, root: Root) -> None:
        self.notebook = notebook
        self.root = root
        self.lock = asyncio.Lock()
        self._store = store

    async def scan(self, *, goes_on: Callable[[], bool] = lambda: True) -> None:
        """Look through the whole folder, from where the last scan was cut short."""
        position = await self._begin()
        pending: list[PathNames] = [()]
        while pending:
            async with self._changes() as changes:
                seen = unreadable = done = 0
                last: PathNames = ()
                while pending and len(changes) < _TOGETHER and done < _FOLDERS_TOGETHER:
                    if not goes_on():
                        pending.clear()
                        break
                    last = pending.pop()
                    files, folders = await self._folder(
                        last, changes, skip=_is_done(last, position)
                    )
                    unreadable += files is None
                    seen += files or 0
                    done += 1
                    # Depth first and by name: so a path says all of what was done before it.
                    pending += [
                        below
                        for name in sorted(folders, reverse=True)
                        if not _is_behind(below := (*last, name), position)
                    ]
            if not goes_on():
                raise ScanStopped
            await self._progress(last, seen=seen, unreadable=unreadable)
        await self._sweep()
        await self._end()

    async def look(self, paths: Iterable[PathNames]) -> None:
        """Look at some files and folders that may have changed, and beneath those that are new."""
        async with self.lock:
            for names in dict.fromkeys(paths):
                async with self._changes(locked=True) as changes:
                    await self._look_at(names, changes)

    async def _look_at(self, names: PathNames, changes: DiskChanges) -> None:
        path = "/".join(names)
        async with self._store.read() as session:
            known = (await repository.at_paths(session, self.notebook.id, [path])).get(path)
        found = await asyncio.to_thread(walk.file_at, self.root, names) if names else None
        if found:
            changes.compare(known, found)
        elif known and not known.is_gone:
            changes.gone.append(known.number)
        if found is None and await asyncio.to_thread(self._presence, names) == "there":
            await self._beneath(names, changes)
            return
        if names:  # a folder that was there, or one whose name a file has now
            async with self._store.read() as session:
                changes.gone += await repository.beneath(session, self.notebook.id, path)

    def _presence(self, names: PathNames) -> walk.Presence:
        # A root that is away is no reason to forget what was in it.
        return walk.presence(self.root, names)

    async def _beneath(self, top: PathNames, changes: DiskChanges) -> None:
        pending = [top]
        while pending:
            names = pending.pop()
            _, folders = await self._folder(names, changes)
            pending += [(*names, name) for name in folders]
            if len(changes) >= _TOGETHER:
                await self._apply(changes)
        await self._forget_folders(within=top, changes=changes)

    async def _forget_folders(self, *, within: PathNames, changes: DiskChanges) -> None:
        """Folders that files are known in, and that are gone."""
        async with (
            self._store.read() as session,
            aclosing(repository.folders(session, self.notebook.id)) as pages,
        ):
            async for some in pages:
                names = [walk.names_of(folder) for folder in some]
                inside = [each for each in names if each[: len(within)] == within and each]
                for folder in await asyncio.to_thread(self._missing, inside):
                    path = "/".join(folder)
                    changes.gone += await repository.beneath(session, self.notebook.id, path)

    def _missing(self, folders: list[PathNames]) -> list[PathNames]:
        return [names for names in folders if walk.presence(self.root, names) == "gone"]

    async def _folder(
        self, names: PathNames, changes: DiskChanges, *, skip: bool = False
    ) -> tuple[int | None, list[str]]:
        """Compare one folder; how many files it has, and its folders. None: it does not open."""
        async with self._store.read() as session:
            known = (
                {}
                if skip
                else await repository.in_folder(session, self.notebook.id, "/".join(names))
            )
        listing = FolderListing(self.root, names)
        batches = listing.batches()
        count = 0
        try:
            while (some := await asyncio.to_thread(next, batches, None)) is not None:
                for file in some if not skip else ():
                    changes.compare(known.pop(file.name, None), file)
                count += 0 if skip else len(some)
                if len(changes) >= 5 * _TOGETHER:
                    await self._apply(changes)
        except NotFound:
            pass  # gone meanwhile: all that was known of it is gone too
        except RuleViolated as error:
            if walk.is_closed(error):
                return None, []
        changes.gone += [row.number for row in known.values() if not row.is_gone]
        return count, listing.folders

    @asynccontextmanager
    async def _changes(self, *, locked: bool = False) -> AsyncGenerator[DiskChanges]:
        """Changes that are written at the end; nobody else compares meanwhile."""
        changes = DiskChanges()
        if locked:
            yield changes
            await self._apply(changes)
            return
        async with self.lock:
            yield changes
            await self._apply(changes)

    async def _apply(self, changes: DiskChanges) -> None:
        if not len(changes):
            return
        moved = await self._moves(changes)
        async with self._store.write() as session:
            taken = {file.path for file in moved.values()}
            # Another process may have written through the gate meanwhile, and told of it.
            there = await repository.at_paths(
                session, self.notebook.id, [*(file.path for file in changes.added), *taken]
            )
            changed, added = dict[int, DiskFile](), list[DiskFile]()
            for file in changes.found:
                row = there.get(file.path) or changes.known.get(file.path)
                if file.path in taken:
                    continue
                if row is None or row.number in moved:
                    added.append(file)
                else:
                    changed[row.number] = file
            out = [there[path].number for path in taken if path in there]
            out = [number for number in out if number not in moved]
            gone = [*(number for number in changes.gone if number not in moved), *out]
            back = [number for number in changes.back if number not in moved]
            await repository.go(session, gone)
            await repository.step_aside(session, [*out, *moved])
            await repository.move(session, moved)
            await repository.change(session, changed)
            await repository.come_back(session, back)
            await repository.add(session, self.notebook.id, added)
            emit_changes(
                session,
                self.notebook,
                added=len(added),
                changed=len(changed) + len(moved) + len(back),
                removed=len(gone),
            )
        changes.clear()

    async def _moves(self, changes: DiskChanges) -> dict[int, DiskFile]:
        """Files that are known under another name, which they have no more."""
        if not changes.found:
            return {}
        async with self._store.read() as session:
            known = await repository.with_inodes(
                session, self.notebook.id, {file.inode for file in changes.found}
            )
        return await asyncio.to_thread(self._moved, changes.found, known) if known else {}

    def _moved(
        self, found: list[DiskFile], known: dict[str, list[KnownFile]]
    ) -> dict[int, DiskFile]:
        moved: dict[int, DiskFile] = {}
        for file in found:
            for row in known.get(file.inode, ()):
                same = row.identity == file.identity and row.number not in moved
                if same and row.path != file.path and self._is_elsewhere(row):
                    moved[row.number] = file
                    break
        return moved

    def _is_elsewhere(self, row: KnownFile) -> bool:
        now = walk.file_at(self.root, walk.names_of(row.path))
        return now is None or now.inode != row.inode

    async def _begin(self) -> PathNames | None:
        found, empty = await asyncio.to_thread(walk.identity, self.root)
        async with self._store.write() as session:
            row = await scan_rows.ensure(session, self.notebook.id)
            is_other = empty and row.root_identity not in (None, found)
            if is_other and await repository.counts(session, self.notebook.id):
                raise Unavailable(
                    f"The folder of the notebook {self.notebook.name} is another one than before, "
                    f"and empty. Bring the files back, or close the notebook."
                )
            scan_rows.begin(row, root_identity=found)
            scan_rows.emit(session, self.notebook, row)
            return tuple(row.position) if row.position is not None else None

    async def _progress(self, last: PathNames, *, seen: int, unreadable: int) -> None:
        async with self._store.write() as session:
            row = await scan_rows.ensure(session, self.notebook.id)
            row.scanned += seen
            row.unreadable += unreadable
            row.position = list(last)
            scan_rows.move_to(row, "running")
            scan_rows.emit(session, self.notebook, row)

    async def _sweep(self) -> None:
        async with self._changes() as changes:
            await self._forget_folders(within=(), changes=changes)

    async def _end(self) -> None:
        async with self._store.write() as session:
            row = await scan_rows.ensure(session, self.notebook.id)
            unread = f"{row.unreadable} folders could not be opened: the server may not look in."
            scan_rows.move_to(row, "done", problem=unread if row.unreadable else None)
            scan_rows.emit(session, self.notebook, row)


def _is_done(names: PathNames, position: PathNames | None) -> bool:
    """Whether a scan that came so far has looked at the files of this folder."""
    return position is not None and names <= position


def _is_behind(names: PathNames, position: PathNames | None) -> bool:
    """Whether a scan that came so far has done this folder and all beneath it."""
    return position is not None and names < position and names != position[: len(names)]
