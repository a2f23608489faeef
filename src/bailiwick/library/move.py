"""The tool that moves a file, beside its inverse."""

from bailiwick.errors import Conflict, Invalid
from bailiwick.library import changes, labels
from bailiwick.library.arguments import MoveFile
from bailiwick.library.content import done, require_same
from bailiwick.library.editor import FileEditor, FileState
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import PathNames
from bailiwick.tools.tool import Receipt, ToolContext, ToolOutput
from bailiwick.tools.trust import lowest


class FileMover:
    """What the tool does."""

    def __init__(self, paths: PathResolver) -> None:
        self._editor = FileEditor(paths)

    async def move_file(self, context: ToolContext, arguments: MoveFile) -> ToolOutput:
        """Give a file another name or folder; its words stay whose they were."""
        source, target = await self._places(context, arguments)
        async with self._editor.writing(source, target):
            state = await self._editor.present(source)
            await self._editor.require_seen(context, source, state, arguments.etag)
            if await self._editor.exists(target):
                raise changes.taken(target.root, target.names)
            leaving = labels.DepartingFile(state.digest, state.recorded)
            await self._editor.leave(source, context.key, leaving)
            label = lowest((state.label, context.label))
            made = await self._editor.move(source, target, state, label)
            await self._editor.name_folders(target, made, context.label)
        return done(target, "moved", _moved(leaving, made))

    async def moved_file(self, context: ToolContext, arguments: MoveFile) -> ToolOutput | None:
        """Whether this very call moved the file; a move that was cut short is finished."""
        source, target = await self._places(context, arguments)
        async with self._editor.writing(source, target):
            leaving = await self._editor.left(source, context.key)
            there = await self._editor.state(target)
            if leaving is None or there is None or there.digest != leaving.digest:
                return None
            if not await self._finished(source, leaving):
                return None
            label = lowest((there.label, context.label))
            await self._editor.moved(source, target, there.digest, label)
        return done(target, "moved", _moved(leaving, []))

    async def unmove_file(
        self, context: ToolContext, arguments: MoveFile, receipt: Receipt
    ) -> ToolOutput:
        """Move a file back, if it is unchanged and its old name still free."""
        source, target = await self._places(context, arguments)
        async with self._editor.writing(source, target):
            there, here = await self._editor.state(target), await self._editor.state(source)
            if not _is_back(there, here, receipt):
                await self._move_back(source, target, there, receipt)
            await self._editor.moved(target, source, receipt["digest"], receipt["label"])
            await self._editor.forget(target, folders=receipt["folders"])
        return done(source, "moved back")

    async def _move_back(
        self, source: ResolvedPath, target: ResolvedPath, there: FileState | None, receipt: Receipt
    ) -> None:
        if there is None:
            raise Conflict(f"{target.path} is no longer there, so it cannot be moved back.")
        require_same(there.digest, receipt["digest"], target, "moved")
        here = await self._editor.state(source)
        if here and here.digest == receipt["digest"]:
            # An earlier try came so far; its content is back, so the other name goes.
            await self._editor.remove(target, there, linked=True)
            return
        if await self._editor.exists(source):
            raise Conflict(
                f"There is another file called {source.path} now, so {target.path} was not moved "
                f"back. Nothing is lost; move that one away first."
            )
        await self._editor.move(target, source, there, receipt["label"])

    async def _finished(self, source: ResolvedPath, leaving: labels.DepartingFile) -> bool:
        """Take the old name away that a crash left; False if another file has it."""
        left = await self._editor.state(source)
        if left is None:
            return True
        if left.digest != leaving.digest:
            return False
        await self._editor.remove(source, left, linked=True)
        return True

    async def _places(
        self, context: ToolContext, arguments: MoveFile
    ) -> tuple[ResolvedPath, ResolvedPath]:
        source = await self._editor.place(context, arguments.path)
        target = await self._editor.place(context, arguments.to, field="to")
        if source.path == target.path:
            raise Invalid.field("to", "is where the file is already")
        return source, target


def _is_back(there: FileState | None, here: FileState | None, receipt: Receipt) -> bool:
    return there is None and here is not None and here.digest == receipt["digest"]


def _moved(leaving: labels.DepartingFile, made: list[PathNames]) -> Receipt:
    return {
        "digest": leaving.digest,
        "label": leaving.label,
        "folders": [list(names) for names in made],
    }
