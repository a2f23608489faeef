"""The tool that moves a file, beside its inverse."""

from bailiwick.errors import Conflict, Invalid
from bailiwick.library import changing, labels
from bailiwick.library.desk import Desk, State
from bailiwick.library.root import Names
from bailiwick.library.shelf import Place, Shelf
from bailiwick.library.writing import done, require_same
from bailiwick.tools.tool import Arguments, Context, Output, Receipt
from bailiwick.tools.trust import lowest


class Moving:
    """What the tool does."""

    def __init__(self, shelf: Shelf) -> None:
        self._desk = Desk(shelf)

    async def move_file(self, context: Context, arguments: Arguments) -> Output:
        """Give a file another name or folder; its words stay whose they were."""
        source, target = await self._places(context, arguments)
        async with self._desk.writing(source, target):
            state = await self._desk.present(source)
            if await self._desk.exists(target):
                raise changing.taken(target.root, target.names)
            leaving = labels.Leaving(state.digest, state.recorded)
            await self._desk.leave(source, context.key, leaving)
            label = lowest((state.label, context.label))
            made = await self._desk.move(source, target, state, label)
            await self._desk.name_folders(target, made, context.label)
        return done(target, "moved", _moved(leaving, made))

    async def moved_file(self, context: Context, arguments: Arguments) -> Output | None:
        """Whether this very call moved the file; a move that was cut short is finished."""
        source, target = await self._places(context, arguments)
        async with self._desk.writing(source, target):
            leaving = await self._desk.left(source, context.key)
            there = await self._desk.state(target)
            if leaving is None or there is None or there.digest != leaving.digest:
                return None
            if not await self._finished(source, leaving):
                return None
            await self._desk.record(target, there.digest, lowest((there.label, context.label)))
            await self._desk.forget(source)
        return done(target, "moved", _moved(leaving, []))

    async def unmove_file(self, context: Context, arguments: Arguments, receipt: Receipt) -> Output:
        """Move a file back, if it is unchanged and its old name still free."""
        source, target = await self._places(context, arguments)
        async with self._desk.writing(source, target):
            there, here = await self._desk.state(target), await self._desk.state(source)
            if not _is_back(there, here, receipt):
                await self._move_back(source, target, there, receipt)
            await self._desk.record(source, receipt["digest"], receipt["label"])
            await self._desk.forget(target, folders=receipt["folders"])
        return done(source, "moved back")

    async def _move_back(
        self, source: Place, target: Place, there: State | None, receipt: Receipt
    ) -> None:
        if there is None:
            raise Conflict(f"{target.path} is no longer there, so it cannot be moved back.")
        require_same(there.digest, receipt["digest"], target, "moved")
        if await self._desk.exists(source):
            raise Conflict(
                f"There is another file called {source.path} now, so {target.path} was not moved "
                f"back. Nothing is lost; move that one away first."
            )
        await self._desk.move(target, source, there, receipt["label"])

    async def _finished(self, source: Place, leaving: labels.Leaving) -> bool:
        """Take the old name away that a crash left; False if another file has it."""
        left = await self._desk.state(source)
        if left is None:
            return True
        if left.digest != leaving.digest:
            return False
        await self._desk.remove(source, left, linked=True)
        return True

    async def _places(self, context: Context, arguments: Arguments) -> tuple[Place, Place]:
        source = await self._desk.place(context, arguments["path"])
        target = await self._desk.place(context, arguments["to"], field="to")
        if source.path == target.path:
            raise Invalid.field("to", "is where the file is already")
        return source, target


def _is_back(there: State | None, here: State | None, receipt: Receipt) -> bool:
    return there is None and here is not None and here.digest == receipt["digest"]


def _moved(leaving: labels.Leaving, made: list[Names]) -> Receipt:
    return {
        "digest": leaving.digest,
        "label": leaving.label,
        "folders": [list(names) for names in made],
    }
