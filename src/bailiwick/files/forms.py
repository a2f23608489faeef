"""A multipart form with one file, read as it comes: the file goes to the disk, never to memory."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from pydantic import ValidationError
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from bailiwick.errors import Invalid
from bailiwick.files.incoming import IncomingFile, ReceivedFile
from bailiwick.files.schemas import FileAboutIn
from bailiwick.kit.blobs import BlobFolder, IncomingBlob

_AT_ONCE = 1024 * 1024
_MOST_ABOUT = 64 * 1024
_MOST_HEADERS = 16 * 1024
_FILE, _ABOUT = "file", "metadata"


class UploadForm:
    """Takes the parts of a form: `file`, and what is said of it in `metadata`."""

    def __init__(self, folder: BlobFolder, boundary: bytes) -> None:
        self.file: IncomingFile | None = None
        self.about = b""
        self._folder = folder
        self._header, self._value, self._size = b"", b"", 0
        self._headers: dict[str, bytes] = {}
        self._part = ""
        self.is_whole = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._on_header,
                "on_header_value": self._on_value,
                "on_header_end": self._end_header,
                "on_headers_finished": self._name,
                "on_part_data": self._take,
                "on_end": self._end,
            },
        )

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the body."""
        try:
            self._parser.write(piece)
        except MultipartParseError:
            raise Invalid.field("body", "is no multipart form") from None

    def drop(self) -> None:
        """Leave nothing of it on the disk."""
        if self.file:
            self.file.blob.drop()

    def _begin(self) -> None:
        self._headers, self._part, self._size = {}, "", 0

    def _on_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]
        self._count(end - start)

    def _on_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._count(end - start)

    def _count(self, more: int) -> None:
        self._size += more
        if self._size > _MOST_HEADERS:
            raise Invalid.field("body", "has a part with too many headers")

    def _end_header(self) -> None:
        self._headers[self._header.decode("latin-1").lower()] = self._value
        self._header, self._value = b"", b""

    def _name(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition", b""))
        self._part = options.get(b"name", b"").decode(errors="replace")
        if self._part == _FILE:
            if self.file:
                raise Invalid.field(_FILE, "send one file at a time")
            name = options.get(b"filename", b"").decode(errors="replace")
            self.file = IncomingFile(self._folder, name)
        elif self._part != _ABOUT:
            raise Invalid.field(self._part[:50] or "body", "is no field of this form")

    def _take(self, data: bytes, start: int, end: int) -> None:
        if self._part == _FILE and self.file:
            self.file.write(data[start:end])
        else:
            self.about += data[start:end]
            if len(self.about) > _MOST_ABOUT:
                raise Invalid.field(_ABOUT, "is too long")

    def _end(self) -> None:
        self.is_whole = True


async def received(
    folder: BlobFolder, request: Request
) -> tuple[ReceivedFile, IncomingBlob, FileAboutIn]:
    """The file that a request sends, on the disk and not yet kept, and what is said of it."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
        raise Invalid.field("body", "must be a multipart form with a field `file`")
    form = UploadForm(folder, boundary)
    try:
        async for piece in gathered(request.stream()):
            await asyncio.to_thread(form.feed, piece)
        if form.file is None or not form.is_whole:
            raise Invalid.field(_FILE, "is missing, or was cut off")
        about = _said(form.about)
        return await asyncio.to_thread(form.file.end), form.file.blob, about
    except ClientDisconnect:
        form.drop()
        raise Invalid.field(_FILE, "was cut off") from None
    except BaseException:
        form.drop()
        raise


async def gathered(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same in pieces that are worth a thread."""
    held = bytearray()
    async for piece in pieces:
        held += piece
        if len(held) >= _AT_ONCE:
            yield bytes(held)
            held.clear()
    if held:
        yield bytes(held)


def _said(about: bytes) -> FileAboutIn:
    try:
        return FileAboutIn.model_validate_json(about or b"{}")
    except ValidationError as error:
        raise Invalid("metadata: it cannot be used", errors=_fields(error.errors())) from None


def _fields(errors: list[Any]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for error in errors:
        name = ".".join((_ABOUT, *map(str, error["loc"])))
        found.setdefault(name, []).append(error["msg"])
    return found
