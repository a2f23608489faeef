"""REST of uploaded files."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from bailiwick.accounts.reader import reader_of
from bailiwick.files import downloads, forms, repository, service, views
from bailiwick.files.schemas import (
    DownloadLinkOut,
    FileAboutChangeIn,
    FileAccessOut,
    FileId,
    InThread,
    PreviewOfFileOut,
    UploadedFileOut,
)
from bailiwick.files.store import FileStore
from bailiwick.gate.trust import programs
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit import ids
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute, StreamedRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import TheOffice

router = APIRouter(prefix="/files", tags=["files"], route_class=IdempotentRoute)
streamed = APIRouter(prefix="/files", tags=["files"], route_class=StreamedRoute)
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": _BINARY}},
    206: {"content": {"*/*": _BINARY}, "description": "The range that was asked for"},
}
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": _BINARY["schema"],
                        "metadata": {
                            "type": "string",
                            "description": "JSON: description, tags, visibility",
                        },
                    },
                }
            }
        },
    }
}
# A file cannot be redacted, so programs are told of it and get no bytes.
_Onlooker = Annotated[Principal, in_person("a token reads what is said of files, not the files")]
_WORDS = ("title", "metadata")
_ByThread = Annotated[str, Query(alias="thread", pattern=rf"^$|{ids.pattern('thr')}")]


@streamed.post("", status_code=201, openapi_extra=_FORM)
async def upload_file(request: Request, who: SignedIn, office: TheOffice) -> UploadedFileOut:
    """Upload a file of up to 100 MB; what it is, is found from its content."""
    received, blob, about = await forms.received(office[FileStore].contents.folder, request)
    file = await service.keep(office, who, received, blob, about)
    return views.of_file(office, request, file)


@router.get("")
async def list_uploaded_files(
    request: Request,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    page: PageQuery,
    q: Annotated[str, Query(max_length=200, description="Words in titles")] = "",
) -> Page[UploadedFileOut]:
    """One's own files, newest first."""
    found = await repository.listed(session, await reader_of(session, who), page, words=q)
    shown = found.map(lambda row: views.of_file(office, request, row))
    shown.items = [await programs.redacted_for(office, who, one, _WORDS) for one in shown.items]
    return shown


@router.get("/{file_id}")
async def read_uploaded_file(
    file_id: FileId,
    request: Request,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    thread_id: InThread = None,
) -> UploadedFileOut:
    """What is known of a file of one's own, or of a thread that one may read."""
    reader = await reader_of(session, who)
    file = await service.seen(session, office, reader, file_id, thread_id)
    shown = views.of_file(office, request, file)
    return await programs.redacted_for(office, who, shown, _WORDS)


@router.patch("/{file_id}")
async def change_uploaded_file(
    file_id: FileId,
    body: FileAboutChangeIn,
    request: Request,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> UploadedFileOut:
    """Change what is said of a file of one's own, and who may see it."""
    file = await repository.own(session, await reader_of(session, who), file_id)
    await service.change(session, who, file, body)
    return views.of_file(office, request, file)


@router.delete("/{file_id}", status_code=204)
async def delete_uploaded_file(file_id: FileId, who: SignedIn, session: WriteSession) -> None:
    """Delete a file of one's own; messages that had it keep its name."""
    file = await repository.own(session, await reader_of(session, who), file_id)
    await service.remove(session, who, file)


@router.get("/{file_id}/download")
async def link_to_file(
    file_id: FileId,
    request: Request,
    who: SignedIn,
    session: ReadSession,
    office: TheOffice,
    thread_id: InThread = None,
) -> DownloadLinkOut:
    """A link to the content that works for the caller alone, for an hour."""
    reader = await reader_of(session, who)
    return await downloads.link(session, office, request, reader, file_id, thread_id)


@router.get(
    "/{file_id}/content", response_class=Response, responses=_BYTES, openapi_extra=IN_PERSON
)
async def read_uploaded_content(
    file_id: FileId,
    request: Request,
    who: _Onlooker,
    office: TheOffice,
    expires: Annotated[int, Query(ge=0, le=2**33)] = 0,
    token: Annotated[str, Query(max_length=64, pattern="^[0-9a-f]*$")] = "",
    thread: _ByThread = "",
    keep: Annotated[bool, Query(description="To be kept, not looked at")] = False,
) -> Response:
    """The content that a link leads to, or a range of it."""
    given = downloads.GivenLink(file_id, thread, expires, token)
    return await downloads.content(office, request, who, given, to_keep=keep)


@router.get("/{file_id}/preview")
async def preview_file(
    file_id: FileId,
    request: Request,
    who: SignedIn,
    office: TheOffice,
    thread_id: InThread = None,
) -> PreviewOfFileOut:
    """A picture, the number of pages and the first words; made in the background."""
    reader, file = await downloads.looked_at(office, request, who, file_id, thread_id)
    seen = views.of_preview(office, request, file, thread_id)
    return await views.for_program(office, who, reader, seen)


@router.get(
    "/{file_id}/thumbnail", response_class=Response, responses=_BYTES, openapi_extra=IN_PERSON
)
async def read_thumbnail(
    file_id: FileId, request: Request, who: _Onlooker, office: TheOffice, thread: _ByThread = ""
) -> Response:
    """The picture of a preview."""
    _, file = await downloads.looked_at(office, request, who, file_id, thread or None)
    return await downloads.thumbnail(office, file)


@router.get("/{file_id}/accesses")
async def list_file_accesses(
    file_id: FileId, who: SignedIn, session: ReadSession, page: PageQuery
) -> Page[FileAccessOut]:
    """Who had a file of one's own, newest first."""
    await repository.own(session, await reader_of(session, who), file_id)
    found = await repository.accesses(session, file_id, page)
    return found.map(views.of_access)
