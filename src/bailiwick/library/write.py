"""The tools that create, replace and delete files, each beside its inverse."""

from typing import Any

from bailiwick.errors import Conflict, Invalid
from bailiwick.library import changes, labels
from bailiwick.library.arguments import LARGEST_TEXT, OneFile, WriteFile
from bailiwick.library.editor import FileEditor
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import PathNames
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, lowest


class FileWriter:
    """What the tools do."""

    def __init__(self, paths: PathResolver) -> None:
        self._editor = FileEditor(paths)

    async def create_file(self, context: ToolContext, arguments: WriteFile) -> ToolOutput:
        """A new file."""
        place = await self._editor.place(context, arguments.path)
        content = encoded(arguments.content)
        async with self._editor.writing(place):
            if await self._editor.exists(place):
                raise changes.taken(place.root, place.names)
            made = await self._editor.create(place, content, context.label)
        return done(place, "created", _created(content, made))

    async def created_file(self, context: ToolContext, arguments: WriteFile) -> ToolOutput | None:
        """Whether the file is there with this content, written through the gate."""
        place = await self._editor.place(context, arguments.path)
        content = encoded(arguments.content)
        async with self._editor.writing(place):
            state = await self._editor.state(place)
            if not state or not state.recorded or state.digest != changes.digest(content):
                return None
            await self._editor.record(place, state.digest, state.recorded)
        return done(place, "created", _created(content, []))

    async def uncreate_file(
        self, context: ToolContext, arguments: WriteFile, receipt: Receipt
    ) -> ToolOutput:
        """Remove a file that was created and is unchanged."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            if state := await self._editor.state(place):
                require_same(state.digest, receipt["digest"], place, "created")
                await self._editor.remove(place, state)
            await self._editor.forget(place, folders=receipt["folders"])
        return done(place, "removed again", gone=True)

    async def write_file(self, context: ToolContext, arguments: WriteFile) -> ToolOutput:
        """Replace the content of a file."""
        place = await self._editor.place(context, arguments.path)
        content = encoded(arguments.content)
        new = changes.digest(content)
        async with self._editor.writing(place):
            state = await self._editor.present(place)
            leaving = await self._editor.left(place, context.key)
            if leaving and state.digest == new:
                # Tried again after a crash: what was there before is what the first try kept.
                earlier = leaving.label or labels.usual(place.notebook, place.names)
                await self._editor.record(place, new, _label(context, earlier))
                before = changes.digest(await self._editor.kept(leaving.digest))
                return done(place, "replaced", _replaced(before, new, leaving))
            leaving = labels.DepartingFile(await self._editor.keep(place), state.recorded)
            await self._editor.leave(place, context.key, leaving)
            await self._editor.replace(place, state, content, _label(context, state.label))
        return done(place, "replaced", _replaced(state.digest, new, leaving))

    async def unwrite_file(
        self, context: ToolContext, arguments: WriteFile, receipt: Receipt
    ) -> ToolOutput:
        """Put the earlier content back, if the file still is what was written."""
        place = await self._editor.place(context, arguments.path)
        content = await self._editor.kept(receipt["blob"])
        async with self._editor.writing(place):
            state = await self._editor.present(place)
            if state.digest != receipt["before"]:
                require_same(state.digest, receipt["after"], place, "replaced")
                await self._editor.replace(place, state, content, receipt["label"])
            await self._editor.record(place, receipt["before"], receipt["label"])
        return done(place, "put back")

    async def delete_file(self, context: ToolContext, arguments: OneFile) -> ToolOutput:
        """Remove a file; its content is kept for undo."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            state = await self._editor.present(place)
            leaving = labels.DepartingFile(await self._editor.keep(place), state.recorded)
            await self._editor.leave(place, context.key, leaving)
            await self._editor.remove(place, state)
        return done(place, "deleted", _deleted(leaving, state.facts.mode), gone=True)

    async def deleted_file(self, context: ToolContext, arguments: OneFile) -> ToolOutput | None:
        """Whether this very call removed the file."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            leaving = await self._editor.left(place, context.key)
            if leaving is None or await self._editor.exists(place):
                return None
            await self._editor.forget(place)
        return done(place, "deleted", _deleted(leaving, None), gone=True)

    async def undelete_file(
        self, context: ToolContext, arguments: OneFile, receipt: Receipt
    ) -> ToolOutput:
        """Bring a deleted file back, if its name is still free."""
        place = await self._editor.place(context, arguments.path)
        content = await self._editor.kept(receipt["blob"])
        async with self._editor.writing(place):
            state = await self._editor.state(place)
            if state is None:
                await self._editor.create(place, content, receipt["label"], mode=receipt["mode"])
            elif state.digest != changes.digest(content):
                raise Conflict(
                    f"There is another file called {place.path} now, so the deleted one was not "
                    f"brought back. Move that one away first; the deleted content is still kept."
                )
        return done(place, "brought back")


def encoded(text: str) -> bytes:
    """Text as it is written to disk."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise Invalid.field("content", "contains half of a character; send it again") from None
    if b"\x00" in content:
        raise Invalid.field("content", "contains a NUL character, which no text file has")
    if len(content) > LARGEST_TEXT:
        raise Invalid.field("content", f"is larger than {LARGEST_TEXT // 1_000_000} MB")
    return content


def require_same(now: str, then: str, place: ResolvedPath, what: str) -> None:
    """Refuse to undo what someone went on working with."""
    if now != then:
        raise Conflict(
            f"{place.path} was changed after it was {what}, so nothing was undone and nothing is "
            f"lost. Change it by hand if you still want to."
        )


def done(
    place: ResolvedPath, what: str, receipt: Receipt | None = None, *, gone: bool = False
) -> ToolOutput:
    """What a tool says when it has changed a file."""
    data: dict[str, Any] = {"path": str(place.path), "status": what}
    if not gone:
        data["id"] = Ref("file", str(place.path))
    return ToolOutput(data, summary=f"file {what}", receipt=receipt)


def _created(content: bytes, made: list[PathNames]) -> Receipt:
    return {"digest": changes.digest(content), "folders": [list(names) for names in made]}


def _label(context: ToolContext, before: Label) -> Label:
    """The label of what is saved over a file.

    A person saves what the page showed them, and some of it is still what was there. An agent that
    has read the file has its label already.
    """
    return lowest((before, context.label)) if context.in_person else context.label


def _replaced(before: str, after: str, leaving: labels.DepartingFile) -> Receipt:
    return {"before": before, "after": after, "blob": leaving.digest, "label": leaving.label}


def _deleted(leaving: labels.DepartingFile, mode: int | None) -> Receipt:
    return {"blob": leaving.digest, "label": leaving.label, "mode": mode}
