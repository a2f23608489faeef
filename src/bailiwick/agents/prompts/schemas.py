"""Wire forms of prompts and templates."""

from datetime import datetime
from typing import Annotated

from fastapi import Path
from pydantic import Field, Strict, StringConstraints

from bailiwick.agents.prompts.render import MOST_CHARACTERS, MOST_MESSAGES, MOST_NAME
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Line, Name, Wire
from bailiwick.llm.chat import ChatRole
from bailiwick.workspaces.schemas import OfWorkspace

_ID = ids.pattern("prm")
PromptId = Annotated[str, Path(pattern=_ID)]
TemplateId = Annotated[str, Path(pattern=rf"{_ID}|^builtin:[a-z][a-z-]{{0,50}}$")]
# PostgreSQL cannot keep NUL.
_TEXT = r"^[^\x00]*$"
PromptText = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS, pattern=_TEXT)]
PromptWords = Annotated[
    str, StringConstraints(min_length=1, max_length=MOST_CHARACTERS, pattern=_TEXT)
]
Variable = Annotated[str, StringConstraints(pattern=rf"^[a-z][a-z0-9_.]{{0,{MOST_NAME - 1}}}$")]
Revision = Annotated[int, Strict(), Field(ge=1, le=2**31 - 1)]


class PromptMessageIn(Wire):
    """One message of a prompt."""

    role: ChatRole
    content: PromptWords = Field(
        description="Text in which `{{name}}` stands for a value",
        examples=["You answer mail for {{user}}. Today is {{weekday}}, {{date}}."],
    )


class PromptMessageOut(Wire):
    """One message of a prompt."""

    role: ChatRole
    content: str


Messages = Annotated[list[PromptMessageIn], Field(min_length=1, max_length=MOST_MESSAGES)]
Imprint = Annotated[
    list[PromptMessageIn],
    Field(
        max_length=MOST_MESSAGES,
        description="An example conversation, which follows the prompt",
    ),
]


class PromptChange(Wire):
    """What a prompt is to say from now on, all of it."""

    name: Name
    description: Line = ""
    messages: Messages
    imprint: Imprint = Field(default_factory=list)
    revision: Revision = Field(
        description="The one that the change was made from; if it is not the newest, the answer "
        "is 409 and nothing is saved"
    )


class PromptIn(Wire):
    """A prompt or a template to make."""

    workspace_id: OfWorkspace
    name: Name
    description: Line = ""
    messages: Messages
    imprint: Imprint = Field(default_factory=list)


class PromptSummaryOut(Wire):
    """A prompt without its messages."""

    id: str
    workspace_id: str
    name: str
    description: str
    owner_name: str | None = Field(description="Who made it; null: the command line")
    revision: int
    created_at: datetime
    updated_at: datetime


class PromptOut(PromptSummaryOut):
    """A prompt."""

    messages: list[PromptMessageOut]
    imprint: list[PromptMessageOut]


class TemplateSummaryOut(Wire):
    """A template without its messages."""

    id: str = Field(examples=["builtin:summariser"])
    built_in: bool = Field(description="Whether it comes with Bailiwick, and cannot be changed")
    workspace_id: str | None
    name: str
    description: str
    owner_name: str | None
    revision: int
    created_at: datetime | None
    updated_at: datetime | None


class TemplateOut(TemplateSummaryOut):
    """A template: something to start a prompt from."""

    messages: list[PromptMessageOut]
    imprint: list[PromptMessageOut]


class DraftMessage(Wire):
    """One message that is being written, and may be empty yet."""

    role: ChatRole
    content: PromptText


class PromptPreviewIn(Wire):
    """A prompt to look at with its values in place; nothing is saved."""

    messages: Annotated[list[DraftMessage], Field(max_length=MOST_MESSAGES)]
    imprint: Annotated[list[DraftMessage], Field(max_length=MOST_MESSAGES)] = Field(
        default_factory=list
    )
    values: Annotated[dict[Variable, PromptText], Field(max_length=100)] = Field(
        default_factory=dict,
        description="Values of variables; the built-in ones have examples without them",
        # Without it, the document would allow any other name beside these.
        json_schema_extra={"additionalProperties": False},
    )


class PromptPreviewOut(Wire):
    """What a model would read."""

    messages: list[PromptMessageOut] = Field(
        description="The prompt, and then the imprint; what has no value is left as it is written"
    )
    variables: list[str] = Field(description="Those that it uses, in their order")
    missing: list[str] = Field(description="Those of them that have no value")


class BuiltInVariable(Wire):
    """A variable that every prompt may use, or every prompt for a mail."""

    name: str
    meaning: str
    example: str
