"""REST of files in sessions: sending one, and looking at one."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import StringConstraints

from bailiwick.identity.access import AUser, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http import downloads
from bailiwick.kit.http.database import ReadSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.office import TheOffice
from bailiwick.runs import repository, views
from bailiwick.runs.files import store
from bailiwick.runs.schemas import RunId, SessionUploadOut
from bailiwick.tools.facts import AttachedFile

router = APIRouter(tags=["runs"], route_class=IdempotentRoute)
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_FILE: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/octet-stream": _BINARY}}
}
_BYTES: dict[int | str, Any] = {200: {"content": {"application/octet-stream": _BINARY}}}
FileName = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f/\\]+$")
]
LookingInPerson = Annotated[
    Principal, in_person("a token reads what is said of files, and not the files")
]


@router.post("/sessions/uploads", status_code=201, openapi_extra=_FILE)
async def upload_session_file(
    request: Request, person: AUser, office: TheOffice, name: Annotated[FileName, Query()]
) -> SessionUploadOut:
    """Send a file for a message: a PNG, JPEG, WebP or GIF picture, a PDF or a text, up to 10 MB."""
    file = AttachedFile(name, "", await request.body())
    row = await store.upload(office, person.id, file)
    return SessionUploadOut(id=row.id, **views.file_of(row.file).model_dump())


@router.get(
    "/sessions/{session_id}/files/{position}/{number}",
    response_class=Response,
    responses=_BYTES,
    openapi_extra=IN_PERSON,
)
async def read_session_file(
    session_id: RunId,
    position: Annotated[int, Path(ge=0, le=1_000_000, description="Of the message")],
    number: Annotated[int, Path(ge=0, le=100, description="Of the file, the first is 0")],
    who: LookingInPerson,
    session: ReadSession,
    office: TheOffice,
) -> Response:
    """A file of a session; a picture or a text is shown in its place."""
    run = await repository.get(session, who, session_id)
    file, content = await store.content(
        session, office.blobs, run.id, position=position, number=number
    )
    return downloads.to_look_at(content, file["name"], file["media_type"])
