"""What the tools for files are called with, and how a file is shown."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, JsonValue, WithJsonSchema

from bailiwick.library.versions import VersionChange
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.paths import LONGEST_PATH
from bailiwick.tools.texts import ONE_LINE

LARGEST_TEXT = 5_000_000
FilePath = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_PATH,
        description="The file: notebook/folder/name, or its id.",
        examples=["Files/reports/june.md"],
    ),
]
FolderPath = Annotated[
    str,
    Field(
        max_length=LONGEST_PATH,
        description="The folder: notebook/folder. Empty: all notebooks.",
        examples=["Files/reports"],
    ),
]
Etag = Annotated[
    str,
    Field(
        max_length=100,
        description="The etag of what you saw; if the file changed since, nothing is done.",
    ),
]
_LONGEST_NAME = 200


def _property_names(given: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for name in given:
        if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            words = f"a name must be one line of 1 to {_LONGEST_NAME} characters"
            raise ValueError(f"{words}, and {name[:50]!r} is not")
    return given


# Any object: a schema that says more of what is in it is one that some providers do not take.
FileProperties = Annotated[
    dict[str, JsonValue],
    Field(max_length=100),
    AfterValidator(_property_names),
    WithJsonSchema({"type": "object"}),
]
_NEW = "The new path of the file: notebook/folder/name."
_MOST = "How many at most."


class ListFiles(ToolArguments):
    """Which folder to look into."""

    path: FolderPath = ""
    pattern: Omittable[Annotated[str, Field(max_length=200), ONE_LINE]] = Field(
        None,
        description="Only names like this, such as *.md; with a slash or ** also in folders below.",
    )
    recursive: bool = Field(False, description="Whether to look into the folders beneath it too.")
    limit: int = Field(100, ge=1, le=500, description=_MOST)
    offset: int = Field(0, ge=0, le=100_000, description="How many to leave out at the beginning.")


class OneFile(ToolArguments):
    """The file that it is about."""

    path: FilePath


class SeenFile(OneFile):
    """The file that is to be changed."""

    etag: Omittable[Etag] = None


class ReadFile(OneFile):
    """Which part of which file."""

    offset: int = Field(
        0, ge=0, le=LARGEST_TEXT, description="How many characters to leave out at the beginning."
    )
    limit: int = Field(50_000, ge=1, le=200_000, description="How many characters.")


class SearchContent(ToolArguments):
    """What to find, and where."""

    query: Annotated[str, Field(min_length=1, max_length=200), ONE_LINE] = Field(
        description="The words to find.", examples=["roof"]
    )
    path: FolderPath = Field("", examples=[])
    limit: int = Field(20, ge=1, le=100, description=_MOST)


class WriteFile(SeenFile):
    """A file and its whole text."""

    content: str = Field(
        max_length=LARGEST_TEXT,
        description="The whole text of the file.",
        examples=["# June\n"],
    )
    properties: Omittable[FileProperties] = Field(
        None, description="Properties to put at its top, as YAML front matter."
    )


class CreateFile(OneFile):
    """A new file."""

    path: FilePath = Field(description=_NEW)
    content: str = Field(
        "", max_length=LARGEST_TEXT, description="Its text.", examples=["# June\n"]
    )
    template: Omittable[Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]] = Field(
        None,
        description="A file to begin with: its path, or its name in the notebook's folder "
        "templates.",
    )


class UpdateProperties(SeenFile):
    """Which properties of which file."""

    properties: FileProperties = Field(
        description="The properties to set; null takes one away. Others stay as they are.",
        examples=[{"status": "done"}],
    )


class RestoreFile(SeenFile):
    """Which version of which file."""

    version: str = Field(
        min_length=1,
        max_length=32,
        description="Its id, from list_file_versions.",
        examples=["fvr-4fk29dm1x0aa"],
    )


class MoveFile(SeenFile):
    """From where to where."""

    to: FilePath = Field(description=_NEW, examples=["Files/archive/june.md"])


class ShownFile(BaseModel):
    """A file, a folder or a notebook as callers see it; the last two have no more than a path."""

    path: str
    kind: Literal["file", "folder", "notebook"]
    id: Omittable[str] = None
    size: Omittable[int] = Field(None, description="In bytes.")
    modified: Omittable[str] = None


class ShownMatch(ShownFile):
    """A file that was found."""

    lines: list[str]


class ShownFiles(BaseModel):
    """What is in a folder."""

    files: list[ShownFile]
    more: bool = Field(description="Whether there are more.")


class ShownMatches(BaseModel):
    """What was found."""

    files: list[ShownMatch]
    more: bool = Field(description="Whether there are more.")


class ShownText(ShownFile):
    """A file with its text, or a part of it."""

    etag: str
    content: str | None
    characters: Omittable[int] = None
    next_offset: int | None = None
    properties: Omittable[dict[str, Any]] = None
    note: Omittable[str] = None


class ShownFacts(BaseModel):
    """All that is known about a file but for its text."""

    path: str
    kind: Literal["file"]
    id: str
    size: int = Field(description="In bytes.")
    modified: str
    type: str | None
    folder: str
    etag: Omittable[str] = Field(None, description="Not of very large files.")
    properties: Omittable[dict[str, Any]] = None
    note: Omittable[str] = None


class ShownVersion(BaseModel):
    """A content that a file had."""

    id: str
    etag: str
    change: VersionChange
    size: int = Field(description="In bytes.")
    at: str
    by: str | None = Field(description="Null: another program, past the gate.")
    is_current: bool


class ShownVersions(BaseModel):
    """The versions of a file, newest first."""

    path: str
    versions: list[ShownVersion]


class ChangedFile(BaseModel):
    """What became of a file."""

    path: str
    status: str
    id: Omittable[str] = None
    etag: Omittable[str] = None
