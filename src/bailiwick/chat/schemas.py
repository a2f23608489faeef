"""Wire forms of conversations, as API clients know them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from bailiwick.chat.models import MessageRole, ThreadStatus
from bailiwick.files.schemas import FILE_ID
from bailiwick.kit import ids
from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.runs.schemas import PastedIn, SessionFileOut
from bailiwick.workspaces.schemas import OfWorkspace

ThreadId = Annotated[str, Path(pattern=ids.pattern("thr"))]
MessageId = Annotated[str, Path(pattern=ids.pattern("msg"))]
OfMessage = Annotated[str, StringConstraints(pattern=ids.pattern("msg"))]
EmojiName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_+'-]{1,64}$")]
Words = Annotated[str, StringConstraints(min_length=1, max_length=50_000)]
MOST_BLOCKS = 50
# An agent as a thread knows it; its own id is accepted too.
_ASSISTANT = r"(asst|agt)-[a-zA-Z0-9]{12}"
NAMED = rf"^({_ASSISTANT})?$"  # or nobody


def agent_id(given: str) -> str:
    """The id of the agent behind an assistant's."""
    return f"agt-{given.partition('-')[2]}"


def assistant_id(of_agent: str) -> str:
    """An agent's id in a thread."""
    return f"asst-{of_agent.partition('-')[2]}"


AssistantId = Annotated[
    str, StringConstraints(pattern=rf"^{_ASSISTANT}$"), AfterValidator(agent_id)
]
_Tag = Annotated[
    str, StringConstraints(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Title = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ThreadAboutIn(BaseModel):
    """What people and services say of a thread; other names are kept as they come."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)

    title: _Title | None = None
    priority: Literal["low", "medium", "high"] | None = None
    tags: Annotated[list[_Tag], Field(max_length=20)] | None = None
    topics: Annotated[list[_Tag], Field(max_length=20)] | None = None


class ThreadIn(Wire):
    """A thread to open."""

    status: Literal["active"] = "active"
    title: _Title | None = None
    metadata: ThreadAboutIn = ThreadAboutIn()


class ThreadChangeIn(Wire):
    """What shall be otherwise about a thread; what is left out stays."""

    status: ThreadStatus | None = None
    title: _Title | None = None
    pinned: StrictFlag | None = None
    metadata: ThreadAboutIn | None = Field(
        default=None, description="Names to set; null takes one away"
    )
    head: OfMessage | None = Field(
        default=None, description="The last message of the branch that shall be shown"
    )


class ThreadQuery(Wire):
    """Which threads are asked for."""

    model_config = ConfigDict(extra="ignore")

    assistant_id: AssistantId | None = Field(default=None, alias="AssistantId")
    workspace_id: OfWorkspace | None = None
    status: Literal["active", "archived", "deleted", "trashed"] = "active"
    tag: _Tag | None = None
    pinned: bool | None = Field(default=None, description="Those that are pinned, or those not")
    q: Annotated[str, StringConstraints(max_length=200)] = Field(
        default="", description="Words in titles and messages"
    )


class ThreadOut(Wire):
    """A thread."""

    id: str
    user_id: str
    assistant_id: str
    assistant_name: str
    workspace_id: str
    status: ThreadStatus
    title: str
    pinned: bool
    is_own: bool
    shared_with: list[str]
    run_id: str | None = Field(description="The session behind the branch that is shown")
    run_status: str | None
    created_at: datetime
    metadata: dict[str, Any]


class AttachmentIn(BaseModel):
    """An uploaded file of one's own that goes with a message."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    file_id: Annotated[str, StringConstraints(pattern=FILE_ID)]
    title: Annotated[str, StringConstraints(max_length=255, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class MessageIn(Wire):
    """A message to post."""

    role: MessageRole = "user"
    content: Words
    blocks: Annotated[list[dict[str, Any]], Field(max_length=MOST_BLOCKS)] = Field(default=[])
    pasted: Annotated[list[PastedIn], Field(max_length=200)] | None = Field(
        default=None,
        description="What of the content was pasted: it is material, and orders nothing",
    )
    files: Annotated[
        list[Annotated[str, StringConstraints(pattern=ids.pattern("upl"))]], Field(max_length=10)
    ] = Field(default=[], description="Files that were sent before, each in one message")
    attachments: Annotated[list[AttachmentIn], Field(max_length=10)] = Field(
        default=[], description="Uploaded files; the agent reads what it can of them"
    )
    replaces: OfMessage | None = Field(
        default=None,
        description="Say this instead of an earlier message: a new branch, the old one is kept",
    )
    assistant_id: AssistantId | None = Field(
        default=None,
        description="Who answers from now on; another agent hears the conversation as background",
    )
    subtype: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,64}$")] | None = None
    metadata: dict[str, Any] = Field(default={})


class MessageChangeIn(Wire):
    """A message as it shall read."""

    content: Words
    edited_at: datetime | None = Field(
        default=None, description="As it was when you began: someone else's change is not lost"
    )


class ReactionIn(BaseModel):
    """A reaction to set or to take back."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    emoji: EmojiName
    action: Literal["add", "remove"] = "add"


class ReactionOut(BaseModel):
    """An emoji, and who put it there."""

    emoji: str
    count: int
    users: list[str] = Field(description="Not all of them where there are many")
    user_reacted: bool


class ReactionsOut(BaseModel):
    """All reactions to a message."""

    reactions: list[ReactionOut]
    total_reactions: int


class AttachmentOut(SessionFileOut):
    """A file of a message."""

    file_id: str | None = Field(
        alias="file_id", description="Null of one that was sent for this message alone"
    )
    title: str
    mime_type: str = Field(alias="mime_type")
    preview_available: bool = Field(alias="preview_available")
    checksum: str | None


class MessageOut(Wire):
    """A message."""

    id: str
    thread_id: str
    user_id: str | None
    assistant_id: str | None
    username: str
    role: MessageRole
    subtype: str | None
    content: str
    blocks: list[dict[str, Any]]
    attachments: list[AttachmentOut]
    reactions: list[ReactionOut]
    is_starred: bool
    hidden: bool
    parent_id: str | None
    siblings: list[str] = Field(description="It, and what was said in its place, oldest first")
    run_id: str | None
    created_at: datetime
    edited_at: datetime | None
    deleted_at: datetime | None
    metadata: dict[str, Any]


class ShareIn(Wire):
    """Someone who shall be able to read a thread."""

    user_id: Annotated[str, StringConstraints(max_length=32, pattern=r"^[!-~]+$")]
