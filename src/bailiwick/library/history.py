"""The tool that lists the versions of a file, and what is different between two of them."""

import asyncio
from collections.abc import Sequence
from typing import Any

from bailiwick.errors import NotFound
from bailiwick.library import changes, labels, versions
from bailiwick.library.arguments import OneFile
from bailiwick.library.models import FileVersion
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.tools.tool import ToolContext, ToolOutput


class FileHistory:
    """What the tool does."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths

    async def list_file_versions(self, context: ToolContext, arguments: OneFile) -> ToolOutput:
        """The versions of a file, newest first."""
        place = await self._paths.file(context, arguments.path)
        async with self._paths.storage.app.read() as session:
            rows = await versions.of_file(session, place.notebook.id, place.names)
        now = await self.current(place)
        if now is None and not rows:
            raise place.root.missing(place.names)
        known = await self._paths.known(place.notebook, [place.names])
        label = labels.of_name(place.notebook, known, place.names)
        data = {"path": str(place.path), "versions": _shown(rows, now)}
        return ToolOutput(data, summary=f"{len(rows)} versions", sources=(place.source(label),))

    async def current(self, place: ResolvedPath) -> str | None:
        """The digest of what is there now; None if nothing is."""
        try:
            return (await asyncio.to_thread(changes.digest_of, place.root, place.names))[0]
        except NotFound:
            return None


def _shown(rows: Sequence[FileVersion], now: str | None) -> list[dict[str, Any]]:
    current = next((row.id for row in rows if row.digest == now and row.change != "deleted"), None)
    return [
        {
            "id": row.id,
            "etag": versions.etag_of(row.digest),
            "change": row.change,
            "size": row.size,
            "at": row.at.isoformat(),
            "by": row.author_name,
            "is_current": row.id == current,
        }
        for row in rows
    ]
