"""The arguments of the item tools, as the mail office's document writes them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bailiwick.artifacts.content import LARGEST, ArtifactContent, checked_mime
from bailiwick.artifacts.models import Encoding
from bailiwick.errors import Invalid
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.texts import ONE_LINE, PLAIN

ItemTitle = Annotated[
    str,
    Field(max_length=200, description="What it is, in a few words.", examples=["Reply draft"]),
    ONE_LINE,
]
ItemDescription = Annotated[
    str, Field(max_length=2_000, description="More about it, in a sentence."), PLAIN
]
ItemMime = Annotated[
    str,
    Field(
        max_length=255,
        description="What kind of content it is; text is shown as Markdown or as it stands.",
        examples=["text/markdown"],
    ),
]
ItemData = Annotated[
    str,
    Field(
        max_length=LARGEST,
        description="The content: text, or base64 where `encoding` says so.",
        examples=["Dear Ms Field, the lamp is on its way."],
    ),
]
ItemTags = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=50), ONE_LINE], ...],
    Field(max_length=20, description="Words to find it by.", examples=[["reply"]]),
]
ItemEncoding = Annotated[Encoding, Field(description="How `data` is written; left out: utf8.")]
ItemIdArgument = Annotated[
    str, Field(max_length=64, description="The id of the item.", examples=["item_1"])
]


class _OfCase(ToolArguments):
    case_id: Omittable[str] = Field(
        None,
        alias="caseId",
        max_length=32,
        description="Which case; left out: the one that you work on.",
    )


class AddItem(_OfCase):
    """A new item of a case."""

    label: ItemTitle = ""
    description: ItemDescription = ""
    mime_type: Omittable[ItemMime] = Field(None, alias="mimeType")
    encoding: Omittable[ItemEncoding] = None
    data: ItemData = ""
    tags: ItemTags = ()
    supersedes: Omittable[ItemIdArgument] = Field(
        None, description="The id of an item in whose place this one comes; that one is kept."
    )

    @property
    def content(self) -> ArtifactContent:
        """What the item holds."""
        return ArtifactContent(
            title=self.label,
            description=self.description,
            mime_type=checked_mime(self.mime_type),
            encoding=self.encoding or "utf8",
            data=self.data,
            tags=tuple(dict.fromkeys(self.tags)),
        )


class ListItems(_OfCase):
    """Of which case."""


class OneItem(_OfCase):
    """The item that it is about."""

    id: ItemIdArgument


class ItemPatch(BaseModel):
    """What to change; what is left out stays."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_by_name=False)

    label: Omittable[ItemTitle] = None
    description: Omittable[ItemDescription] = None
    mime_type: Omittable[ItemMime] = Field(None, alias="mimeType")
    encoding: Omittable[ItemEncoding] = None
    data: Omittable[ItemData] = None
    tags: Omittable[ItemTags] = None

    @property
    def values(self) -> dict[str, Any]:
        """The values that were given, by the names that they have in an artifact."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        if not given:
            raise Invalid.field("patch", "say what to change: label, description, data or tags")
        if "label" in given:
            given["title"] = given.pop("label")
        if "mime_type" in given:
            given["mime_type"] = checked_mime(given["mime_type"])
        if "tags" in given:
            given["tags"] = tuple(dict.fromkeys(given["tags"]))
        return given


class UpdateItem(OneItem):
    """What an item is to be."""

    patch: ItemPatch = Field(
        description="What to change; what is left out stays.", examples=[{"label": "Reply"}]
    )
    expected_revision: Omittable[int] = Field(
        None,
        alias="expectedRevision",
        ge=1,
        description="The revision that you have seen; if the item has another one, nothing is "
        "changed and you are told what it says now.",
    )


class RemoveItem(OneItem):
    """Which item goes, and whether for good."""

    hard_delete: bool = Field(
        default=False,
        alias="hardDelete",
        description="Remove it for good. Left out, it can be brought back.",
    )


class ShownItemContext(BaseModel):
    """Where an item comes from."""

    email: dict[str, Any]
    director: dict[str, Any]
    agent: dict[str, Any] | None = None
    created_by: Literal["director", "agent", "tool", "person"] = Field(alias="createdBy")
    agent_id: str | None = Field(None, alias="agentId")
    tool: str | None = None
    conversation_id: str | None = Field(None, alias="conversationId")


class ShownItem(BaseModel):
    """An item as agents see it."""

    id: str
    label: str
    description: str
    mime_type: str | None = Field(alias="mimeType")
    encoding: Encoding
    data: str | None = Field(description="Null where it is too long to be listed; get it by itself")
    tags: list[str]
    created: str
    updated: str
    revision: int
    deleted: bool
    trust: str = Field(description="Whose words it holds.")
    supersedes: str | None
    context: ShownItemContext


class ShownItems(BaseModel):
    """The items of a case."""

    items: list[ShownItem]


class ItemAnswer(BaseModel):
    """One item."""

    item: ShownItem


class ItemRemoved(BaseModel):
    """It is gone."""

    removed: Literal[True]
