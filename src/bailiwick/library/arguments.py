"""What the tools for files are called with, and how a file is shown."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

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
_NEW = "The new path of the file: notebook/folder/name."
_MOST = "How many at most."


class ListFiles(ToolArguments):
    """Which folder to look into."""

    path: FolderPath = ""
    recursive: bool = Field(False, description="Whether to look into the folders beneath it too.")
    limit: int = Field(100, ge=1, le=500, description=_MOST)


class OneFile(ToolArguments):
    """The file that it is about."""

    path: FilePath


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


class WriteFile(OneFile):
    """A file and its whole text."""

    content: str = Field(
        max_length=LARGEST_TEXT,
        description="The whole text of the file.",
        examples=["# June\n"],
    )


class CreateFile(WriteFile):
    """A new file."""

    path: FilePath = Field(description=_NEW)


class MoveFile(OneFile):
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

    content: str | None
    characters: Omittable[int] = None
    next_offset: int | None = None
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


class ChangedFile(BaseModel):
    """What became of a file."""

    path: str
    status: str
    id: Omittable[str] = None
