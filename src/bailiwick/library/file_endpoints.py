"""REST of files: people look at them and change them through the gate."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response

from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.bodies import LargeBodies
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.library import upload
from bailiwick.library.browse import FileBrowser
from bailiwick.library.file_schemas import (
    CoverageOut,
    FileAt,
    FileChangeOut,
    FileDetailsOut,
    FileDiffOut,
    FileMoveIn,
    FilePropertiesIn,
    FileRestoreIn,
    FileTagsIn,
    FileTextIn,
    FileTextOut,
    FileTypePatterns,
    FileVersionsOut,
    FolderAt,
    FolderOut,
    FolderPatterns,
    FolderTreeOut,
    IfMatch,
    MustMatch,
    NewFileIn,
    NotebookPatterns,
    SimilarFilesOut,
    UsedTagsOut,
    VersionId,
)
from bailiwick.office import Office, TheOffice
from bailiwick.tools.scope import Scope
from bailiwick.workspaces.access import WorkspaceRole, enter
from bailiwick.workspaces.schemas import WorkspaceId

router = APIRouter(
    prefix="/workspaces/{workspace_id}/files", tags=["files"], route_class=IdempotentRoute
)
UPLOADS = LargeBodies("PUT", re.compile(r"/api/v1/workspaces/[^/]+/files/content"), upload.LARGEST)
_BINARY = {"schema": {"type": "string", "format": "binary"}}
_FILE = {"requestBody": {"required": True, "content": {"application/octet-stream": _BINARY}}}
_BYTES: dict[int | str, dict[str, Any]] = {200: {"content": {"*/*": _BINARY}}}
# A file cannot be redacted, so programs get its text and no more.
FileOnlooker = Annotated[Principal, in_person("a token reads a file's text, and no bytes")]


async def _entered(
    office: Office, who: Principal, workspace_id: str, need: WorkspaceRole
) -> FileBrowser:
    # Its own short transaction: the gate writes in others.
    async with office.storage.app.read() as session:
        return FileBrowser(office, who, await enter(session, who, workspace_id, need=need))


async def _reading(workspace_id: WorkspaceId, who: SignedIn, office: TheOffice) -> FileBrowser:
    return await _entered(office, who, workspace_id, "read")


async def _writing(workspace_id: WorkspaceId, who: SignedIn, office: TheOffice) -> FileBrowser:
    return await _entered(office, who, workspace_id, "write")


Reading = Annotated[FileBrowser, Depends(_reading)]
Writing = Annotated[FileBrowser, Depends(_writing)]


@router.get("")
async def list_folder(
    files: Reading,
    path: FolderAt = "",
    pattern: Annotated[str | None, Query(max_length=200, description="Such as *.md")] = None,
    offset: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> FolderOut:
    """What is in a folder, folders first, 500 at a time; without a path, the notebooks."""
    return await files.folder(path, pattern=pattern, offset=offset)


@router.get("/tree")
async def read_folder_tree(files: Reading, path: FolderAt = "") -> FolderTreeOut:
    """The folders directly in a folder, with how much is in each; without a path, the notebooks."""
    return await files.tree(path)


@router.post("")
async def create_file(files: Writing, body: NewFileIn) -> FileChangeOut:
    """Make a text file, and the folders it needs; one that is there is never overwritten."""
    return await files.change(
        "create_file", path=body.path, content=body.content, template=body.template
    )


@router.get("/text")
async def read_file_text(
    files: Reading,
    path: FileAt,
    offset: Annotated[int, Query(ge=0, le=5_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=200_000, description="How many characters")] = 50_000,
) -> FileTextOut:
    """A file with its facts, its properties and its text."""
    return await files.text(path, offset=offset, limit=limit)


@router.put("/text")
async def write_file_text(
    files: Writing, body: FileTextIn, path: FileAt, etag: MustMatch
) -> FileChangeOut:
    """Replace the whole text of a file; refused if it is no longer what was seen."""
    return await files.change("write_file", path=path, content=body.content, etag=etag)


@router.get("/details")
async def read_file_details(files: Reading, path: FileAt) -> FileDetailsOut:
    """A file's tags, and the text that was read in it, or why there is none."""
    return await files.details(path)


