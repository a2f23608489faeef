"""The tools that create and delete files, each beside its inverse."""

import asyncio
from dataclasses import dataclass

from bailiwick.errors import Conflict, RuleViolated
from bailiwick.kit import clock
from bailiwick.library import changes, labels
from bailiwick.library.arguments import LARGEST_TEXT, CreateFile, OneFile, SeenFile
from bailiwick.library.content import as_text, done, encoded, require_same
from bailiwick.library.editor import FileEditor
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.root import PathNames
from bailiwick.library.versions import VersionAuthor
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.tool import Receipt, ToolContext, ToolOutput
from bailiwick.tools.trust import Label, lowest

TEMPLATES = "templates"


@dataclass(frozen=True, slots=True)
class NewFile:
    """What a new file will hold, and whose words that is."""

    content: bytes
    label: Label


class FileWriter:
    """What the tools do."""

    def __init__(self, paths: PathResolver) -> None:
        self._paths = paths
        self._editor = FileEditor(paths)

    async def create_file(self, context: ToolContext, arguments: CreateFile) -> ToolOutput:
        """A new file."""
        place = await self._editor.place(context, arguments.path)
        new = await self.new_file(context, arguments, place)
        digest = changes.digest(new.content)
        by = VersionAuthor.of(context, "created")
        async with self._editor.writing(place):
            if await self._editor.exists(place):
                raise changes.taken(place.root, place.names)
            # A template may be another one when a call is tried again.
            await self._editor.leave(place, context.key, labels.DepartingFile(digest, None))
            made = await self._editor.create(place, new.content, new.label, by=by)
        return done(place, "created", created(digest, made), digest=digest)

    async def created_file(self, context: ToolContext, arguments: CreateFile) -> ToolOutput | None:
        """Whether this very call wrote what is there."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            state = await self._editor.state(place)
            coming = await self._editor.left(place, context.key)
            if not state or not state.recorded or not coming or state.digest != coming.digest:
                return None
            await self._editor.record(place, state.digest, state.recorded)
        return done(place, "created", created(state.digest, []), digest=state.digest)

    async def uncreate_file(
        self, context: ToolContext, arguments: OneFile, receipt: Receipt
    ) -> ToolOutput:
        """Remove a file that was created and is unchanged."""
        place = await self._editor.place(context, arguments.path)
        by = VersionAuthor.of(context, "deleted")
        async with self._editor.writing(place):
            if state := await self._editor.state(place):
                require_same(state.digest, receipt["digest"], place, "created")
                await self._editor.remove(place, state, by=by)
            await self._editor.forget(place, folders=receipt["folders"])
        return done(place, "removed again", gone=True)

    async def delete_file(self, context: ToolContext, arguments: SeenFile) -> ToolOutput:
        """Remove a file; its content is kept for undo."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            state = await self._editor.present(place)
            await self._editor.require_seen(context, place, state, arguments.etag)
            blob = await self._editor.keep(place, state)
            leaving = labels.DepartingFile(blob, state.recorded)
            await self._editor.leave(place, context.key, leaving)
            await self._editor.remove(place, state, by=VersionAuthor.of(context, "deleted"))
        return done(place, "deleted", _deleted(leaving, state.facts.mode), gone=True)

    async def deleted_file(self, context: ToolContext, arguments: OneFile) -> ToolOutput | None:
        """Whether this very call removed the file."""
        place = await self._editor.place(context, arguments.path)
        async with self._editor.writing(place):
            leaving = await self._editor.left(place, context.key)
            if leaving is None or await self._editor.exists(place):
                return None
            await self._editor.forget(place, by=VersionAuthor.of(context, "deleted"))
        return done(place, "deleted", _deleted(leaving, None), gone=True)

    async def undelete_file(
        self, context: ToolContext, arguments: OneFile, receipt: Receipt
    ) -> ToolOutput:
        """Bring a deleted file back, if its name is still free."""
        place = await self._editor.place(context, arguments.path)
        content = await self._editor.kept(receipt["blob"])
        by = VersionAuthor.of(context, "undone")
        async with self._editor.writing(place):
            state = await self._editor.state(place)
            if state is None:
                label, mode = receipt["label"], receipt["mode"]
                await self._editor.create(place, content, label, by=by, mode=mode)
            elif state.digest != changes.digest(content):
                raise Conflict(
                    f"There is another file called {place.path} now, so the deleted one was not "
                    f"brought back. Move that one away first; the deleted content is still kept."
                )
        return done(place, "brought back", digest=changes.digest(content))

    async def new_file(
        self, context: ToolContext, arguments: CreateFile, place: ResolvedPath
    ) -> NewFile:
        """The content that is asked for; what a template says is its writer's words."""
        if arguments.template is None:
            return NewFile(encoded(arguments.content), context.label)
        named = VirtualPath.parse(arguments.template, field="template")
        if len(named.names) == 1:
            named = await self._beside(place, named.name)
        template = await self._paths.file(context, str(named), field="template")
        read = template.root.read
        content, _ = await asyncio.to_thread(read, template.names, most=LARGEST_TEXT)
        text = as_text(content)
        if text is None:
            raise RuleViolated(f"{template.path} is no text, so it cannot be a template.")
        label = await self._paths.label_of(template, changes.digest(content))
        filled = _filled(text, arguments.content, place)
        return NewFile(encoded(filled), lowest((label, context.label)))

    async def _beside(self, place: ResolvedPath, name: str) -> VirtualPath:
        """The template of this name: as it stands, or with the ending of what is made of it."""
        for end in ("", place.path.suffix):
            names = (TEMPLATES, f"{name}{end}")
            if await asyncio.to_thread(place.root.exists, names):
                return VirtualPath((place.path.notebook, *names))
        return VirtualPath((place.path.notebook, TEMPLATES, name))


def _filled(template: str, content: str, place: ResolvedPath) -> str:
    suffix = place.path.suffix
    words = {
        "title": place.path.name.removesuffix(suffix),
        "date": f"{clock.now():%Y-%m-%d}",
        "content": content,
    }
    text = template if "{{content}}" in template else template + content
    for name, value in words.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def created(digest: str, made: list[PathNames]) -> Receipt:
    """What undoing a new file needs to know."""
    return {"digest": digest, "folders": [list(names) for names in made]}


def _deleted(leaving: labels.DepartingFile, mode: int | None) -> Receipt:
    return {"blob": leaving.digest, "label": leaving.label, "mode": mode}
