"""Connects accounts by a form. Providers are asked before the transaction.

The user who last gave an account its settings answers for its servers: only an admin of the office
may name private networks. So settings are always given whole, with their secrets; nobody can send
another user's password to a server of their own.
"""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from bailiwick.accounts import credentials, trial
from bailiwick.accounts.access import entered
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import Account, AccountCredential
from bailiwick.accounts.opener import AccountOpener, Opening
from bailiwick.accounts.store import Connected, described, record, store
from bailiwick.connectors import forms
from bailiwick.connectors.connector import Connector
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import Identity
from bailiwick.errors import Conflict, Invalid
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock, ids
from bailiwick.workspaces.access import enter

RouteFrom = Literal["new", "week", "all"]


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The form of a new account."""

    workspace_id: str
    connector: str
    settings: Mapping[str, Any] = field(repr=False)
    label: str | None = None
    permissions: Sequence[str] | None = None
    route_from: RouteFrom = "week"


async def connect(opener: AccountOpener, principal: Principal, new: NewAccount) -> Account:
    """Connect an account of a connector with a form; nothing is stored if it does not work."""
    async with opener.storage.app.read() as session:
        await enter(session, principal, new.workspace_id, need="write")
    using = await usable(opener, new.connector)
    if using.connector.oauth:
        raise Conflict(f"{using.connector.title} is connected in the browser: begin there.")
    values = forms.checked(using.connector.settings, new.settings, prefix="settings")
    plain, secret = forms.split(using.connector.settings, values)
    permissions = chosen(using.connector, new.permissions)
    id = ids.new("acc")
    opening = opening_of(
        id, settings=plain, secret=secret, permissions=permissions, principal=principal
    )
    try:
        found = await _tried(opener, using, opening)
    except Invalid:
        await remove_folder(opener, id)
        raise
    async with opener.storage.app.write() as session:
        access = await enter(session, principal, new.workspace_id, need="write")
        row = _credential(opener, id, secret)
        connected = Connected(
            id=id,
            workspace_id=access.id,
            using=using,
            label=new.label,
            found=found,
            permissions=permissions,
            settings=plain,
            route_from=since(new.route_from),
        )
        return await store(session, opener, principal, connected=connected, credential=row)


async def renew(
    opener: AccountOpener, principal: Principal, account_id: str, *, settings: Mapping[str, Any]
) -> Account:
    """Replace an account's settings and secrets; it stays the same account."""
    async with opener.storage.app.read() as session:
        account = await entered(session, principal, account_id, need="own")
    using = await usable(opener, account.connector)
    if using.connector.oauth:
        raise Conflict(f"{using.connector.title} is authorised again in the browser.")
    values = forms.checked(using.connector.settings, settings, prefix="settings")
    plain, secret = forms.split(using.connector.settings, values)
    opening = opening_of(
        account_id,
        settings=plain,
        secret=secret,
        permissions=frozenset(account.permissions),
        principal=principal,
    )
    found = await _tried(opener, using, opening)
    check_same(account, found.identity)
    async with opener.storage.app.write() as session:
        account = await entered(session, principal, account_id, need="own", lock=True)
        before = described(account)
        account.settings, account.private_network = plain, principal.is_admin
        await session.merge(_credential(opener, account_id, secret))
        after = {**described(account), "new_secrets": bool(secret)}
        record(session, principal, "account.changed", account, before=before, after=after)
    await opener.well(account_id)
    return account


async def usable(opener: AccountOpener, name: str) -> ConnectorUse:
    """A connector that can be used for new accounts, or the reason why not."""
    using = await opener.use(name)
    if not using.enabled:
        raise Conflict(f"The connector {using.connector.title} is switched off.")
    return using


def chosen(connector: Connector, permissions: Sequence[str] | None) -> frozenset[str]:
    """The chosen permissions, with those that are always needed."""
    known = {permission.name for permission in connector.permissions}
    if permissions is None:
        return frozenset(known)
    if unknown := sorted(set(permissions) - known):
        raise Invalid.field("permissions", f"there is no permission {unknown[0]!r}")
    required = {permission.name for permission in connector.permissions if permission.required}
    return frozenset(permissions) | required


def since(choice: RouteFrom) -> datetime | None:
    """The moment from which mail is new; earlier mail wakes no director."""
    match choice:
        case "new":
            # Servers give whole seconds, so mail within this one counts as new.
            return clock.now().replace(microsecond=0)
        case "week":
            return clock.now() - timedelta(days=7)
        case "all":
            return None


def check_same(account: Account, identity: Identity) -> None:
    """Refuse to replace an account by a different one."""
    if identity.address and identity.address.casefold() != account.address.casefold():
        raise Conflict(
            f"This account is {account.address}, but {identity.address} was given. Give the same "
            f"one, or connect the other as an account of its own."
        )


def opening_of(
    id: str,
    *,
    settings: Mapping[str, Any],
    secret: Mapping[str, str],
    permissions: frozenset[str],
    principal: Principal,
    address: str = "",
) -> Opening:
    """The opening with which an account is tried before it is stored."""

    async def given() -> Mapping[str, str]:
        return secret

    return Opening(
        account_id=id,
        address=address,
        settings=settings,
        permissions=permissions,
        by_admin=principal.is_admin,
        secret=given,
    )


async def remove_folder(opener: AccountOpener, account_id: str) -> None:
    """Remove an account's files as far as possible."""
    await asyncio.to_thread(shutil.rmtree, opener.folder(account_id), ignore_errors=True)


async def _tried(opener: AccountOpener, using: ConnectorUse, opening: Opening) -> trial.TrialResult:
    try:
        return await trial.tried(opener, using, opening)
    except ConnectorFailed as error:
        raise trial.in_fields(error, using.connector, opening.settings) from None


def _credential(opener: AccountOpener, id: str, secret: Mapping[str, Any]) -> AccountCredential:
    sealed = credentials.seal(opener.vault, id, secret)
    return AccountCredential(account_id=id, secret=sealed, updated_at=clock.now())