@router.get("/similar")
async def list_similar_files(
    files: Reading, path: FileAt, limit: Annotated[int, Query(ge=1, le=50)] = 10
) -> SimilarFilesOut:
    """Files that say alike things, the nearest first."""
    return await files.similar(path, limit=limit)


@router.get("/tags")
async def list_used_tags(files: Reading) -> UsedTagsOut:
    """The tags that files of the workspace have, the most used first."""
    return await files.tags()


@router.patch("/tags")
async def change_file_tags(files: Writing, body: FileTagsIn, path: FileAt) -> FileChangeOut:
    """Give a file tags, or take them away; what its front matter says stays."""
    return await files.change("tag_file", path=path, tags=body.tags, remove=body.remove)


@router.get("/content", responses=_BYTES, openapi_extra=IN_PERSON)
async def read_file_content(
    files: Reading,
    _: FileOnlooker,
    path: FileAt,
    version: Annotated[VersionId | None, Query()] = None,
    download: Annotated[bool, Query(description="To be kept, not looked at")] = False,
) -> Response:
    """The bytes of a file, as a browser may have them: they can run nothing there."""
    return await files.content(path, version=version, to_keep=download)


@router.put("/content", openapi_extra=_FILE)
async def put_file_content(
    request: Request,
    files: Writing,
    who: SignedIn,
    office: TheOffice,
    path: FileAt,
    etag: IfMatch = None,
) -> FileChangeOut:
    """Upload a file of up to 100 MB; one that is there is replaced only with its etag."""
    kept = await upload.received(office.blobs, request.stream())
    name = upload.ticket(office.hasher, who.user_id, kept)
    tool = "replace_file" if etag else "upload_file"
    return await files.change(tool, path=path, upload=name, etag=etag)


@router.delete("")
async def delete_file(files: Writing, path: FileAt, etag: IfMatch = None) -> FileChangeOut:
    """Delete a file; undoing the action brings it back."""
    return await files.change("delete_file", path=path, etag=etag)


@router.post("/move")
async def move_file(files: Writing, body: FileMoveIn, etag: IfMatch = None) -> FileChangeOut:
    """Give a file another name or folder; nothing is ever overwritten."""
    return await files.change("move_file", path=body.path, to=body.to, etag=etag)


@router.patch("/properties")
async def change_file_properties(
    files: Writing, body: FilePropertiesIn, path: FileAt, etag: IfMatch = None
) -> FileChangeOut:
    """Change properties of a file; all else in it stays as it is."""
    return await files.change(
        "update_file_properties", path=path, properties=body.properties, etag=etag
    )


@router.get("/versions")
async def list_file_versions(files: Reading, path: FileAt) -> FileVersionsOut:
    """The versions of a file, newest first; also of one that was deleted."""
    return await files.versions(path)


@router.get("/diff")
async def compare_file_versions(
    files: Reading,
    path: FileAt,
    version: Annotated[VersionId, Query()],
    to: Annotated[VersionId | None, Query(description="Left out: what is there now")] = None,
) -> FileDiffOut:
    """What is different between a version and another."""
    return await files.diff(path, version=version, to=to)


@router.post("/restore")
async def restore_file(
    files: Writing, body: FileRestoreIn, path: FileAt, etag: IfMatch = None
) -> FileChangeOut:
    """Give a file the content of one of its versions; undoing the action takes that back."""
    return await files.change("restore_file", path=path, version=body.version, etag=etag)


@router.get("/coverage")
async def count_covered_files(
    files: Reading,
    notebooks: NotebookPatterns = ["*"],  # noqa: B006
    folders: FolderPatterns = ["**"],  # noqa: B006
    file_types: FileTypePatterns = ["*"],  # noqa: B006
) -> CoverageOut:
    """How many files, and which, patterns of a scope cover."""
    scope = Scope(notebooks=tuple(notebooks), folders=tuple(folders), file_types=tuple(file_types))
    return await files.coverage(scope)
