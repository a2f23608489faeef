"""The arguments of the artifact tools."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from bailiwick.artifacts.content import LARGEST, ArtifactContent, checked_mime
from bailiwick.errors import Invalid
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.texts import ONE_LINE, PLAIN

ArtifactTitle = Annotated[
    str,
    Field(min_length=1, max_length=200, description="What it is called.", examples=["Q4 report"]),
    ONE_LINE,
]
ArtifactKindName = Annotated[
    str,
    Field(
        max_length=64,
        description="insight, report, table, chart, dashboard, pdf or reference.",
        examples=["report"],
    ),
    ONE_LINE,
]
ArtifactText = Annotated[
    str,
    Field(
        max_length=LARGEST,
        description="The content: Markdown, unless mimeType says otherwise (text/csv for a table, "
        "application/json, application/vnd.vega-lite+json for a chart).",
        examples=["# Q4\n\nRevenue grew by 23%."],
    ),
]
ArtifactDescription = Annotated[
    str, Field(max_length=2_000, description="More about it, in a sentence."), PLAIN
]
ArtifactMime = Annotated[
    str,
    Field(
        max_length=255,
        description="What kind of content it is; left out: text/markdown.",
        examples=["text/csv"],
    ),
]
_Source = Annotated[str, Field(min_length=1, max_length=200), ONE_LINE]
_Id = Annotated[
    str, Field(max_length=64, description="The id of the artifact.", examples=["item_1"])
]


class _OfThread(ToolArguments):
    thread_id: Omittable[str] = Field(
        None,
        alias="threadId",
        max_length=32,
        description="Which conversation; left out: the one that you are in.",
    )


class CreateArtifact(_OfThread):
    """A new artifact of a thread."""

    title: ArtifactTitle
    type: ArtifactKindName = "report"
    content: ArtifactText
    description: ArtifactDescription = ""
    mime_type: Omittable[ArtifactMime] = Field(None, alias="mimeType")
    data_sources: tuple[_Source, ...] = Field(
        (), alias="dataSources", max_length=20, description="What it was made of, in words."
    )
    depends_on: tuple[_Id, ...] = Field(
        (),
        alias="dependsOn",
        max_length=20,
        description="Artifacts that it was made of: who reads it is told when one changes.",
    )

    @property
    def made(self) -> ArtifactContent:
        """What the artifact holds."""
        return ArtifactContent(
            title=self.title,
            description=self.description,
            mime_type=checked_mime(self.mime_type) or "text/markdown",
            data=self.content,
        )


class ListArtifacts(_OfThread):
    """Of which thread."""


class OneArtifact(_OfThread):
    """The artifact that it is about."""

    id: _Id


class ArtifactPatch(BaseModel):
    """What to change; what is left out stays."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=False)

    title: Omittable[ArtifactTitle] = None
    description: Omittable[ArtifactDescription] = None
    mime_type: Omittable[ArtifactMime] = Field(None, alias="mimeType")
    content: Omittable[ArtifactText] = None

    @property
    def values(self) -> dict[str, Any]:
        """The values that were given, by the names that they have in an artifact."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        if not given:
            raise Invalid.field("patch", "say what to change: title, description or content")
        if "content" in given:
            given["data"] = given.pop("content")
        if "mime_type" in given:
            given["mime_type"] = checked_mime(given["mime_type"])
        return given


class UpdateArtifact(OneArtifact):
    """What an artifact is to be."""

    patch: ArtifactPatch = Field(
        description="What to change; what is left out stays.", examples=[{"title": "Q4 report"}]
    )
    expected_revision: Omittable[int] = Field(
        None,
        alias="expectedRevision",
        ge=1,
        description="The revision that you have seen; if it has another one, nothing is changed "
        "and you are told what it says now.",
    )


class ShownArtifact(BaseModel):
    """An artifact as agents see it."""

    id: str
    title: str
    type: str | None
    description: str
    mime_type: str | None = Field(alias="mimeType")
    content: str | None = Field(description="Null where it is too long to be listed, or no text")
    revision: int
    trust: str = Field(description="Whose words it holds.")


class ArtifactAnswer(BaseModel):
    """One artifact."""

    artifact: ShownArtifact


class ShownArtifacts(BaseModel):
    """The artifacts of a thread."""

    artifacts: list[ShownArtifact]


class ArtifactGone(BaseModel):
    """It is gone."""

    removed: bool
