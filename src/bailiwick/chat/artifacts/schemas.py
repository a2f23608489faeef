"""Wire forms of a thread's artifacts, as the conversation platform knows them."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from fastapi import Path
from pydantic import ConfigDict, Field, StringConstraints

from bailiwick.artifacts.models import Artifact, ArtifactVersion
from bailiwick.chat.schemas import OfMessage
from bailiwick.kit import ids
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.workspaces.schemas import OfWorkspace

ArtifactId = Annotated[str, Path(pattern=r"^art-[a-zA-Z0-9]{12,16}$")]
OfThread = Annotated[str, StringConstraints(pattern=ids.pattern("thr"))]
OfArtifact = Annotated[str, StringConstraints(pattern=r"^art-[a-zA-Z0-9]{12,16}$")]
_Title = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Word = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
_Part = r"[A-Za-z0-9][A-Za-z0-9_!#$&^.+-]{0,120}"
_Mime = Annotated[str, StringConstraints(max_length=255, pattern=rf"^{_Part}/{_Part}$")]
UseKind = Literal["view", "click", "download"]
UseSource = Literal["panel", "thread", "search", "page"]


class ArtifactIn(Wire):
    """An artifact to make: `type` is its kind, or `artifact` with the kind as `subtype`."""

    thread_id: OfThread
    type: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,64}$")] = "report"
    subtype: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,64}$")] | None = None
    title: _Title
    description: Annotated[str, StringConstraints(max_length=2_000, pattern=r"^[^\x00]*$")] = ""
    data: dict[str, Any] | Annotated[str, StringConstraints(max_length=8_000_000)] = Field(
        description="An object, kept as JSON; or a text of `mimeType`"
    )
    mime_type: _Mime | None = None
    created_by: _Word | None = Field(default=None, description="Who made it, in words")
    metadata: dict[str, Any] = Field(default={})

    def arguments(self) -> dict[str, Any]:
        """The arguments of the tool that makes it."""
        kind = self.subtype or "report" if self.type == "artifact" else self.type
        text, mime = self.data, self.mime_type
        if not isinstance(text, str):
            text, mime = json.dumps(text, ensure_ascii=False), "application/json"
        sources = self.metadata.get("data_sources")
        named = [str(each)[:200] for each in sources][:20] if isinstance(sources, list) else []
        return {
            "threadId": self.thread_id,
            "title": self.title,
            "type": kind,
            "content": text,
            "description": self.description,
            "dataSources": named,
            **({"mimeType": mime} if mime else {}),
        }


class ArtifactChangeIn(Wire):
    """What shall be otherwise; what is left out stays."""

    title: _Title | None = None
    description: Annotated[str, StringConstraints(max_length=2_000)] | None = None
    content: Annotated[str, StringConstraints(max_length=8_000_000)] | None = None
    mime_type: _Mime | None = None
    expected_revision: Annotated[int, Field(ge=1)] | None = None
    archived: StrictFlag | None = None


class ArtifactQuery(Wire):
    """Which artifacts are asked for."""

    model_config = ConfigDict(extra="ignore")

    thread_id: OfThread | None = None
    workspace_id: OfWorkspace | None = None
    type: Annotated[str, StringConstraints(max_length=64)] | None = None
    origin: Annotated[str, StringConstraints(max_length=64)] | None = Field(
        default=None, description="The id of the agent or person who made it"
    )
    q: Annotated[str, StringConstraints(max_length=200)] = Field(
        default="", description="Words of the title"
    )
    archived: bool = False


class ArtifactUseIn(Wire):
    """That someone looked at an artifact, followed something in it, or took it along."""

    what: UseKind
    source: UseSource = "page"


class ArtifactLinkIn(Wire):
    """A message that shall show an artifact."""

    message_id: OfMessage


class ArtifactUseOut(Wire):
    """How often."""

    what: UseKind
    source: UseSource
    count: int


class ArtifactOut(Wire):
    """An artifact."""

    artifact_id: str
    type: str | None
    thread_id: str
    workspace_id: str
    parent_msg_id: str | None = Field(serialization_alias="parentMsgId")
    title: str
    description: str
    mime_type: str | None
    size: int
    version: int
    content: str | None = Field(description="The text; null where it is none, or in a list")
    preview: str
    label: str = Field(description="Whose words it holds")
    created_by: str
    created_by_id: str
    created_at: datetime
    updated_at: datetime
    archived: bool
    deleted: bool
    messages: list[str] = Field(description="The messages that show it")
    depends_on: list[str]
    uses: list[ArtifactUseOut]
    metadata: dict[str, Any]

    @classmethod
    def of(
        cls,
        artifact: Artifact,
        *,
        content: str | None,
        messages: list[str],
        depends_on: list[str],
        uses: list[ArtifactUseOut],
    ) -> Self:
        """An artifact as it is kept."""
        return cls(
            artifact_id=artifact.id,
            type=artifact.kind,
            thread_id=artifact.thread_id or "",
            workspace_id=artifact.workspace_id,
            parent_msg_id=artifact.message_id,
            title=artifact.title,
            description=artifact.description,
            mime_type=artifact.mime_type,
            size=artifact.size,
            version=artifact.revision,
            content=content,
            preview=artifact.preview,
            label=artifact.label,
            created_by=artifact.author_name,
            created_by_id=artifact.author_id,
            created_at=artifact.created_at,
            updated_at=artifact.updated_at,
            archived=artifact.archived_at is not None,
            deleted=artifact.deleted_at is not None,
            messages=messages,
            depends_on=depends_on,
            uses=uses,
            metadata={
                **(artifact.about or {}),
                "artifact_type": artifact.kind,
                "generator": artifact.generator,
                "data_sources": artifact.data_sources or [],
            },
        )


class ArtifactVersionOut(Wire):
    """One version of an artifact."""

    version: int
    title: str
    description: str
    mime_type: str | None
    size: int
    content: str | None
    created_by: str
    at: datetime

    @classmethod
    def of(cls, version: ArtifactVersion) -> Self:
        """A version as it is kept."""
        return cls(
            version=version.revision,
            title=version.title,
            description=version.description,
            mime_type=version.mime_type,
            size=version.size,
            content=version.data if version.encoding == "utf8" else None,
            created_by=version.author_name,
            at=version.at,
        )


class ArtifactActOut(Wire):
    """What came of a change: the artifact, or that a person is asked first."""

    status: Literal["done", "pending"]
    artifact: ArtifactOut | None = None
    action_id: str | None = None
    undoable: bool = False
    approval_id: str | None = None
    reason: str | None = None
