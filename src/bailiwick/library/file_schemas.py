"""Wire forms of files."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Header, Query
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire
from bailiwick.library.versions import VersionChange
from bailiwick.tools.paths import LONGEST_PATH

_Text = Annotated[str, StringConstraints(max_length=LONGEST_PATH, pattern=r"^[^\x00]*$")]
FileAt = Annotated[
    _Text, Query(alias="path", min_length=1, description="notebook/folder/name, or its id")
]
FolderAt = Annotated[
    _Text, Query(alias="path", description="notebook/folder; left out: the notebooks")
]
VersionId = Annotated[str, StringConstraints(pattern=ids.pattern("fvr"))]
IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", max_length=100, description="The etag of what was seen"),
]
_Patterns = Annotated[
    list[Annotated[str, StringConstraints(max_length=200)]], Query(max_length=100)
]
NotebookPatterns = _Patterns
FolderPatterns = _Patterns
FileTypePatterns = Annotated[
    list[Annotated[str, StringConstraints(max_length=200)]],
    Query(alias="fileTypes", max_length=100),
]


class FileOut(Wire):
    """A file, a folder or a notebook; the last two have no more than a path."""

    path: str
    name: str
    kind: Literal["file", "folder", "notebook"]
    id: str | None = None
    size: int | None = None
    modified: datetime | None = None


class FolderOut(Wire):
    """What is in a folder."""

    path: str
    files: list[FileOut]
    more: bool = Field(description="Whether there is more than is shown")


class FileTextOut(Wire):
    """A file with its facts, and its text or a part of it."""

    path: str
    id: str | None = None
    size: int
    modified: datetime
    etag: str
    type: str | None = Field(description="As its name says")
    content: str | None = Field(description="Null: it is no text")
    next_offset: int | None = None
    properties: dict[str, Any] | None = Field(description="Null: it has none")
    note: str | None = None


class FileVersionOut(Wire):
    """A content that a file had."""

    id: str
    etag: str
    change: VersionChange
    size: int
    at: datetime
    by: str | None = Field(description="Null: another program, past the gate")
    is_current: bool


class FileVersionsOut(Wire):
    """The versions of a file, newest first."""

    path: str
    versions: list[FileVersionOut]


class FileDiffOut(Wire):
    """What is different between two contents of a file."""

    kind: Literal["diff", "text", "note"]
    text: str
    truncated: bool = False
    note: str | None = None


class FileMoveIn(Wire):
    """From where to where."""

    path: Annotated[_Text, StringConstraints(min_length=1)]
    to: Annotated[_Text, StringConstraints(min_length=1)]


class FilePropertiesIn(Wire):
    """Which properties; null takes one away."""

    properties: dict[str, Any] = Field(examples=[{"status": "done"}])


class FileRestoreIn(Wire):
    """Which version."""

    version: VersionId


class FileChangeOut(Wire):
    """What became of a change."""

    status: Literal["done", "pending"]
    path: str | None = None
    etag: str | None = None
    action_id: str | None = None
    undoable: bool = False
    approval_id: str | None = Field(default=None, description="Waits for this answer")
    reason: str | None = None


class CoverageOut(Wire):
    """Which files a scope covers."""

    files: int
    more: bool = Field(description="Whether there are more than could be counted")
    examples: list[str] = Field(description="Paths of some of them")
