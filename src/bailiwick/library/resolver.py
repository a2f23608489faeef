"""From the path that a caller names to the notebook, the root and the names on disk."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bailiwick.errors import NotFound, Unavailable
from bailiwick.kit.files import PRIVATE_FOLDER
from bailiwick.kit.likeness import nearest
from bailiwick.kit.sealing import other_keys
from bailiwick.library import labels, locks, repository, sealing, service
from bailiwick.library.models import Notebook
from bailiwick.library.root import PathNames, Root, not_there
from bailiwick.office import Office
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label, Source

NOTEBOOKS = sealing.FOLDER


@dataclass(frozen=True, slots=True)
class ResolvedPath:
    """A file or folder that a caller may know of."""

    notebook: Notebook
    root: Root
    path: VirtualPath

    @property
    def names(self) -> PathNames:
        """The names beneath the root."""
        return self.path.inner

    def beneath(self, name: str) -> "ResolvedPath":
        """Something in this folder."""
        return ResolvedPath(self.notebook, self.root, VirtualPath((*self.path.names, name)))

    def source(self, label: Label) -> Source:
        """The file as something that was read."""
        return Source(label, f"the file {self.path}")


class WriteFollower(ABC):
    """Hears of what was written through the gate, as soon as it is on the disk."""

    @abstractmethod
    async def touched(self, notebook: Notebook, names: Iterable[PathNames]) -> None:
        """These files of a notebook may be other than they were."""


class PathResolver:
    """The notebooks of this installation."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self.storage = office.storage
        self.blobs = office.blobs
        self._folder = office.data / NOTEBOOKS
        self._key = office.data_key

    async def notebooks(self, workspace_id: str, scope: Scope) -> Sequence[Notebook]:
        """The notebooks that a caller may see."""
        async with self.storage.app.read() as session:
            found = await repository.of_workspace(session, workspace_id)
        if service.lacks_files(found):
            await service.ensure_files(self.storage, workspace_id)
            async with self.storage.app.read() as session:
                found = await repository.of_workspace(session, workspace_id)
        return [row for row in found if scope.allows_notebook(row.name)]

    async def file(self, context: ToolContext, text: str, *, field: str = "path") -> ResolvedPath:
        """The place of a file, whether it is there or not."""
        path = VirtualPath.of_file(text, field=field)
        # Not in scope, not here: the same words, so that nobody finds out which.
        if not context.scope.allows_file(path):
            raise not_there(str(path))
        return await self._place(context, path)

    async def folder(self, context: ToolContext, path: VirtualPath) -> ResolvedPath:
        """The place of a folder within a notebook."""
        if not context.scope.allows_folder(path):
            raise not_there(str(path))
        return await self._place(context, path)

    async def root(self, notebook: Notebook) -> Root:
        """The folder of a notebook."""
        if notebook.path:
            return Root(Path(notebook.path), notebook.name)
        return await asyncio.to_thread(self._own, notebook)

    @asynccontextmanager
    async def writing(self, *places: ResolvedPath) -> AsyncGenerator[None]:
        """Nobody else writes in these notebooks while this is held; then the index follows."""
        try:
            async with locks.taken(self._folder, (place.notebook.id for place in places)):
                yield
        finally:
            if follower := self._office.find(WriteFollower):
                for place in places:
                    await follower.touched(place.notebook, [place.names])

    async def known(self, notebook: Notebook, files: Sequence[PathNames]) -> labels.FileLabels:
        """What is on record about whose words these files hold."""
        async with self.storage.app.read() as session:
            return await labels.known(session, notebook.id, files)

    async def label_of(self, place: ResolvedPath, digest: str) -> Label:
        """Whose words a file with this content holds."""
        rows = await self.known(place.notebook, [place.names])
        return labels.of_content(place.notebook, rows, place.names, digest)

    async def _place(self, context: ToolContext, path: VirtualPath) -> ResolvedPath:
        known = {row.name: row for row in await self.notebooks(context.workspace_id, context.scope)}
        if notebook := known.get(path.notebook):
            return ResolvedPath(notebook, await self.root(notebook), path)
        alike = nearest(path.notebook, known)
        there = f"; there is {alike}." if alike else ". List the files to see which are."
        raise NotFound(f"There is no notebook {path.notebook}{there}")

    def _own(self, notebook: Notebook) -> Root:
        seal = sealing.seal_of(notebook.id, self._key)
        plain = self._folder / notebook.id
        folder = seal.path(plain) if seal else plain
        if not folder.exists() and (others := other_keys(plain, seal)):
            raise Unavailable(
                f"The notebook {notebook.name} is sealed with the data key {others[0]}. Set "
                f"BAILIWICK_DATA_KEY to that key, then start again."
            )
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        return Root(folder.resolve(), notebook.name, seal=seal)
