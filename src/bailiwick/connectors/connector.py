"""`Connector`: what a plugin declares about itself. It is handed its own accounts, and no more.

A feature lists its connectors (`Feature.connectors`); built-in ones come in by the same entry
points as others.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bailiwick.connectors.forms import FormFields
from bailiwick.connectors.mail import Mailbox
from bailiwick.connectors.network import Network
from bailiwick.connectors.own import OwnAccounts
from bailiwick.kit.keys import Key
from bailiwick.kit.sealing import FolderSeal

FOLDER = "accounts"  # beneath the data folder; in it, each account has its own
ConnectorCategory = Literal["mail", "calendar", "tasks"]
NO_FIELDS: FormFields = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission that a user switches on when connecting; it is requested only then."""

    name: str  # "read", "send", "organise"
    title: str
    description: str
    scopes: tuple[str, ...] = ()  # of OAuth
    required: bool = False
    # Permissions whose scopes hold this one's: while one of them is on, these are not asked for.
    within: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OAuth:
    """Where consent is asked for and tokens come from."""

    authorize_url: str
    token_url: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    revoke_url: str | None = None
    # Requested every time, such as the scope that gives the account's address.
    base_scopes: tuple[str, ...] = ()
    # Such as access_type=offline or prompt=consent.
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step of the guide to an own client id."""

    title: str
    text: str
    url: str | None = None
    copy: Literal["redirect_uri", "scopes"] | None = None  # what to show for copying


def _nowhere(_options: FormFields, _settings: FormFields) -> Sequence[str]:
    """The default hosts: a connector that declares none reaches none."""
    return ()


async def _nothing_to_renew() -> None:
    """The default renewal: a password is not renewed."""


def seal_of(account_id: str, key: Key | None) -> FolderSeal | None:
    """The seal of an account's own folder; None without a data key."""
    return FolderSeal(key, f"{FOLDER}/{account_id}") if key else None


@dataclass(frozen=True, slots=True)
class AccountAccess:
    """What a connector is handed for one account; it gets nothing of other accounts."""

    account_id: str
    address: str
    settings: FormFields  # what the account's form holds, but for secrets
    options: FormFields = field(repr=False)  # what the connector's own form holds, secrets too
    permissions: frozenset[str]
    # What the form's secret fields hold; or `access_token`, good for some minutes yet, where OAuth
    # is used. Asked for at each use.
    secret: Callable[[], Awaitable[Mapping[str, str]]] = field(repr=False)
    network: Network = field(repr=False)
    folder: Path  # its own on disk, made when first used
    # Seals what it keeps in that folder; None: there is no data key, so that it is kept plain.
    seal: FolderSeal | None = field(default=None, repr=False)
    # The provider refused the token (401): `secret` gives another one after this.
    renew: Callable[[], Awaitable[None]] = field(default=_nothing_to_renew, repr=False)
    # Whether an admin connected it; only admins may name private addresses and folders.
    by_admin: bool = False


@dataclass(frozen=True, kw_only=True)
class Connector:
    """A plugin that speaks to a provider.

    Forms are JSON Schemas of flat objects: string, integer, boolean and enum properties with
    `title`, `description` and `default`; one with `"writeOnly": true` is a secret, and one with a
    `contentMediaType` may have several lines.
    """

    name: str  # [a-z][a-z0-9_]*
    title: str
    summary: str
    version: str = "1"
    categories: tuple[ConnectorCategory, ...] = ("mail",)
    settings: FormFields = field(default_factory=lambda: NO_FIELDS)  # the form of an account
    options: FormFields = field(
        default_factory=lambda: NO_FIELDS
    )  # the form of the connector itself
    permissions: tuple[Permission, ...] = ()
    # The hosts it talks to, "imap.example.org:993", given its options and an account's settings.
    # None goes anywhere else.
    hosts: Callable[[FormFields, FormFields], Sequence[str]] = field(default=_nowhere, repr=False)
    oauth: Callable[[FormFields], OAuth | None] | None = field(default=None, repr=False)
    guide: tuple[GuideStep, ...] = ()
    # What an address suggests for the form; None: nothing known. Besides, `known` may be False for
    # a guess, `note` say what to look out for, and `help` be a page about it.
    suggest: Callable[[str], FormFields | None] | None = field(default=None, repr=False)
    open_mail: Callable[[AccountAccess], Mailbox] | None = field(default=None, repr=False)
    # Whether an account's folder is the user's own, and stays when the account goes.
    keeps_folder: bool = False
    # The folder of the user's that an account's settings name, which stays plain; None: the office
    # keeps one itself.
    users_folder: Callable[[FormFields], str | None] | None = field(default=None, repr=False)
    # Its own tools (`bailiwick.tools.tool.Tool`), offered while it is enabled and active.
    tools: Callable[[OwnAccounts], Sequence[Any]] | None = field(default=None, repr=False)

    def scopes(self, permissions: Collection[str]) -> tuple[str, ...]:
        """The fewest OAuth scopes that cover these permissions."""
        wanted = [
            one
            for one in self.permissions
            if one.name in permissions and not set(one.within) & set(permissions)
        ]
        return tuple(dict.fromkeys(scope for one in wanted for scope in one.scopes))

    def granted(self, permissions: Collection[str], scopes: Collection[str]) -> frozenset[str]:
        """Those of the permissions that the granted OAuth scopes cover."""
        full = {one.name for one in self.permissions if set(one.scopes) <= set(scopes)}
        return frozenset(
            one.name
            for one in self.permissions
            if one.name in permissions and (one.name in full or full & set(one.within))
        )
