"""Wire forms of connectors and accounts. Secrets go in, and never come out."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.accounts.connect import RouteFrom
from bailiwick.accounts.reader import AccountRight
from bailiwick.accounts.shares import ShareRight
from bailiwick.accounts.signatures import LONGEST
from bailiwick.connectors.connector import ConnectorCategory
from bailiwick.connectors.errors import ConnectionProblem
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Name, StrictFlag, Wire
from bailiwick.kit.sealing import AtRest
from bailiwick.workspaces.schemas import OfWorkspace

_CONNECTOR = r"^[a-z][a-z0-9_]{0,63}$"
AccountId = Annotated[str, Path(pattern=ids.pattern("acc"))]
ConnectorId = Annotated[str, Path(pattern=_CONNECTOR)]
ConnectorName = Annotated[str, StringConstraints(pattern=_CONNECTOR)]
OfAccount = Annotated[str, StringConstraints(pattern=ids.pattern("acc"))]
PermissionName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
FormValues = Annotated[dict[str, Any], Field(max_length=50)]
ServerName = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[!-~]+$")]
PageOfOurs = Annotated[
    str, StringConstraints(max_length=500, pattern=r"^/([!-.0-\[\]-~][!-\[\]-~]*)?$")
]
_FORM = "A JSON Schema of a flat object; what is `writeOnly` is a secret"

SharedWith = Annotated[str, Path(pattern=r"^(\*|usr-[a-zA-Z0-9]{8})$")]


class PermissionOut(Wire):
    """Something that a user switches on when connecting."""

    name: str
    title: str
    description: str
    required: bool
    scopes: list[str] = Field(description="What is asked of the provider for it")


class ConnectorOut(Wire):
    """A connector, and how it is used here."""

    name: str
    title: str
    summary: str
    version: str
    categories: list[ConnectorCategory]
    enabled: bool
    active: list[ConnectorCategory] = Field(description="Where its own tools are the ones offered")
    hosts: list[str] = Field(description="Where it goes, before an account's settings add theirs")
    permissions: list[PermissionOut]
    settings_form: dict[str, Any] = Field(description=f"The form of an account. {_FORM}")
    options_form: dict[str, Any] = Field(description=f"Its own form. {_FORM}")
    uses_oauth: bool = Field(description="It is connected at the provider, in the browser")
    is_configured: bool = Field(description="Whether accounts can be connected")
    keeps_folder: bool = Field(
        description="Its accounts have files here that stay when they go, unless one says otherwise"
    )


class GuideStepOut(Wire):
    """What to click to get a client id of one's own."""

    title: str
    text: str
    url: str | None
    copy_text: str | None = Field(description="What to paste there")


class ConnectorDetailOut(ConnectorOut):
    """One connector, with what its settings page shows."""

    options: dict[str, Any] | None = Field(description="Its options; null but for admins")
    secrets_set: list[str] = Field(description="The secret options that are there")
    guide: list[GuideStepOut]
    redirect_uri: str | None
    scopes: list[str] = Field(description="All that it may ask for")


class ConnectorsOut(Page[ConnectorOut]):
    """The connectors."""

    active: dict[str, str | None] = Field(description="The active connector of each category")


class ConnectorPatch(Wire):
    """What to change about a connector; what is left out stays."""

    enabled: StrictFlag = Field(default_factory=bool)
    options: FormValues = Field(
        default_factory=dict[str, Any], description="Null takes an option away"
    )


class ActiveIn(Wire):
    """Which connector is active in a category."""

    connector: ConnectorName | None


class SuggestedSettingsOut(Wire):
    """What an address suggests."""

    connector: str
    title: str
    settings: dict[str, Any]
    is_known: bool = Field(description="Whether it is known to be so; otherwise it is a guess")
    note: str | None = Field(description="What to look out for")
    help: str | None = Field(description="A page of the provider about it")


class ConsentIn(Wire):
    """An account to connect at the provider, or to authorise again there."""

    workspace_id: OfWorkspace
    settings: FormValues | None = Field(
        default=None, description="What the connector's form asks for; null: nothing, or as before"
    )
    account_id: OfAccount | None = Field(default=None, description="One to authorise again")
    label: Name | None = None
    permissions: Annotated[list[PermissionName], Field(max_length=20)] | None = None
    route_from: RouteFrom = "week"
    return_to: PageOfOurs = "/settings/accounts"


