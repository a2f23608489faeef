"""Wire forms of cases and their items; an item has the form that the mail office's document has."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.artifacts.content import LARGEST
from bailiwick.artifacts.models import Artifact, ArtifactVersion, AuthorKind, Encoding
from bailiwick.cases.models import Case
from bailiwick.cases.repository import ListedCase
from bailiwick.cases.states import CaseState
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.runs.segment import MILLION
from bailiwick.tools.trust import Label
from bailiwick.workspaces.schemas import OfWorkspace

_MOST_REFUSED = 10
CaseId = Annotated[str, Path(pattern=ids.pattern("cas"))]
ItemId = Annotated[str, Path(pattern=ids.pattern("art"))]
DeletionId = Annotated[str, Path(pattern=ids.pattern("del"))]
_OneCase = Annotated[str, StringConstraints(pattern=ids.pattern("cas"))]
_OneItem = Annotated[str, StringConstraints(pattern=ids.pattern("art"))]
_AnyId = Annotated[str, StringConstraints(max_length=32, pattern=r"^[!-~]+$")]
_Words = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00]*$")]
_LABEL = StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
_TEXT = StringConstraints(max_length=2_000, pattern=r"^[^\x00]*$")
_Tag = Annotated[
    str, StringConstraints(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Tags = Annotated[list[_Tag], Field(max_length=20)]
_Data = Annotated[str, StringConstraints(max_length=LARGEST, pattern=r"^[^\x00]*$")]
_Mime = Annotated[str, StringConstraints(max_length=255)]


class CaseParams(Wire):
    """Which cases are asked for."""

    model_config = ConfigDict(extra="ignore")

    workspace_id: OfWorkspace | None = None
    director_id: _AnyId | None = None
    message_id: _AnyId | None = Field(default=None, description="The cases of one mail")
    account_id: _AnyId | None = None
    cycle_id: _AnyId | None = Field(default=None, description="Of one fetch")
    state: Annotated[list[CaseState], Field(max_length=5)] = Field(default=[])
    q: _Words = Field(default="", description="Words of the subject or the sender")
    deleted: bool = Field(default=False, description="Those that were removed")


class CaseMailOut(Wire):
    """The mail that a case is about."""

    id: str
    subject: str
    sender_name: str
    sender_address: str
    received_at: datetime
    label: Label = Field(description="Whose words it is")


class RefusedOut(Wire):
    """A call that did not get through."""

    tool: str
    reason: str


class CaseOut(Wire):
    """One mail and one director: how the work stands, and how many items there are."""

    id: str
    workspace_id: str
    account_id: str
    mail: CaseMailOut
    director_id: str
    director_name: str
    cycle_id: str
    run_id: str | None
    state: CaseState = Field(
        description="working, waiting (for you), done, failed (with the reason), stopped"
    )
    reason: str | None = Field(description="Why it failed or was stopped")
    refused: list[RefusedOut] = Field(description="What was refused in the newest run, and why")
    items: int
    steps: int
    money: float = Field(description="In dollars")
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None

    @classmethod
    def of(cls, found: ListedCase, *, items: int, refused: Sequence[tuple[str, str]]) -> "CaseOut":
        """A case as it is shown."""
        case, run = found.case, found.run
        return cls(
            **{name: getattr(case, name) for name in _PLAIN},
            mail=_mail(case),
            director_name=found.director_name,
            state=found.state,
            reason=run.error if run else case.problem,
            refused=[RefusedOut(tool=tool, reason=why) for tool, why in refused[:_MOST_REFUSED]],
            items=items,
            steps=run.steps if run else 0,
            money=run.money / MILLION if run else 0,
            updated_at=run.updated_at if run else case.created_at,
        )


_PLAIN = (
    "id",
    "workspace_id",
    "account_id",
    "director_id",
    "cycle_id",
    "run_id",
    "created_at",
    "deleted_at",
)


class CasesOut(Page[CaseOut]):
    """Cases, newest first, and how many there are in each state."""

    states: dict[CaseState, int]


class DeletionIn(Wire):
    """Which cases go: these, or all that a list shows."""

    ids: Annotated[list[_OneCase], Field(min_length=1, max_length=1_000)] | None = None
    all: CaseParams | None = Field(default=None, description="As for the list")


class DeletionOut(Wire):
    """What was removed together, and can be brought back together."""

    id: str
    cases: int


class ItemIn(Wire):
    """An item to add."""

    label: Annotated[str, _LABEL] = ""
    description: Annotated[str, _TEXT] = ""
    mime_type: _Mime | None = None
    encoding: Encoding = "utf8"
    data: _Data = ""
    tags: _Tags = Field(default=[])
    supersedes: _OneItem | None = Field(
        default=None, description="The item in whose place this one comes"
    )


class ItemPut(Wire):
    """What an item is to be; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    label: Annotated[str, _LABEL] = Field(default_factory=str)
    description: Annotated[str, _TEXT] = Field(default_factory=str)
    mime_type: _Mime = Field(default_factory=str)
    encoding: Encoding = Field(default_factory=lambda: "utf8")
    data: _Data = Field(default_factory=str)
    tags: _Tags = Field(default_factory=list)
    expected_revision: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="The revision that was looked at; another one is a conflict"
    )


