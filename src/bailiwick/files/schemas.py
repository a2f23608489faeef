"""Wire forms of uploaded files, with the names that API clients know them by."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import Header, Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.files.models import AccessAction, FileVisibility, PreviewStatus
from bailiwick.kit import ids

LARGEST = 100 * 1024 * 1024
FILE_ID = ids.pattern("file", length=16)
FileId = Annotated[str, Path(pattern=FILE_ID)]
UploadId = Annotated[str, Path(pattern=ids.pattern("fup"))]
_THREAD = ids.pattern("thr")
InThread = Annotated[
    str | None,
    Header(alias="X-Thread-ID", pattern=_THREAD, description="The thread that has the file"),
]
_Title = Annotated[str, StringConstraints(min_length=1, max_length=255)]
_Description = Annotated[str, StringConstraints(max_length=2_000, pattern=r"^[^\x00]*$")]
_Tag = Annotated[
    str, StringConstraints(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Tags = Annotated[list[_Tag], Field(max_length=20)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)


class FileAboutIn(_Strict):
    """What is said of a file that is uploaded."""

    description: _Description = ""
    tags: _Tags = Field(default=[])
    visibility: FileVisibility = "thread"


class FileAboutChangeIn(_Strict):
    """What shall be otherwise; what is left out stays."""

    description: _Description | None = None
    tags: _Tags | None = None
    visibility: FileVisibility | None = None


class FileUploadIn(_Strict):
    """A file that comes in several requests."""

    title: _Title
    size: Annotated[int, Field(ge=0, le=LARGEST)]
    metadata: FileAboutIn = FileAboutIn()


class FileMetadataOut(BaseModel):
    """Who uploaded a file and when, and what is said of it."""

    uploaded_by: str
    uploaded_at: datetime
    description: str
    tags: list[str]
    visibility: FileVisibility


class UploadedFileOut(BaseModel):
    """An uploaded file."""

    file_id: str
    title: str
    size: int
    mime_type: str = Field(description="By its content, whatever its name says")
    checksum: str
    upload_url: str = Field(description="Where it is described")
    preview_available: bool = Field(description="Whether a preview is or will be made")
    metadata: FileMetadataOut


class FileUploadOut(BaseModel):
    """An upload that comes in several requests."""

    upload_id: str
    offset: int = Field(description="How many bytes are here: go on from there")
    size: int
    expires_at: datetime
    file: UploadedFileOut | None = Field(description="Once all of it is here")


class DownloadLinkOut(BaseModel):
    """A link to a file's content, for one person."""

    download_url: str
    expires_at: datetime
    file_id: str


class FilePreviewOut(BaseModel):
    """What a file looks like."""

    status: PreviewStatus
    thumbnail_url: str | None
    page_count: int | None
    text_excerpt: str | None


class PreviewOfFileOut(BaseModel):
    """A file's preview, made in the background."""

    file_id: str
    preview: FilePreviewOut


class FileAccessOut(BaseModel):
    """Someone had a file."""

    event_type: str = "file.accessed"
    file_id: str
    user_id: str
    action: AccessAction
    timestamp: datetime
    metadata: dict[str, Any]