class ConsentOut(Wire):
    """Where to send the browser."""

    authorize_url: str


class AccountIn(Wire):
    """An account to connect with a form."""

    workspace_id: OfWorkspace
    connector: ConnectorName
    settings: FormValues = Field(description="What the connector's form asks for, secrets too")
    label: Name | None = Field(default=None, description="Null: its address")
    permissions: Annotated[list[PermissionName], Field(max_length=20)] | None = Field(
        default=None, description="Null: all that the connector has"
    )
    route_from: RouteFrom = Field(
        default="week", description="Which mail may wake agents: `new`, of the last `week`, `all`"
    )


class SignatureIn(Wire):
    """What an account signs its mail with."""

    source: Literal["provider", "own", "none"]
    text: Annotated[str, StringConstraints(max_length=LONGEST)] = ""


def _nothing() -> None:
    return None


class AccountPatch(Wire):
    """What to change about an account; what is left out stays."""

    label: Name = Field(default_factory=str)
    enabled: StrictFlag = Field(default_factory=bool)
    signature: SignatureIn = Field(default_factory=lambda: SignatureIn(source="none"))
    route_from: RouteFrom = Field(default_factory=lambda: "week")
    authserv_id: ServerName | None = Field(
        default_factory=_nothing,
        description="The server whose verdict on senders (Authentication-Results) counts",
    )
    permissions: Annotated[list[PermissionName], Field(max_length=20)] = Field(
        default_factory=list[str]
    )


class CredentialsIn(Wire):
    """The settings and secrets of an account, all of them again."""

    settings: FormValues


class SignatureOut(Wire):
    """What an account signs its mail with."""

    source: Literal["provider", "own", "none"]
    text: str = Field(description="As plain text")
    html: str | None = Field(description="Of a provider's own: cleaned HTML")


class AccountOut(Wire):
    """A connected account; nothing secret is ever shown."""

    id: str
    workspace_id: str
    owner_id: str
    owner_name: str
    right: AccountRight = Field(description="Yours, or shared with you: to read, or to send too")
    connector: str
    connector_title: str
    label: str
    address: str
    display_name: str
    is_primary: bool
    enabled: bool
    unused_because: str | None = Field(description="Why it is not used, if it is not")
    categories: list[str]
    permissions: list[str]
    settings: dict[str, Any]
    private_network: bool = Field(description="Whether it may reach private networks")
    authserv_id: str | None
    route_from: datetime | None = Field(description="Older mail wakes no agent; null: all may")
    signature: SignatureOut
    problem: ConnectionProblem | None = Field(description="Why it does not work, if it does not")
    problem_detail: str | None
    problem_at: datetime | None
    authorize_url: str | None = Field(
        description="Open this in the browser to authorise it again; null without OAuth"
    )
    at_rest: AtRest | None = Field(
        description="How its folder is on this disk: sealed with the data key, plain because there "
        "is none, or yours, which stays as it is; null if its mail is elsewhere"
    )
    created_at: datetime
    updated_at: datetime


class AccountShareIn(Wire):
    """What someone may do with an account."""

    right: ShareRight = Field(description="send: read, write and send")


class AccountShareOut(Wire):
    """Someone with whom an account is shared."""

    member_id: str = Field(description="A user, or * for everyone in the workspace")
    name: str = Field(description='"Everyone here" for all')
    right: ShareRight
    created_at: datetime


class AccountTestOut(Wire):
    """Whether an account works at this moment."""

    ok: bool
    error: ConnectionProblem | None
    detail: str | None
    authorize_url: str | None = Field(
        description="Open this in the browser to authorise it again; null without OAuth"
    )
    address: str | None
    name: str | None


class DisconnectedOut(Wire):
    """An account that is gone, with its mail and its secrets."""

    revoked: bool | None = Field(
        description="Whether the provider forgot the authorisation; null: it was not asked"
    )
