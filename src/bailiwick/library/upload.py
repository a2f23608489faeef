"""The tools behind an upload: a person puts a file of any kind where they say."""

import asyncio
import hmac
import tempfile
from collections.abc import AsyncIterator, Mapping
from typing import Any

from pydantic import Field

from bailiwick.errors import Invalid, TooLarge
from bailiwick.instance.service import TokenHasher
from bailiwick.kit.blobs import BlobFolder
from bailiwick.library import changes, labels
from bailiwick.library.arguments import Etag, FilePath, OneFile
from bailiwick.library.content import done
from bailiwick.library.editor import FileEditor
from bailiwick.library.resolver import PathResolver, ResolvedPath
from bailiwick.library.rewrite import FileRewriter
from bailiwick.library.versions import VersionAuthor, own
from bailiwick.library.write import created
from bailiwick.tools.tool import ToolContext, ToolOutput

LARGEST = changes.LARGEST
_IN_MEMORY = 1_000_000
_MARK = 32
_UPLOAD = "The name under which the content is kept; uploading gives it."


class UploadFile(OneFile):
    """Where an upload is to be, as a new file."""

    path: FilePath = Field(description="The new path of the file: notebook/folder/name.")
    upload: str = Field(max_length=128, description=_UPLOAD, examples=["0" * 64 + "." + "0" * 32])


class ReplaceFile(OneFile):
    """What an upload is to replace."""

    upload: str = Field(max_length=128, description=_UPLOAD, examples=["0" * 64 + "." + "0" * 32])
    etag: Etag = Field(examples=["0" * 32])


class FileUploader:
    """What the tools do. What a file holds that came from elsewhere is nobody's word but its own:
    it has the usual label of its place.
    """

    def __init__(self, paths: PathResolver, hasher: TokenHasher) -> None:
        self._hasher = hasher
        self._editor = FileEditor(paths)
        self._rewriter = FileRewriter(paths)

    async def upload_file(self, context: ToolContext, arguments: UploadFile) -> ToolOutput:
        """A new file."""
        place = await self._editor.place(context, arguments.path)
        content = await self._sent(context, arguments)
        digest = changes.digest(content)
        async with self._editor.writing(place):
            if await self._editor.exists(place):
                raise changes.taken(place.root, place.names)
            await self._editor.leave(place, context.key, labels.DepartingFile(digest, None))
            by = VersionAuthor.of(context, "created")
            made = await self._editor.create(place, content, None, by=by)
        return done(place, "created", created(digest, made), digest=digest)

    async def preview(
        self, context: ToolContext, arguments: UploadFile | ReplaceFile
    ) -> Mapping[str, Any]:
        """What is put where."""
        place = await self._editor.place(context, arguments.path)
        size = len(await self._sent(context, arguments))
        note = f"Puts an upload of {size:,} bytes at {place.path}."
        return {"kind": "note", "text": note, "digest": arguments.upload}

    async def uploaded_file(self, context: ToolContext, arguments: UploadFile) -> ToolOutput | None:
        """Whether this very call wrote what is there."""
        place = await self._editor.place(context, arguments.path)
        state, coming = await self._known(context, place)
        if state is None or state != coming:
            return None
        return done(place, "created", created(state, []), digest=state)

    async def replace_file(self, context: ToolContext, arguments: ReplaceFile) -> ToolOutput:
        """Another content for a file."""
        place = await self._editor.place(context, arguments.path)
        content = await self._sent(context, arguments)
        return await self._rewriter.rewritten(
            context,
            place,
            etag=arguments.etag,
            make=content,
            label=lambda _: None,
            change="replaced",
        )

    async def _sent(self, context: ToolContext, arguments: UploadFile | ReplaceFile) -> bytes:
        """What this very person uploaded; to know what another's content is called is no right."""
        name = arguments.upload.partition(".")[0]
        given = ticket(self._hasher, context.user_id, name)
        if not hmac.compare_digest(given.encode(), arguments.upload.encode()):
            raise Invalid.field("upload", "is no upload of yours; upload the file first")
        return await self._editor.kept(name)

    async def _known(
        self, context: ToolContext, place: ResolvedPath
    ) -> tuple[str | None, str | None]:
        async with self._editor.writing(place):
            state = await self._editor.state(place)
            coming = await self._editor.left(place, context.key)
        return state and state.digest, coming and coming.digest


def ticket(hasher: TokenHasher, user_id: str | None, name: str) -> str:
    """The name of an upload, as the person who sent it may use it."""
    return f"{name}.{hasher(f'upload:{user_id}:{name}')[:_MARK]}"


async def received(blobs: BlobFolder, chunks: AsyncIterator[bytes]) -> str:
    """Keep what is sent, counted as it comes; the name under which it is kept."""
    size = 0
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > LARGEST:
                raise TooLarge(f"A file may have {LARGEST // 1_000_000} MB at most.")
            await asyncio.to_thread(file.write, chunk)
        file.seek(0)
        return await asyncio.to_thread(own(blobs).put, file)  # pyright: ignore[reportArgumentType]
