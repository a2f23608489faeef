"""Files as they are shown."""

from starlette.requests import Request

from bailiwick.accounts.reader import Reader
from bailiwick.files import kinds
from bailiwick.files.models import FileAccess, StoredFile
from bailiwick.files.schemas import (
    FileAccessOut,
    FileMetadataOut,
    FilePreviewOut,
    PreviewOfFileOut,
    UploadedFileOut,
)
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.office import Office
from bailiwick.tools.trust import Source


def address(office: Office, request: Request, path: str) -> str:
    """A path as an address that the caller reaches the office by."""
    origin = office.settings.url or str(request.base_url).rstrip("/")
    return f"{origin}/api/v1/files/{path}"


def of_file(office: Office, request: Request, file: StoredFile) -> UploadedFileOut:
    """A file."""
    return UploadedFileOut(
        file_id=file.id,
        title=file.title,
        size=file.size,
        mime_type=file.mime_type,
        checksum=f"sha256:{file.checksum}",
        upload_url=address(office, request, file.id),
        preview_available=kinds.has_preview(file.mime_type),
        metadata=FileMetadataOut(
            uploaded_by=file.owner_id,
            uploaded_at=file.created_at,
            description=file.description,
            tags=file.tags,
            visibility=file.visibility,
        ),
    )


def of_preview(
    office: Office, request: Request, file: StoredFile, thread_id: str | None
) -> PreviewOfFileOut:
    """What a file looks like, for someone who sees it in a thread."""
    by_way = f"?thread={thread_id}" if thread_id else ""
    picture = address(office, request, f"{file.id}/thumbnail{by_way}")
    return PreviewOfFileOut(
        file_id=file.id,
        preview=FilePreviewOut(
            status=file.preview_status,
            thumbnail_url=picture if file.thumbnail else None,
            page_count=file.page_count,
            text_excerpt=file.text_excerpt,
        ),
    )


async def for_program(
    office: Office, who: Principal, reader: Reader, seen: PreviewOfFileOut
) -> PreviewOfFileOut:
    """The same for a person; a program's is redacted, and it has read what others wrote."""
    space = next(iter(reader.workspaces), "")
    source = Source("stranger", f"the beginning of the file {seen.file_id}")
    (shown,) = await programs.shown_to(
        office, who, [seen], workspace_id=space, sources=[source], words=("preview",)
    )
    return shown


def of_access(row: FileAccess) -> FileAccessOut:
    """One line of the access log."""
    return FileAccessOut(
        file_id=row.file_id,
        user_id=row.user_id,
        action=row.action,
        timestamp=row.at,
        metadata={
            "client_ip": row.client_ip,
            "user_agent": row.user_agent,
            "thread_id": row.thread_id,
        },
    )