class _MailRef(Wire):
    id: str
    subject: str
    sender: str = Field(alias="from")
    date: datetime


class _Named(Wire):
    id: str
    name: str


class ItemContextOut(Wire):
    """Where an item comes from."""

    email: _MailRef
    director: _Named
    agent: _Named | None
    created_by: AuthorKind
    agent_id: str | None
    tool: str | None
    conversation_id: str | None


class ItemOut(Wire):
    """An item of a case."""

    id: str
    case_id: str
    label: str
    description: str
    mime_type: str | None
    encoding: Encoding
    data: str | None = Field(description="Null in lists where it is long; the item itself has it")
    preview: str = Field(description="The beginning of a text")
    size: int = Field(description="In bytes")
    tags: list[str]
    author: _Named
    changed_by: AuthorKind = Field(description="Who made the newest version")
    trust: Label = Field(description="Whose words it holds")
    supersedes: str | None
    superseded_by: list[str]
    created: datetime
    updated: datetime
    revision: int
    deleted: bool
    unfinished: bool = Field(description="Whoever made it was ended before the work was done")
    context: ItemContextOut

    @classmethod
    def of(
        cls,
        found: ListedCase,
        item: Artifact,
        *,
        data: str | None,
        superseded_by: list[str],
        unfinished: bool,
    ) -> "ItemOut":
        """An item as it is shown."""
        author = _Named(id=item.author_id, name=item.author_name)
        is_agent = item.author_kind == "agent"
        case = found.case
        return cls(
            id=item.id,
            case_id=case.id,
            label=item.title,
            description=item.description,
            mime_type=item.mime_type,
            encoding=item.encoding,
            data=data,
            preview=item.preview,
            size=item.size,
            tags=item.tags,
            author=author,
            changed_by=item.changed_by,
            trust=item.label,
            supersedes=item.supersedes_id,
            superseded_by=superseded_by,
            created=item.created_at,
            updated=item.updated_at,
            revision=item.revision,
            deleted=item.deleted_at is not None,
            unfinished=unfinished,
            context=ItemContextOut(
                email=_MailRef.model_validate(
                    {
                        "id": case.message_id,
                        "subject": case.subject,
                        "from": case.sender_address,
                        "date": case.received_at,
                    }
                ),
                director=_Named(id=case.director_id, name=found.director_name),
                agent=author if is_agent else None,
                created_by=item.author_kind,
                agent_id=item.author_id if is_agent else None,
                tool=item.tool,
                conversation_id=item.run_id,
            ),
        )


class ItemVersionOut(Wire):
    """One version of an item."""

    revision: int
    label: str
    description: str
    mime_type: str | None
    encoding: Encoding
    data: str
    size: int
    tags: list[str]
    trust: Label
    author: _Named
    author_kind: AuthorKind
    at: datetime

    @classmethod
    def of(cls, version: ArtifactVersion) -> "ItemVersionOut":
        """A version as it is shown."""
        plain = ("revision", "description", "mime_type", "encoding", "data", "size", "tags")
        return cls(
            **{name: getattr(version, name) for name in (*plain, "author_kind", "at")},
            label=version.title,
            trust=version.label,
            author=_Named(id=version.author_id, name=version.author_name),
        )


class ItemChangeOut(Wire):
    """What became of a wish to change an item."""

    status: Literal["done", "pending"]
    item: ItemOut | None = Field(
        default=None, description="As it is now; null if it is gone, or nothing is done yet"
    )
    action_id: str | None = Field(default=None, description="By which it can be undone")
    undoable: bool = False
    approval_id: str | None = None
    reason: str | None = Field(default=None, description="Why it waits for a person")


class ItemParams(Wire):
    """Which items are asked for."""

    model_config = ConfigDict(extra="ignore")

    type: _Mime | None = Field(default=None, description="text/markdown, or text/*")
    tag: _Tag | None = None
    author: _Words | None = Field(default=None, description="A name or an id")
    include_deleted: StrictFlag | bool = False


def _mail(case: Case) -> CaseMailOut:
    return CaseMailOut(
        id=case.message_id,
        subject=case.subject,
        sender_name=case.sender_name,
        sender_address=case.sender_address,
        received_at=case.received_at,
        label=case.label,
    )
