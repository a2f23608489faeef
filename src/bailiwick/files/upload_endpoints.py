"""REST of uploads that come in several requests."""

from typing import Annotated

from fastapi import APIRouter, Header, Request, Response

from bailiwick.files import uploads, views
from bailiwick.files.models import FileUpload, StoredFile
from bailiwick.files.schemas import LARGEST, FileUploadIn, FileUploadOut, UploadId
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.idempotency import IdempotentRoute, StreamedRoute
from bailiwick.office import Office, TheOffice

router = APIRouter(prefix="/files/uploads", tags=["files"], route_class=IdempotentRoute)
streamed = APIRouter(prefix="/files/uploads", tags=["files"], route_class=StreamedRoute)
_PIECE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def _shown(
    office: Office, request: Request, row: FileUpload, file: StoredFile | None = None
) -> FileUploadOut:
    return FileUploadOut(
        upload_id=row.id,
        offset=row.offset,
        size=row.size,
        expires_at=row.created_at + uploads.KEPT,
        file=views.of_file(office, request, file) if file else None,
    )


@router.post("", status_code=201)
async def begin_upload(
    body: FileUploadIn, request: Request, who: SignedIn, office: TheOffice
) -> FileUploadOut:
    """Begin an upload that can go on after a broken connection."""
    return _shown(office, request, await uploads.begin(office, who, body))


@router.get("/{upload_id}")
async def read_upload(
    upload_id: UploadId, request: Request, who: SignedIn, office: TheOffice
) -> FileUploadOut:
    """How far an upload is."""
    return _shown(office, request, await uploads.get(office, who, upload_id))


@router.head("/{upload_id}", include_in_schema=False)
async def find_upload_offset(upload_id: UploadId, who: SignedIn, office: TheOffice) -> Response:
    """How far an upload is, in headers alone."""
    row = await uploads.get(office, who, upload_id)
    told = {"Upload-Offset": str(row.offset), "Upload-Length": str(row.size)}
    return Response(headers=told | {"Cache-Control": "no-store"})


@streamed.patch("/{upload_id}", openapi_extra=_PIECE)
async def continue_upload(
    upload_id: UploadId,
    request: Request,
    who: SignedIn,
    office: TheOffice,
    offset: Annotated[int | None, Header(alias="Upload-Offset", ge=0, le=LARGEST)] = None,
) -> FileUploadOut:
    """Send more, from the byte on that is not here yet; the last piece makes the file."""
    row, file = await uploads.go_on(office, who, upload_id, request.stream(), offset=offset)
    return _shown(office, request, row, file)


@router.delete("/{upload_id}", status_code=204)
async def give_up_upload(upload_id: UploadId, who: SignedIn, office: TheOffice) -> None:
    """Give an upload up."""
    await uploads.give_up(office, who, upload_id)
