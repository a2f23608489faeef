"""Stores a newly connected account."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository, switches
from bailiwick.accounts.connector_use import ConnectorUse
from bailiwick.accounts.models import Account, AccountCredential, ActiveConnector
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import reader_of
from bailiwick.accounts.trial import TrialResult
from bailiwick.errors import Invalid, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.instance.changes import Values
from bailiwick.kit import clock
from bailiwick.workspaces.access import AccessibleWorkspaceID

MOST = 50
LOCK = 0x62616975
_LONGEST_LABEL = 100
_RECORDED = (
    *("connector", "label", "address", "is_primary", "enabled", "permissions", "settings"),
    *("private_network", "authserv_id", "signature_source"),
)


@dataclass(frozen=True, slots=True)
class Connected:
    """A working account that is to be stored."""

    id: str
    workspace_id: AccessibleWorkspaceID
    using: ConnectorUse
    label: str | None
    found: TrialResult
    permissions: frozenset[str]
    settings: Mapping[str, Any]
    route_from: datetime | None


async def store(
    session: AsyncSession,
    opener: AccountOpener,
    principal: Principal,
    *,
    connected: Connected,
    credential: AccountCredential,
) -> Account:
    """Keep an account; the first that someone has in a workspace is their primary one."""
    # Two that are connected at the same moment must not both be the first, nor share a label.
    await opener.storage.app.alone(session, lock=LOCK)
    owner_id = (await reader_of(session, principal)).id
    others = await repository.own(session, connected.workspace_id, owner_id)
    if len(others) >= MOST:
        raise RuleViolated(f"There are {MOST} accounts already. Disconnect one first.")
    connector, identity, now = connected.using.connector, connected.found.identity, clock.now()
    account = Account(
        id=connected.id,
        workspace_id=connected.workspace_id,
        connector=connector.name,
        label=_label(connected, taken={other.label.casefold() for other in others}),
        address=identity.address,
        display_name=identity.name,
        is_primary=not others,
        enabled=True,
        categories=list(connector.categories),
        permissions=sorted(connected.permissions),
        settings=dict(connected.settings),
        private_network=principal.is_admin,
        authserv_id=identity.authserv_id,
        route_from=connected.route_from,
        signature=connected.found.signature,
        signature_source="provider" if connected.found.signature else "none",
        owner_id=owner_id,
        created_at=now,
        updated_at=now,
    )
    session.add(account)
    await session.flush()
    session.add(credential)
    await _activate(session, opener, connected.using)
    record(session, principal, "account.connected", account, after=described(account))
    return account


def record(
    session: AsyncSession,
    principal: Principal,
    action: str,
    account: Account,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    """Write down a change of an account, for its owner alone; those who share it see the event."""
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=account.id,
        before=before,
        after=after,
        to=(audience.account(account.id),),
        workspace=account.workspace_id,
        owner=account.owner_id,
    )


def described(account: Account) -> dict[str, Any]:
    """The account in the change record, without secrets."""
    kept = {name: getattr(account, name) for name in _RECORDED}
    return {
        **kept,
        "signature": account.signature,
        "route_from": account.route_from and account.route_from.isoformat(),
    }


def _label(connected: Connected, *, taken: Collection[str]) -> str:
    if connected.label:
        if connected.label.casefold() in taken:
            raise Invalid.field("label", "another account of yours is called so")
        return connected.label
    base = connected.found.identity.address or connected.using.connector.title
    label, number = base[:_LONGEST_LABEL], 1
    while label.casefold() in taken:
        number += 1
        label = f"{base[: _LONGEST_LABEL - 6]} ({number})"
    return label


async def _activate(session: AsyncSession, opener: AccountOpener, using: ConnectorUse) -> None:
    """Make the connector active in a category that has none."""
    chosen = await repository.active(session)
    for category in using.connector.categories:
        if category not in chosen:
            row = ActiveConnector(
                category=category, connector=using.connector.name, updated_at=clock.now()
            )
            session.add(row)
    await switches.emit(session, opener.connectors)
