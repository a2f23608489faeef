"""Wire forms of agents."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Line, Name, StrictFlag, Wire
from bailiwick.llm.chat import ChatRole
from bailiwick.workspaces.schemas import OfWorkspace

AgentId = Annotated[str, Path(pattern=ids.pattern("agt"))]
OfAgent = Annotated[str, StringConstraints(pattern=ids.pattern("agt"))]
AgentKind = Literal["assistant", "director", "specialist", "organiser"]
AgentOperation = Literal["read", "write", "create", "delete", "execute"]
CredentialName = Literal["api_key", "api_base"]
_Pattern = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
_Patterns = Annotated[list[_Pattern], Field(max_length=100)]
AgentText = Annotated[str, StringConstraints(max_length=50_000, pattern=r"^[^\x00]*$")]
_OfAccount = Annotated[str, StringConstraints(pattern=ids.pattern("acc"))]
_Id = Annotated[str, StringConstraints(max_length=64, pattern=r"^[!-~]*$")]
_Count = Annotated[int, Field(ge=1, le=2**53)]
_Money = Annotated[float, Field(gt=0, le=1e9)]


class PromptBlock(Wire):
    """One message of a prompt; `{{name}}` in it is a variable."""

    role: ChatRole
    content: AgentText


class AgentScopeWire(Wire):
    """What the agent may touch; the flags beside it say what it may do there."""

    notebooks: _Patterns = Field(default=[], description="Names of notebooks; `*` for all")
    folders: _Patterns = Field(
        default=["**"],
        description="Folders in them: `notes` and all beneath it, `notes/*` what lies directly in "
        "it, `**` for all",
    )
    file_types: _Patterns = Field(default=["*"], description="Endings, such as `*.md`")
    accounts: _Patterns = Field(default=[], description="The user's words for accounts")
    tools: _Patterns = Field(default=["*"], description="Names of tools, such as `list_*`")
    operations: Annotated[list[AgentOperation], Field(max_length=5)] | None = Field(
        default=None,
        description="Another way to write the flags: those that are left out are as this says, and "
        "one that it does not name is off. Not shown again",
    )


class AgentConfig(Wire):
    """All that can be set about an agent."""

    name: Name
    description: Annotated[str, StringConstraints(max_length=2000, pattern=r"^[^\x00]*$")] = ""
    kind: AgentKind = "assistant"
    model_id: _Id | None = Field(
        default=None, description="A model configuration; null: the asker's, or the default"
    )
    provider: Name | None = Field(
        default=None, description="With `model`, another way to name a configuration"
    )
    model: Name | None = None
    prompt_id: _Id | None = Field(default=None, description="A saved prompt, instead of `prompt`")
    prompt: Annotated[list[PromptBlock], Field(max_length=50)] = Field(default=[])
    imprint: Annotated[list[PromptBlock], Field(max_length=50)] = Field(
        default=[], description="An example conversation, shown to the model after the prompt"
    )
    scope: AgentScopeWire = Field(default_factory=AgentScopeWire)
    can_read: StrictFlag = True
    can_write: StrictFlag = False
    can_create: StrictFlag = False
    can_delete: StrictFlag = False
    can_execute_code: StrictFlag = False
    can_access_integrations: StrictFlag = False
    max_requests_per_hour: Annotated[int, Field(ge=1, le=10_000_000)] | None = Field(
        default=100,
        description="Tool calls; null: as many as it likes. Left out for a director: 5000, because "
        "it makes some for every mail",
    )
    max_tokens_per_request: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=4000, description="How long one answer of the model may be"
    )
    tokens_per_day: _Count | None = None
    money_per_day: _Money | None = Field(default=None, description="In dollars")
    tokens_per_run: _Count | None = None
    money_per_run: _Money | None = Field(default=None, description="In dollars")
    step_limit: Annotated[int, Field(ge=1, le=200)] = 20
    timeout_seconds: Annotated[int, Field(ge=1, le=86_400)] = Field(
        default=600, description="How long it may work at a stretch; waiting does not count"
    )
    ask_writes: StrictFlag = Field(default=False, description="Ask a person before every change")
    ask_tools: _Patterns = Field(default=[], description="Tools that always ask")
    colleagues: Annotated[list[OfAgent], Field(max_length=50)] = Field(
        default=[], description="Agents that it may ask, each as a tool, in this order"
    )
    accounts: Annotated[list[_OfAccount], Field(max_length=100)] = Field(
        default=[],
        description="Of a director: the accounts whose mail reaches it; none: its owner's, and if "
        "it is shared those of all members",
    )
    memory_access: Annotated[list[OfAgent], Field(max_length=50)] = Field(
        default=[], description="Of a director: agents whose local memories it may read"
    )
    is_active: StrictFlag = True


class AgentIn(AgentConfig):
    """An agent to make."""

    workspace_id: OfWorkspace
    shared: StrictFlag = Field(
        default=False, description="For all members of the workspace; an admin of it decides"
    )


class AgentPut(AgentConfig):
    """An agent as it shall be from now on; what is left out gets its default."""

    shared: StrictFlag = False
    revision: int | None = Field(
        default=None, description="The revision that was read; refused if there is a newer one"
    )


class AgentOrderIn(Wire):
    """All agents of a workspace that one sees, the first one at the front."""

    workspace_id: OfWorkspace
    ids: Annotated[list[OfAgent], Field(max_length=500)]


class AgentOut(AgentConfig):
    """An agent; its credentials are never shown."""

    id: str
    position: int = Field(description="Its place among the agents of the workspace")
    workspace_id: str
    owner_id: str
    owner_name: str
    shared: bool
    model_label: str = Field(description="The model that it would use now, in words")
    is_offline: bool = Field(description="It works by rules, not by AI")
    credentials: list[str] = Field(description="The names of those that are set")
    can_edit: bool = Field(description="Whether the reader may change it")
    revision: int
    created_at: datetime
    updated_at: datetime


class AgentsOut(Wire):
    """Agents, in their order."""

    items: list[AgentOut]


class CredentialIn(Wire):
    """A secret to set; it is sealed and never shown again."""

    name: CredentialName = Field(alias="keyName", description="What it is")
    value: Annotated[str, StringConstraints(min_length=1, max_length=4000, pattern=r"^[!-~]+$")]


class CredentialOut(Wire):
    """That a secret is set."""

    name: str = Field(alias="keyName")
    created_at: datetime


class PresetOut(Wire):
    """A ready-made agent to start from."""

    slug: str
    name: str
    summary: Line
    icon: str
    example: str = Field(description="What one might ask of it")
    config: AgentConfig
