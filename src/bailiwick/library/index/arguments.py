"""What the tools over the index are called with, and what they show."""

from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from bailiwick.library.arguments import FilePath, FolderPath, OneFile
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.paths import LONGEST_PATH
from bailiwick.tools.texts import ONE_LINE

_MOST = "How many at most."
VirtualRoot = Annotated[
    str,
    Field(
        alias="virtualRoot",
        max_length=LONGEST_PATH,
        description="The notebook, or a folder in it. Empty: all notebooks.",
        examples=["Files"],
    ),
]
Kind = Annotated[str, Field(max_length=128), ONE_LINE]
TagName = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f,]+$")]


class FilesystemSearch(ToolArguments):
    """What to find by its name, or by what it says."""

    virtual_root: VirtualRoot
    query: Annotated[str, Field(min_length=1, max_length=200), ONE_LINE] = Field(
        description="Words of the name, of the text, or of what it is about.", examples=["roof"]
    )
    mode: Literal["keyword", "semantic", "both"] = Field(
        "both", description="By words, by meaning, or by both."
    )
    type: Omittable[Kind] = Field(
        None, description="Only such files: an ending such as pdf, or a media type such as image/."
    )
    tag: Omittable[TagName] = Field(None, description="Only files with this tag.")
    untagged: bool = Field(False, description="Only files without any tag.")
    after: Omittable[date] = Field(None, description="Only files written to on this day or later.")
    before: Omittable[date] = Field(None, description="Only files written to before this day.")
    limit: int = Field(20, ge=1, le=100, description=_MOST)


class FilesystemRetrieve(ToolArguments):
    """Which file, beneath which root."""

    virtual_root: VirtualRoot
    file_path: str = Field(
        alias="filePath",
        min_length=1,
        max_length=LONGEST_PATH,
        description="The path of the file beneath that.",
        examples=["reports/june.md"],
    )


class FindSimilar(OneFile):
    """Which file to find others like."""

    limit: int = Field(10, ge=1, le=50, description=_MOST)


class ListRecentFiles(ToolArguments):
    """How many, and which."""

    limit: int = Field(10, ge=1, le=100, description=_MOST)
    type: Omittable[Kind] = Field(
        None, description="Only such files: a media type such as image/, or an ending such as pdf."
    )


class GetFolderTree(ToolArguments):
    """How deep, and where."""

    depth: int = Field(2, ge=0, le=10, description="How many folders deep.")
    words: int = Field(
        8, ge=0, le=100, description="How many telling words of what each folder holds."
    )
    path: FolderPath = ""


class TagFile(OneFile):
    """A file and its tags."""

    path: FilePath
    tags: list[TagName] = Field(
        min_length=1, max_length=20, description="The tags to add.", examples=[["roof"]]
    )
    remove: bool = Field(False, description="Whether to take these tags away instead.")


class SummarizeFile(OneFile):
    """Which file, and how much of it."""

    sentences: int = Field(5, ge=1, le=20, description="How many sentences.")


class ShownIndexed(BaseModel):
    """A file as the index has it."""

    path: str
    kind: Literal["file"]
    id: str
    size: int = Field(description="In bytes.")
    modified: str
    type: str | None
    tags: list[str]
    snippet: Omittable[str] = None
    found_by: Omittable[Literal["words", "meaning"]] = None
    likeness: Omittable[float] = Field(None, description="How alike it is, up to 1.")


class ShownIndexedFiles(BaseModel):
    """What was found."""

    files: list[ShownIndexed]
    more: bool = Field(description="Whether there are more.")


class ShownDigests(ShownIndexed):
    """A file with its text, as each extractor read it."""

    name: str
    created_at: str
    properties: dict[str, Any]
    state: str
    problem: str | None
    digests: dict[str, str]


class ShownFolder(BaseModel):
    """A folder, and those in it."""

    name: str
    path: str
    files: int
    subfolders: int = Field(description="Also those that lie deeper than was asked for.")
    about: list[str] = Field(description="Words that are telling for what it holds.")
    folders: list[dict[str, Any]]


class ShownTree(BaseModel):
    """The folders of a library."""

    folders: list[ShownFolder]
    more: bool


class ShownTags(BaseModel):
    """The tags that a file has now."""

    path: str
    id: str
    tags: list[str]
    status: str


class ShownSummary(BaseModel):
    """The sentences of a file that matter most."""

    path: str
    id: str
    summary: str
    sentences: list[str]
    made_by: str


class ShownEntities(BaseModel):
    """Who, when, how much and where, as a file says it."""

    path: str
    id: str
    people: list[str]
    dates: list[str]
    amounts: list[str]
    places: list[str]
    addresses: list[str]
