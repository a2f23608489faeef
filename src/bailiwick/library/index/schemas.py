"""Wire forms of the index."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Moment, Wire
from bailiwick.kit.snippets import SnippetPiece
from bailiwick.library.index.models import NotebookScan, ScanState, TextState
from bailiwick.library.index.search import FileHit
from bailiwick.tools.finding import FoundThing, ThingKind


class ScanIn(Wire):
    """What to do about a scan."""

    action: Literal["start", "stop"] = Field(
        description="`start` looks through the folder now, and goes on where it was stopped; "
        "`stop` ends a scan, and there is none by itself until it is started again"
    )


class NotebookIndexOut(Wire):
    """How far the index of a notebook is."""

    notebook_id: str
    state: ScanState
    scanned: int = Field(description="Files that this scan has seen so far")
    files: int = Field(description="Files in the index")
    waiting: int = Field(description="Files whose text is still to be read")
    failed: int = Field(description="Files that could not be read")
    problem: str | None = Field(description="What is wrong with the folder, in words")
    watching: str | None = Field(
        description="Why changes are only noticed by the next scan; null: they are at once"
    )
    began_at: datetime | None
    finished_at: datetime | None = Field(
        description="When the whole folder was last looked through"
    )

    next_at: datetime | None = Field(description="When it is looked through again by itself")

    @classmethod
    def of(
        cls,
        notebook_id: str,
        row: NotebookScan | None,
        *,
        counts: dict[str, int],
        every: timedelta,
        watching: str | None,
    ) -> "NotebookIndexOut":
        """From the row of a scan, and how many files there are in each state."""
        return cls(
            notebook_id=notebook_id,
            state=row.state if row else "waiting",
            scanned=row.scanned if row else 0,
            files=sum(counts.values()),
            waiting=counts.get("waiting", 0),
            failed=counts.get("failed", 0),
            problem=row.problem if row else None,
            watching=watching,
            began_at=row.began_at if row else None,
            finished_at=row.finished_at if row else None,
            next_at=row.finished_at + every
            if row and row.finished_at and row.state == "done"
            else None,
        )


SearchKind = Literal["file"] | ThingKind
_OF_FILES = ("notebook_id", "folder", "type", "tag", "after", "before")


class SearchParams(Wire):
    """What to find, of which kinds, and among which files."""

    workspace_id: Annotated[str, StringConstraints(pattern=ids.pattern("wsp"))] | None = Field(
        default=None, description="Left out: every workspace that one may look into"
    )
    q: Annotated[str, StringConstraints(max_length=200, strip_whitespace=True)] = Field(
        default="", description="Words of the name or the text; without any, the newest files"
    )
    kinds: list[SearchKind] = Field(
        default_factory=list[SearchKind],
        max_length=8,
        description="Only such things; left out: all. What is only said of files, such as a tag, "
        "finds files alone",
    )
    mode: Literal["keyword", "semantic", "both"] = Field(
        default="both", description="By words, by meaning, or by both"
    )
    notebook_id: str | None = Field(default=None, max_length=32)
    folder: str | None = Field(
        default=None, max_length=1024, description="Only in this folder: notebook/folder"
    )
    type: str | None = Field(
        default=None, max_length=128, description="An ending such as pdf, or a type such as image/"
    )
    tag: str | None = Field(default=None, max_length=100)
    untagged: bool = False
    after: Moment | None = Field(default=None, description="Written to since then")
    before: Moment | None = Field(default=None, description="Written to before then")
    limit: int = Field(default=20, ge=1, le=100, description="How many of each kind at most")

    def wants(self, kind: SearchKind) -> bool:
        """Whether things of a kind are looked for."""
        if kind != "file":
            only_files = self.untagged or any(getattr(self, name) for name in _OF_FILES)
            if only_files or not self.q:
                return False
        return not self.kinds or kind in self.kinds


class FoundPieceOut(Wire):
    """A piece of a text; `found` marks what was looked for."""

    text: str
    found: bool


class FileHitOut(Wire):
    """A found file."""

    id: str
    workspace_id: str
    notebook_id: str
    path: str = Field(description="The notebook, the folders and the name")
    name: str
    size: int
    modified_at: datetime
    type: str | None
    tags: list[str]
    text_state: TextState
    problem: str | None
    found_by: Literal["words", "meaning", "newest"]
    snippet: list[FoundPieceOut]

    @classmethod
    def of(cls, hit: FileHit) -> "FileHitOut":
        """From what the search found."""
        file = hit.file
        return cls(
            id=file.id,
            workspace_id=hit.notebook.workspace_id,
            notebook_id=file.notebook_id,
            path=str(hit.path),
            name=file.name,
            size=file.size,
            modified_at=file.modified_at,
            type=file.media_type,
            tags=list(hit.tags),
            text_state=file.text_state,
            problem=file.problem,
            found_by=hit.how,
            snippet=_pieces(hit.snippet),
        )


class FoundThingOut(Wire):
    """Something found beside files."""

    kind: ThingKind
    id: str
    workspace_id: str
    title: str
    about: str = Field(description="From whom, whose or how it stands, in a few words")
    at: datetime
    snippet: list[FoundPieceOut]

    @classmethod
    def of(cls, thing: FoundThing) -> "FoundThingOut":
        """From what a feature found."""
        return cls(
            kind=thing.kind,
            id=thing.id,
            workspace_id=thing.workspace_id,
            title=thing.title,
            about=thing.about,
            at=thing.at,
            snippet=_pieces(thing.snippet),
        )


class SearchHitsOut(Wire):
    """What was found, of each kind the best first."""

    files: list[FileHitOut]
    more: bool = Field(description="Whether there are more files")
    others: list[FoundThingOut] = Field(description="Mail, memories and cases")


def _pieces(snippet: Sequence[SnippetPiece]) -> list[FoundPieceOut]:
    return [FoundPieceOut(text=each.text, found=each.found) for each in snippet]
