"""Verbs of connected accounts. Providers are asked before the transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import credentials, repository, signatures, trial
from bailiwick.accounts.access import entered
from bailiwick.accounts.connect import chosen, remove_folder, since
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.store import LOCK, described, record
from bailiwick.accounts.tokens import REFRESH
from bailiwick.connectors.errors import ConnectorFailed, NotInUse
from bailiwick.connectors.mail import Identity
from bailiwick.errors import Conflict, Invalid
from bailiwick.identity import users
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock
from bailiwick.office import Office


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of trying an account."""

    identity: Identity | None = None
    error: ConnectorFailed | None = None


async def change(
    opener: AccountOpener, principal: Principal, account_id: str, *, values: Mapping[str, Any]
) -> Account:
    """Change an account's label, signature or permissions, or enable or disable it."""
    signature = values.get("signature")
    fetched: str | None = None
    if signature and signature["source"] == "provider":
        fetched = await _fetched_signature(opener, account_id)
    async with opener.storage.app.write() as session:
        await opener.storage.app.alone(session, lock=LOCK)
        account = await entered(session, principal, account_id, need="own", lock=True)
        before = described(account)
        for name, value in values.items():
            match name:
                case "label":
                    account.label = await free_label(session, account, value)
                case "signature":
                    _sign(account, value, fetched)
                case "route_from":
                    account.route_from = since(value)
                case "permissions":
                    account.permissions = _repermitted(opener, account, value)
                case _:
                    setattr(account, name, value)
        if (after := described(account)) != before:
            account.updated_at = clock.now()
            record(session, principal, "account.changed", account, before=before, after=after)
    return account


async def make_primary(
    session: AsyncSession, opener: AccountOpener, principal: Principal, account_id: str
) -> Account:
    """Make this the default account of its workspace."""
    await opener.storage.app.alone(session, lock=LOCK)
    account = await entered(session, principal, account_id, need="own", lock=True)
    if not account.is_primary:
        await repository.none_primary(session, account)
        account.is_primary, account.updated_at = True, clock.now()
        was, now = {"is_primary": False}, {"is_primary": True}
        record(session, principal, "account.changed", account, before=was, after=now)
    return account


async def probe(opener: AccountOpener, account_id: str) -> Probe:
    """Try an account, and record the result."""
    try:
        account, using = await opener.found(account_id)
        if using.connector.open_mail is None:
            return Probe(Identity(account.address))
        async with trial.guarded(using.connector), opener.mailbox(account_id) as mailbox:
            identity = await mailbox.probe()
    except ConnectorFailed as error:
        await opener.failed(account_id, error)
        return Probe(error=error)
    await opener.well(account_id)
    return Probe(identity)


async def disconnect(
    office: Office, principal: Principal, account_id: str, *, remove_files: bool
) -> bool | None:
    """Delete an account with its mail; return whether the provider revoked its token, if any.

    An interruption leaves a disabled account, which can be disconnected again.
    """
    opener = office[AccountOpener]
    before = await _switched_off(opener, principal, account_id)
    await office.before_removing("account", account_id)
    async with opener.storage.app.write() as session:
        await opener.storage.app.alone(session, lock=LOCK)
        account = await entered(session, principal, account_id, need="own", lock=True)
        row = await repository.credential(session, account_id)
        secret = credentials.opened(opener.vault, row) if row else {}
        others = await repository.seen_elsewhere(session, account)
        record(session, principal, "account.disconnected", account, before=before)
        await office.removing("account", session, principal.actor, account_id)
        await session.delete(account)
        await session.flush()
        if account.is_primary:
            await _next_primary(session, principal, account)
    connector = opener.connectors.find(account.connector)
    if remove_files or not (connector and connector.keeps_folder):
        await remove_folder(opener, account_id)
    return None if others else await _revoked(opener, account, secret)


async def _switched_off(
    opener: AccountOpener, principal: Principal, account_id: str
) -> dict[str, Any]:
    """Disable an account; return its state before."""
    async with opener.storage.app.write() as session:
        account = await entered(session, principal, account_id, need="own", lock=True)
        before, account.enabled = described(account), False
    return before


async def welcome(session: AsyncSession, user: User) -> None:
    """What the operator connected before there was an owner is the owner's."""
    if await users.owner_id(session) == user.id:
        await repository.hand_over(session, user.id)


async def none_left(session: AsyncSession, actor: Actor, workspace_id: str) -> None:
    """Refuse to remove a workspace that has accounts.

    Disconnecting each one decides about its files and revokes its token at the provider.
    """
    if own := await repository.own(session, workspace_id, actor.id):
        raise Conflict(f"Disconnect your accounts first: {', '.join(row.label for row in own)}.")
    if await repository.any_in(session, workspace_id):
        raise Conflict("Members have accounts connected here. They disconnect them first.")


async def free_label(session: AsyncSession, account: Account, label: str) -> str:
    """The label, if no other account of its owner has it."""
    others = await repository.own(session, account.workspace_id, account.owner_id)
    if any(label.casefold() == each.label.casefold() for each in others if each.id != account.id):
        raise Invalid.field("label", "another account of yours is called so")
    return label


async def _fetched_signature(opener: AccountOpener, account_id: str) -> str:
    try:
        _, using = await opener.found(account_id)
        async with trial.guarded(using.connector), opener.mailbox(account_id) as mailbox:
            found = await trial.provider_signature(mailbox)
    except NotInUse as error:
        raise Conflict(error.detail) from None
    except ConnectorFailed as error:
        raise Conflict(f"The signature cannot be fetched: {error.detail}") from None
    if found is None:
        raise Conflict("The provider has no signature for this account.")
    return found


def _sign(account: Account, value: Mapping[str, Any], fetched: str | None) -> None:
    source: signatures.SignatureSource = value["source"]
    account.signature_source = source
    match source:
        case "provider":
            account.signature = fetched
        case "own":
            account.signature = signatures.checked(value["text"])
        case "none":
            account.signature = None


def _repermitted(opener: AccountOpener, account: Account, given: Sequence[str]) -> list[str]:
    connector = opener.connectors.get(account.connector)
    permissions = chosen(connector, given)
    if connector.oauth and (more := sorted(permissions - set(account.permissions))):
        raise Conflict(f"Authorise the account again to allow {', '.join(more)}.")
    return sorted(permissions)


async def _next_primary(session: AsyncSession, principal: Principal, gone: Account) -> None:
    left = await repository.own(session, gone.workspace_id, gone.owner_id)
    if left:
        left[0].is_primary, left[0].updated_at = True, clock.now()
        was, now = {"is_primary": False}, {"is_primary": True}
        record(session, principal, "account.changed", left[0], before=was, after=now)


async def _revoked(
    opener: AccountOpener, account: Account, secret: Mapping[str, Any]
) -> bool | None:
    """Ask the provider to forget the token."""
    connector = opener.connectors.find(account.connector)
    token = secret.get(REFRESH) or secret.get("access_token")
    if connector is None or connector.oauth is None or not token:
        return None
    using = await opener.use(connector.name)
    if using.oauth is None or using.oauth.revoke_url is None:
        return None
    try:
        network = opener.network(using, account.settings, private=account.private_network)
    except ConnectorFailed:
        return False
    return await opener.revoke(using.oauth, network, str(token))
