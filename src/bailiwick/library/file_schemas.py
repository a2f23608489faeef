"""Wire forms of files."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Header, Query
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire
from bailiwick.library.arguments import LARGEST_TEXT
from bailiwick.library.index.arguments import TagName
from bailiwick.library.index.models import TextState
from bailiwick.library.versions import VersionChange
from bailiwick.tools.paths import LONGEST_PATH

_Text = Annotated[str, StringConstraints(max_length=LONGEST_PATH, pattern=r"^[^\x00]*$")]
FileLocation = Annotated[_Text, StringConstraints(min_length=1)]
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
MustMatch = Annotated[
    str, Header(alias="If-Match", max_length=100, description="The etag of what was seen")
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
    next_offset: int | None = Field(default=None, description="Where the next part begins")


class FolderNodeOut(Wire):
    """A folder or notebook, with how much is in it."""

    path: str
    name: str
    files: int = Field(description="Files that lie directly in it")
    subfolders: int = Field(description="Folders that lie directly in it")
    problem: str | None = Field(default=None, description="Why nobody can look into it")


class FolderTreeOut(Wire):
    """The folders directly in a folder; at the top, the notebooks."""

    path: str
    folders: list[FolderNodeOut]
    more: bool = Field(description="Whether there are more folders than are shown")


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


class FileDetailsOut(Wire):
    """What the index knows of a file: its tags, and the text that was read in it."""

    path: str
    type: str | None = Field(description="As its content says")
    tags: list[str]
    state: TextState
    problem: str | None = Field(description="Why there is no text, in words")
    texts: dict[str, str] = Field(description="The text, by what read it")


class SimilarFileOut(Wire):
    """A file that says alike things."""

    path: str
    name: str
    type: str | None
    tags: list[str]
    likeness: float | None = Field(description="How alike it is, up to 1")


class SimilarFilesOut(Wire):
    """Files that say alike things, the nearest first."""

    files: list[SimilarFileOut]


class UsedTagOut(Wire):
    """A tag, with how many files have it."""

    tag: str
    files: int


class UsedTagsOut(Wire):
    """The tags of a workspace's files, the most used first."""

    tags: list[UsedTagOut]


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


class NewFileIn(Wire):
    """A new text file; never in the place of one that is there."""

    path: FileLocation
    content: str = Field(default="", max_length=LARGEST_TEXT)
    template: FileLocation | None = Field(
        default=None,
        description="A file to begin with: its path, or its name in the notebook's folder "
        "`templates`",
    )


class FileTextIn(Wire):
    """The whole text of a file."""

    content: str = Field(max_length=LARGEST_TEXT, examples=["# June\n"])


class FileTagsIn(Wire):
    """Tags to give a file, or to take from it."""

    tags: list[TagName] = Field(min_length=1, max_length=20, examples=[["roof"]])
    remove: bool = Field(default=False, description="Whether they are taken away")


class FileMoveIn(Wire):
    """From where to where."""

    path: FileLocation
    to: FileLocation


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
