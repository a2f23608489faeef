"""Reads files of the library that are to go with a mail, where the caller may read them."""

import asyncio
import mimetypes

from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.tools.facts import AttachedFile
from bailiwick.tools.tool import ToolContext

_LARGEST = 25_000_000


async def read(office: Office, context: ToolContext, path: str) -> AttachedFile:
    """The file at a path."""
    place = await PathResolver(office).file(context, path, field="attach_files")
    content, _ = await asyncio.to_thread(place.root.read, place.names, most=_LARGEST)
    name = place.path.name
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return AttachedFile(name=name, type=kind, content=content)
