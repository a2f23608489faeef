"""The tools that give a file another content, and their one inverse."""

from collections.abc import Callable

from bailiwick.errors import RuleViolated
from bailiwick.library import changes, front_matter, labels, versions
from bailiwick.library.arguments import (
    OneFile,
    RestoreFile,
    UpdateProperties,
    WriteFile,
)
from bailiwick.library.content import as_text, done, encoded, require_same
from bailiwick.library.editor import FileEditor
from bailiwick.library.models import FileVersion
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.versions import VersionAuthor, VersionChange
from bailiwick.library.write import FileWriter, created
from bailiwick.tools.tool import Receipt, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, lowest

# The new content, made of what is there, and the label that it has, made of the label of that.
NewContent = Callable[[bytes], bytes]
NewLabel = Callable[[Label], Label | None]


class FileRewriter:
    """What the tools do."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths
        self._editor = FileEditor(paths)
        self._writer = FileWriter(paths)

    async def write_file(self, context: ToolContext, arguments: WriteFile) -> ToolOutput:
        """Replace the content of a file."""
        place = await self._editor.place(context, arguments.path)
        content = written(arguments, place)

        def label(before: Label) -> Label:
            # A person saves what the page showed them, and some of it is still what was there. An
            # agent that has read the file has its label already.
            return lowest((before, context.label)) if context.in_person else context.label

        return await self.rewritten(
            context, place, etag=arguments.etag, make=content, label=label, change="replaced"
        )

    async def update_file_properties(
        self, context: ToolContext, arguments: UpdateProperties
    ) -> ToolOutput:
        """Change properties of a file; every other byte stays."""
        place = await self._editor.place(context, arguments.path)

        return await self.rewritten(
            context,
            place,
            etag=arguments.etag,
            make=lambda before: with_properties(before, arguments, place),
            label=lambda before: lowest((before, context.label)),
            change="properties",
        )

    async def restore_file(self, context: ToolContext, arguments: RestoreFile) -> ToolOutput:
        """Give a file the content of one of its versions; one that was deleted is there again."""
        place = await self._editor.place(context, arguments.path)
        version = await self.version(place, arguments.version)
        label: Label | None = version.label  # pyright: ignore[reportAssignmentType]
        if not await self._editor.exists(place):
            return await self._brought_back(context, place, version, label)

        content = await self._editor.kept(version.blob)
        return await self.rewritten(
            context,
            place,
            etag=arguments.etag,
            make=content,
            label=lambda _: label,
            change="restored",
        )

    async def unrestore_file(
        self, context: ToolContext, arguments: OneFile, receipt: Receipt
    ) -> ToolOutput:
        """Put back what was there before; nothing, if the file had been deleted."""
        if "folders" in receipt:
            return await self._writer.uncreate_file(context, arguments, receipt)
        return await self.unwrite_file(context, arguments, receipt)

    async def version(self, place: ResolvedPath, id: str) -> FileVersion:
        """One version of a file."""
        async with self._paths.storage.app.read() as session:
            return await versions.get(session, place.notebook.id, place.names, id)

    async def unwrite_file(
        self, context: ToolContext, arguments: OneFile, receipt: Receipt
    ) -> ToolOutput:
        """Put the earlier content back, if the file still is what was written."""
        place = await self._editor.place(context, arguments.path)
        content = await self._editor.kept(receipt["blob"])
        by = VersionAuthor.of(context, "undone")
        async with self._editor.writing(place):
            state = await self._editor.present(place)
            if state.digest != receipt["before"]:
                require_same(state.digest, receipt["after"], place, "replaced")
                await self._editor.replace(place, state, content, receipt["label"], by=by)
            await self._editor.record(place, receipt["before"], receipt["label"])
        return done(place, "put back", digest=receipt["before"])

    async def _brought_back(
        self,
        context: ToolContext,
        place: ResolvedPath,
        version: FileVersion,
        label: Label | None,
    ) -> ToolOutput:
        content = await self._editor.kept(version.blob)
        by = VersionAuthor.of(context, "restored")
        async with self._editor.writing(place):
            made = await self._editor.create(place, content, label, by=by)
        return done(place, "restored", created(version.digest, made), digest=version.digest)

    async def rewritten(
        self,
        context: ToolContext,
        place: ResolvedPath,
        *,
        etag: str | None,
        make: NewContent | bytes,
        label: NewLabel,
        change: VersionChange,
    ) -> ToolOutput:
        """Give a file another content, which may be made of what is there."""

        def made(before: bytes) -> bytes:
            return make if isinstance(make, bytes) else make(before)

        editor, by = self._editor, VersionAuthor.of(context, change)
        async with editor.writing(place):
            state = await editor.present(place)
            leaving = await editor.left(place, context.key)
            if leaving:
                before = await editor.kept(leaving.digest)
                new = changes.digest(made(before))
                if state.digest == new:
                    # Tried again after a crash: what was there before is what the first try kept.
                    earlier = leaving.label or labels.usual(place.notebook, place.names)
                    await editor.record(place, new, label(earlier))
                    return done(
                        place,
                        "replaced",
                        _replaced(changes.digest(before), new, leaving),
                        digest=new,
                    )
            await editor.require_seen(context, place, state, etag)
            blob = await editor.keep(place, state)
            content = made(await editor.kept(blob))
            new = changes.digest(content)
            leaving = labels.DepartingFile(blob, state.recorded)
            await editor.leave(place, context.key, leaving)
            await editor.replace(place, state, content, label(state.label), by=by)
        return done(place, "replaced", _replaced(state.digest, new, leaving), digest=new)


def written(arguments: WriteFile, place: ResolvedPath) -> bytes:
    """The content that a call of write_file asks for."""
    text = arguments.content
    if arguments.properties:
        text = front_matter.edited(text, arguments.properties, suffix=place.path.suffix)
    return encoded(text)


def with_properties(before: bytes, arguments: UpdateProperties, place: ResolvedPath) -> bytes:
    """The content that a call of update_file_properties asks for."""
    if as_text(before) is None:
        raise RuleViolated(f"{place.path} is no text, so it has no properties.")
    text = before.decode()  # with its byte order mark, if it has one
    return encoded(front_matter.edited(text, arguments.properties, suffix=place.path.suffix))


def _replaced(before: str, after: str, leaving: labels.DepartingFile) -> Receipt:
    return {"before": before, "after": after, "blob": leaving.digest, "label": leaving.label}
