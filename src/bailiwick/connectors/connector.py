"""`Connector`: what a plugin declares about itself. It is handed its own accounts, and no more.

    @hookimpl
    def bailiwick_connectors() -> list[Connector]: ...

is all that a plugin needs; built-in ones come in by the same entry points as others.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pluggy

from bailiwick.connectors.mail import Mailbox
from bailiwick.connectors.network import Network
from bailiwick.connectors.planning import Calendar, TaskList

if TYPE_CHECKING:
    from bailiwick.connectors.own import OwnAccounts

# The same marker as `bailiwick.hookspecs.hookimpl`, for connectors that live below it.
hookimpl = pluggy.HookimplMarker("bailiwick")
Category = Literal["mail", "calendar", "tasks"]
Values = Mapping[str, Any]
NO_FIELDS: Values = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Permission:
    """Something that a user switches on when connecting: asked of the provider only then."""

    name: str  # "read", "send", "organise"
    title: str
    description: str
    scopes: tuple[str, ...] = ()  # of OAuth
    required: bool = False


@dataclass(frozen=True, slots=True)
class OAuth:
    """Where consent is asked for and tokens come from."""

    authorize_url: str
    token_url: str
    client_id: str
    client_secret: str | None = None
    revoke_url: str | None = None
    # Always asked for, such as the right to know whose account it is.
    base_scopes: tuple[str, ...] = ()
    # Such as access_type=offline; `prompt` and the like.
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step of what to click to get a client id of one's own."""

    title: str
    text: str
    url: str | None = None
    copy: Literal["redirect_uri", "scopes"] | None = None  # what to show for copying


@dataclass(frozen=True, slots=True)
class Access:
    """What a connector is handed for one account: its own, and nothing of any other."""

    account_id: str
    address: str
    settings: Values  # what the account's form holds, but for secrets
    options: Values  # what the connector's own form holds
    permissions: frozenset[str]
    # A password, or an access token that is good for some minutes yet; asked for at each use.
    secret: Callable[[], Awaitable[Mapping[str, str]]] = field(repr=False)
    network: Network = field(repr=False)
    folder: Path  # its own on disk, made when first used


@dataclass(frozen=True, kw_only=True)
class Connector:
    """A plugin that speaks to a provider.

    Forms are JSON Schemas of flat objects: string, integer, boolean and enum properties with
    `title`, `description` and `default`; one with `"writeOnly": true` is a secret.
    """

    name: str  # [a-z][a-z0-9_]*
    title: str
    summary: str
    version: str = "1"
    categories: tuple[Category, ...] = ("mail",)
    settings: Values = field(default_factory=lambda: NO_FIELDS)  # the form of an account
    options: Values = field(default_factory=lambda: NO_FIELDS)  # the form of the connector itself
    permissions: tuple[Permission, ...] = ()
    # The hosts it talks to, "imap.example.org:993", given its options and an account's settings.
    # None goes anywhere else.
    hosts: Callable[[Values, Values], Sequence[str]] = field(default=lambda *_: (), repr=False)
    oauth: Callable[[Values], OAuth | None] | None = field(default=None, repr=False)
    guide: tuple[GuideStep, ...] = ()
    # What an address suggests for the form; None: nothing known.
    suggest: Callable[[str], Values | None] | None = field(default=None, repr=False)
    open_mail: Callable[[Access], Mailbox] | None = field(default=None, repr=False)
    open_calendar: Callable[[Access], Calendar] | None = field(default=None, repr=False)
    open_tasks: Callable[[Access], TaskList] | None = field(default=None, repr=False)
    # Its own tools (`bailiwick.tools.tool.Tool`), offered while it is enabled and active.
    tools: "Callable[[OwnAccounts], Sequence[Any]] | None" = field(default=None, repr=False)
