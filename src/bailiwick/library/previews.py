"""What a person sees before they allow a change to a file. Nothing here changes anything."""

import asyncio
import difflib
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from bailiwick.library.arguments import (
    LARGEST_TEXT,
    CreateFile,
    MoveFile,
    OneFile,
    RestoreFile,
    UpdateProperties,
    WriteFile,
)
from bailiwick.library.content import as_text
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.rewrite import FileRewriter, with_properties, written
from bailiwick.library.write import FileWriter
from bailiwick.tools.facts import digest
from bailiwick.tools.tool import ToolContext

_MOST_CHARACTERS = 5_000
_MOST_DIFF_LINES = 200
# Comparing takes longer than linear time; what is larger is shown by its beginning.
_MOST_COMPARED_LINES = 2_000
_MOST_COMPARED = 200_000

FilePreview = Mapping[str, Any]


class Previews:
    """What the tools would do."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths
        self._writer = FileWriter(paths)
        self._rewriter = FileRewriter(paths)

    async def create_file(self, context: ToolContext, arguments: CreateFile) -> FilePreview:
        """The beginning of the new file."""
        place = await self._paths.file(context, arguments.path)
        new = await self._writer.new_file(context, arguments, place)
        return {"path": str(place.path), **_beginning(new.content.decode())}

    async def write_file(self, context: ToolContext, arguments: WriteFile) -> FilePreview:
        """What would be different."""
        place = await self._paths.file(context, arguments.path)
        return await self._compared(place, lambda _: written(arguments, place))

    async def update_file_properties(
        self, context: ToolContext, arguments: UpdateProperties
    ) -> FilePreview:
        """What would be different."""
        place = await self._paths.file(context, arguments.path)
        return await self._compared(place, lambda before: with_properties(before, arguments, place))

    async def restore_file(self, context: ToolContext, arguments: RestoreFile) -> FilePreview:
        """What would be different."""
        place = await self._paths.file(context, arguments.path)
        version = await self._rewriter.version(place, arguments.version)
        content = await asyncio.to_thread(self._paths.blobs.read, version.blob)
        if await asyncio.to_thread(place.root.exists, place.names):
            return await self._compared(place, lambda _: content)
        return {"path": str(place.path), **_shown_new(content)}

    async def move_file(self, context: ToolContext, arguments: MoveFile) -> FilePreview:
        """From where to where."""
        source = await self._paths.file(context, arguments.path)
        target = await self._paths.file(context, arguments.to, field="to")
        facts = await asyncio.to_thread(source.root.facts, source.names)
        known = f"{facts.size} {facts.modified.isoformat()}"
        text = f"Moves {source.path} to {target.path}."
        return {"kind": "note", "text": text, "digest": digest(known.encode())}

    async def delete_file(self, context: ToolContext, arguments: OneFile) -> FilePreview:
        """What would be gone."""
        place = await self._paths.file(context, arguments.path)
        facts = await asyncio.to_thread(place.root.facts, place.names)
        text = (
            f"Deletes {place.path} ({facts.size:,} bytes, last changed "
            f"{facts.modified:%Y-%m-%d %H:%M} UTC). This can be undone."
        )
        return {"kind": "note", "text": text}

    async def _compared(self, place: ResolvedPath, make: Callable[[bytes], bytes]) -> FilePreview:
        facts = await asyncio.to_thread(place.root.facts, place.names)
        content = b""
        if facts.size <= LARGEST_TEXT:
            content, _ = await asyncio.to_thread(place.root.read, place.names, most=LARGEST_TEXT)
        before = as_text(content) if facts.size <= LARGEST_TEXT else None
        new = make(content)
        after = as_text(new)
        shown = (
            await asyncio.to_thread(difference, before, after)
            if after is not None
            else _shown_new(new)
        )
        # A comparison may be cut short: the yes is for the whole of what is there now.
        known = before if before is not None else f"{facts.size} {facts.modified.isoformat()}"
        return {"path": str(place.path), "digest": digest(known.encode()), **shown}


def _shown_new(content: bytes) -> FilePreview:
    text = as_text(content)
    if text is not None:
        return _beginning(text)
    return {"kind": "note", "text": f"Puts {len(content):,} bytes there that are no text."}


def difference(before: str | None, after: str) -> FilePreview:
    """What is different between two texts, as far as that can be shown."""
    if before is None:
        note = "The file that is there now is not a text, so only the new content is shown."
        return {**_beginning(after), "note": note}
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if max(len(before), len(after)) > _MOST_COMPARED or len(old) + len(new) > _MOST_COMPARED_LINES:
        note = f"Too large to compare: {len(before):,} characters become {len(after):,}."
        return {**_beginning(after), "note": note}
    lines = difflib.unified_diff(old, new, "before", "after")
    shown = list(islice(lines, _MOST_DIFF_LINES + 1))
    text = "".join(
        line if line.endswith("\n") else f"{line}\n" for line in shown[:_MOST_DIFF_LINES]
    )
    truncated = len(shown) > _MOST_DIFF_LINES or len(text) > _MOST_CHARACTERS * 4
    return {"kind": "diff", "text": text[: _MOST_CHARACTERS * 4], "truncated": truncated}


def _beginning(text: str) -> FilePreview:
    return {
        "kind": "text",
        "text": text[:_MOST_CHARACTERS],
        "truncated": len(text) > _MOST_CHARACTERS,
    }
