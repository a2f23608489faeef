"""Wire forms of outside clients."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.identity.schemas import OfUser
from bailiwick.kit import ids
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.workspaces.schemas import OfWorkspace

ClientId = Annotated[str, Path(pattern=ids.pattern("cli"))]
ClientPattern = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
ClientPatterns = Annotated[list[ClientPattern], Field(max_length=100)]
Days = Annotated[int, Field(ge=1, le=3650)]
ClientLimit = Annotated[int, Field(ge=1, le=2**53)]
Money = Annotated[float, Field(gt=0, le=1e9)]


class ScopeWire(Wire):
    """What the client may do at all, whatever the rules say."""

    read: StrictFlag = True
    write: StrictFlag = False
    create: StrictFlag = False
    delete: StrictFlag = False
    execute: StrictFlag = False
    integrations: StrictFlag = False
    notebooks: ClientPatterns = Field(default=[], description="Names of notebooks; `*` for all")
    folders: ClientPatterns = Field(
        default=["**"], description="Folders within them, such as `Papers/**`"
    )
    file_types: ClientPatterns = Field(default=["*"], description="Endings, such as `.txt`")
    accounts: ClientPatterns = Field(default=[], description="The user's words for accounts")
    tools: ClientPatterns = Field(default=["*"], description="Names of tools, such as `list_*`")


class LimitsWire(Wire):
    """How much the client may use; null is no bound."""

    requests_per_hour: Annotated[int, Field(ge=1, le=10_000_000)] | None = 1000
    tokens_per_request: ClientLimit | None = None
    tokens_per_day: ClientLimit | None = None
    money_per_day: Money | None = None


class ClientIn(Wire):
    """A client to make."""

    name: Name
    workspace_id: OfWorkspace
    scope: ScopeWire = Field(default_factory=ScopeWire)
    limits: LimitsWire = Field(default_factory=LimitsWire)
    ask_writes: StrictFlag = Field(default=False, description="Ask a person before every write")
    ask_tools: ClientPatterns = Field(default=[], description="Tools that always ask")
    expires_in_days: Days | None = Field(default=None, description="Null: until it is revoked")
    user_id: OfUser | None = Field(
        default=None,
        description="In whose name it acts. Only the command line may name someone; others make "
        "clients of their own",
    )


def _nothing() -> None:
    return None


class ClientPatch(Wire):
    """What to change about a client; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    scope: ScopeWire = Field(default_factory=ScopeWire)
    limits: LimitsWire = Field(default_factory=LimitsWire)
    ask_writes: StrictFlag = Field(default_factory=bool)
    ask_tools: ClientPatterns = Field(default_factory=list)
    enabled: StrictFlag = Field(default_factory=bool)
    expires_in_days: Days | None = Field(default_factory=_nothing)


class ClientOut(Wire):
    """A client; its token is never shown again."""

    id: str
    name: str
    workspace_id: str
    user_id: str = Field(description="It acts in this user's name, and never has more than they")
    owner_name: str
    hint: str = Field(description="How its token begins")
    scope: ScopeWire
    limits: LimitsWire
    ask_writes: bool
    ask_tools: list[str]
    enabled: bool
    agent_name: str | None = Field(description="What the program calls itself")
    agent_version: str | None
    protocol: str | None
    created_at: datetime
    expires_at: datetime | None
    last_seen_at: datetime | None
    strangers: list[str] = Field(
        description="What it has read since its task began that is not the owner's words; while "
        "there is any, each of its changes asks"
    )


class NewClientOut(ClientOut):
    """A client just made, with its token, which is shown once."""

    token: str


class ClientTokenOut(Wire):
    """A new token; it is shown once, and the one before is no longer good."""

    token: str


class PassOut(Wire):
    """A token for a few hours, beside the lasting one."""

    token: str
    expires_at: datetime


class ConfigurationItem(Wire):
    """What to paste where."""

    program: str = Field(description="Claude Code, Claude Desktop, Cursor and so on")
    where: str = Field(description="In words, where the text belongs")
    format: Literal["command", "json", "text"]
    text: str


class ConfigurationOut(Wire):
    """How programs are told of this office; put the token in place of the placeholder."""

    url: str
    placeholder: str
    items: list[ConfigurationItem]
