"""Wire forms of the inbox; suggestions have the form that the organiser's document has."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints, computed_field

from bailiwick.inbox.models import (
    GuidelineProposal,
    InboxSettings,
    JudgementStatus,
    Suggestion,
    SuggestionStatus,
)
from bailiwick.inbox.repository import InboxFile
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Line, StrictFlag, Wire
from bailiwick.library.index import walk
from bailiwick.runs.schemas import OfRun, PastedParts
from bailiwick.runs.start import MOST_CHARACTERS
from bailiwick.tools.paths import LONGEST_NAME, LONGEST_PATH
from bailiwick.workspaces.schemas import OfWorkspace

SuggestionId = Annotated[str, Path(pattern=ids.pattern("sug"))]
BatchId = Annotated[str, Path(pattern=ids.pattern("bat"))]
ProposalId = Annotated[str, Path(pattern=ids.pattern("gdl"))]
_OfSuggestion = Annotated[str, StringConstraints(pattern=ids.pattern("sug"))]
_Folder = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PATH)]
_FileName = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
_Text = Annotated[str, StringConstraints(max_length=200_000, pattern=r"^[^\x00]*$")]
_Id = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]*$")]
ResolveAction = Literal["accept", "reject"]


class DocumentWire(Wire):
    """A JSON body with names as the document writes them."""

    model_config = ConfigDict(alias_generator=None)


class SuggestionOut(DocumentWire):
    """A proposed move of a file."""

    id: str
    workspace_id: str
    file_id: str
    file_path: str
    target_folder: str
    reasoning: str
    confidence: float = Field(description="After what was decided about that folder before")
    below_minimum: bool = Field(description="Whether it is less sure than the settings ask for")
    status: SuggestionStatus
    created_at: datetime
    resolved_at: datetime | None
    new_path: str | None
    action_id: str | None
    run_id: str | None

    @classmethod
    def of(cls, row: Suggestion, *, minimum: float) -> "SuggestionOut":
        """As it is shown."""
        shown = {name: getattr(row, name) for name in cls.model_fields if name != "below_minimum"}
        return cls(**shown, below_minimum=row.confidence < minimum)


class SuggestionsOut(Page[SuggestionOut]):
    """One page of suggestions, also under the name that the document gives them."""

    @computed_field
    @property
    def suggestions(self) -> list[SuggestionOut]:
        """The same as `items`."""
        return self.items


class SuggestionAnswerIn(DocumentWire):
    """What a person says to a suggestion."""

    action: ResolveAction
    target_folder: _Folder | None = Field(default=None, description="Another folder, to accept it")
    name: _FileName | None = Field(default=None, description="Another name for the file")


class ResolveOut(DocumentWire):
    """What came of it."""

    success: bool
    file_moved: bool
    new_path: str | None = None
    approval_id: str | None = Field(default=None, description="A program's yes waits for a person")


class ResolveManyIn(DocumentWire):
    """The same answer to several suggestions."""

    ids: Annotated[list[_OfSuggestion], Field(min_length=1, max_length=500)]
    action: ResolveAction


class ResolvedOneOut(ResolveOut):
    """What came of one of several."""

    id: str
    problem: str | None = None


class ResolveManyOut(DocumentWire):
    """What came of each, and the name under which all of it is taken back."""

    batch_id: str
    results: list[ResolvedOneOut]


class UndoneOut(DocumentWire):
    """What was taken back."""

    reopened: int
    problems: list[str]


class InboxFileOut(Wire):
    """A file that waits in an inbox."""

    id: str
    workspace_id: str
    path: str
    name: str
    size: int
    media_type: str | None
    modified_at: datetime
    arrived_at: datetime
    text_state: str
    state: Literal["new", "waiting", "running", "suggested", "undecided", "failed", "answered"] = (
        Field(description="new: nobody has looked at it; answered: a suggestion was answered")
    )
    problem: str | None = Field(description="Why looking at it failed")
    excerpt: str | None = Field(description="How its text begins, where anything could read it")
    copy_of: str | None = Field(description="The file with the same content that was looked at")
    run_id: str | None
    suggestion: SuggestionOut | None

    @classmethod
    def of(cls, row: InboxFile, *, minimum: float, excerpt: str | None = None) -> "InboxFileOut":
        """As it is shown."""
        file, judgement, suggestion = row.file, row.judgement, row.suggestion
        return cls(
            id=file.id,
            workspace_id=row.notebook.workspace_id,
            path=f"{row.notebook.name}/{file.path}",
            name=file.name,
            size=file.size,
            media_type=file.media_type,
            modified_at=file.modified_at,
            arrived_at=file.first_seen_at,
            text_state=file.text_state,
            state=_state(row),
            problem=judgement.problem if judgement else file.problem,
            excerpt=excerpt,
            copy_of=_original(row),
            run_id=judgement.run_id if judgement else None,
            suggestion=SuggestionOut.of(suggestion, minimum=minimum) if suggestion else None,
        )


def _original(row: InboxFile) -> str | None:
    """The path of the file that was looked at in the place of this one."""
    if row.judgement is None or row.judgement.file_id == row.file.id:
        return None
    return f"{row.notebook.name}/{row.judgement.path}"


def _state(
    row: InboxFile,
) -> Literal["new", "waiting", "running", "suggested", "undecided", "failed", "answered"]:
    if row.suggestion:
        return "suggested"
    if row.judgement is None:
        # A name that nobody can write is never looked at; the index says what to do about it.
        return "new" if walk.is_usable(row.file.path) else "failed"
    status: JudgementStatus = row.judgement.status
    return "answered" if status == "judged" else status


class OrganizeIn(Wire):
    """What to look at."""

    file_ids: Annotated[list[_Id], Field(max_length=500)] | None = Field(
        default=None, description="Left out: everything that has no suggestion"
    )


class InboxProgressOut(Wire):
    """How far looking through the inbox has come."""

    files: int
    new: int
    at_work: int = Field(description="Being looked at, or about to be")
    suggested: int
    undecided: int
    failed: int


class InboxSettingsOut(Wire):
    """How the inbox is organised."""

    workspace_id: str
    agent_enabled: bool
    auto_organize: bool
    min_confidence: float
    never_touch: list[str]
    new_folders: bool
    agent_id: str | None
    model_id: str | None
    max_turns: int
    time_limit_seconds: int
    max_tokens: int | None

    @classmethod
    def of(cls, row: InboxSettings, agent: dict[str, object]) -> "InboxSettingsOut":
        """As it is shown."""
        own = ("agent_enabled", "auto_organize", "min_confidence", "never_touch", "new_folders")
        return cls.model_validate(
            {
                "workspace_id": row.workspace_id,
                **{name: getattr(row, name) for name in own},
                **agent,
            }
        )


class InboxSettingsPatch(Wire):
    """What to change; what is left out stays."""

    agent_enabled: StrictFlag = True
    auto_organize: StrictFlag = True
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.7
    never_touch: Annotated[list[Line], Field(max_length=100)] = Field(default=[])
    new_folders: StrictFlag = False
    model_id: _Id | None = None
    max_turns: Annotated[int, Field(ge=1, le=200)] = 10
    time_limit_seconds: Annotated[int, Field(ge=1, le=3_600)] = 60
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = 4096


class InboxMessageIn(DocumentWire):
    """What a person says to the organiser."""

    message: Annotated[str, StringConstraints(min_length=1, max_length=MOST_CHARACTERS)]
    session_id: OfRun | None = Field(default=None, description="To go on with a conversation")
    workspace_id: OfWorkspace | None = None
    pasted: PastedParts = None


class InboxMessageOut(DocumentWire):
    """The conversation that it went into; its answer streams there."""

    session_id: str
    agent_id: str
    status: str


class GuidelineOut(Wire):
    """What people wrote about where things belong, in one notebook."""

    notebook_id: str
    notebook: str
    text: str
    digest: str | None = Field(description="Of the text; null where there is none yet")


class GuidelineIn(Wire):
    """A guideline as it shall be."""

    text: _Text
    digest: str | None = Field(default=None, description="Of the text that this one replaces")


class GuidelineProposalOut(Wire):
    """A change to a guideline that past decisions speak for."""

    id: str
    notebook_id: str
    reason: str
    diff: str
    status: str
    created_at: datetime

    @classmethod
    def of(cls, row: GuidelineProposal, *, diff: str) -> "GuidelineProposalOut":
        """As it is shown."""
        return cls(
            id=row.id,
            notebook_id=row.notebook_id,
            reason=row.reason,
            diff=diff,
            status=row.status,
            created_at=row.created_at,
        )


class ProposalAnswerIn(Wire):
    """What a person says to a proposed change."""

    action: ResolveAction
