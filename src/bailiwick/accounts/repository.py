"""All SQL of accounts, except for refresh leases (see `leases`)."""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import (
    Account,
    AccountCredential,
    ActiveConnector,
    ConnectorSetting,
    OAuthFlow,
)
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.workspaces.models import Member

_ORDER = (Account.is_primary.desc(), Account.created_at, Account.id)


async def get(session: AsyncSession, id: str, *, lock: bool = False) -> Account:
    """An account, or `NotFound`; the caller must have entered its workspace."""
    account = await find(session, id, lock=lock)
    if account is None:
        raise NotFound("That account does not exist, or is no longer connected.")
    return account


async def find(session: AsyncSession, id: str, *, lock: bool = False) -> Account | None:
    """An account, if it is still connected."""
    statement = select(Account).where(Account.id == id)
    if lock:
        statement = statement.with_for_update(key_share=True)
    return (await session.scalars(statement)).one_or_none()


async def of_workspace(
    session: AsyncSession,
    workspace_id: str,
    *,
    category: str | None = "mail",
    enabled_only: bool = True,
) -> list[Account]:
    """The accounts of a workspace: the primary one first, then the oldest."""
    statement = select(Account).where(Account.workspace_id == workspace_id)
    if enabled_only:
        statement = statement.where(Account.enabled)
    found = await session.scalars(statement.order_by(*_ORDER))
    return [row for row in found if category is None or category in categories_of(row)]


async def primary(session: AsyncSession, workspace_id: str, category: str) -> Account | None:
    """The default account of a workspace: the first that is enabled."""
    return next(iter(await of_workspace(session, workspace_id, category=category)), None)


async def seen_by(
    session: AsyncSession, principal: Principal, *, workspace_id: str | None = None
) -> list[Account]:
    """The accounts of all workspaces of a user; all accounts for the operator."""
    statement = select(Account).order_by(Account.workspace_id, *_ORDER)
    if principal.via != "operator":
        own = select(Member.workspace_id).where(Member.user_id == principal.user_id)
        statement = statement.where(Account.workspace_id.in_(own))
    if workspace_id:
        statement = statement.where(Account.workspace_id == workspace_id)
    return list(await session.scalars(statement))


async def enabled_of(session: AsyncSession, connector: str) -> list[Account]:
    """The enabled accounts of a connector, in all workspaces."""
    statement = select(Account).where(Account.connector == connector, Account.enabled)
    return list(await session.scalars(statement.order_by(Account.created_at, Account.id)))


async def seen_elsewhere(session: AsyncSession, account: Account) -> bool:
    """Whether another account is the same at the provider, so that revoking would break it."""
    statement = select(func.count(Account.id)).where(
        Account.connector == account.connector,
        func.lower(Account.address) == account.address.lower(),
        Account.id != account.id,
    )
    return bool(await session.scalar(statement))


async def count_of(session: AsyncSession, workspace_id: str) -> int:
    """How many accounts a workspace has."""
    statement = select(func.count(Account.id)).where(Account.workspace_id == workspace_id)
    return await session.scalar(statement) or 0


async def labels(session: AsyncSession, workspace_id: str, *, besides: str = "") -> set[str]:
    """The labels in use in a workspace, in lower case."""
    statement = select(Account.label).where(
        Account.workspace_id == workspace_id, Account.id != besides
    )
    return {label.casefold() for label in await session.scalars(statement)}


async def none_primary(session: AsyncSession, workspace_id: str) -> None:
    """Clear the primary mark of a workspace's accounts."""
    await session.execute(
        update(Account)
        .where(Account.workspace_id == workspace_id, Account.is_primary)
        .values(is_primary=False)
        .execution_options(synchronize_session="fetch")
    )


async def credential(session: AsyncSession, account_id: str) -> AccountCredential | None:
    """The credential of an account."""
    return await session.get(AccountCredential, account_id)


async def setting(session: AsyncSession, connector: str) -> ConnectorSetting | None:
    """A connector's configuration, if it was ever changed."""
    return await session.get(ConnectorSetting, connector)


async def settings(session: AsyncSession) -> dict[str, ConnectorSetting]:
    """The configurations of connectors, by name."""
    return {row.name: row for row in await session.scalars(select(ConnectorSetting))}


async def active(session: AsyncSession) -> dict[str, str]:
    """The active connector of each category."""
    return {row.category: row.connector for row in await session.scalars(select(ActiveConnector))}


async def take_flow(session: AsyncSession, id: str) -> OAuthFlow | None:
    """Take a consent in progress; it can be taken once."""
    statement = delete(OAuthFlow).where(OAuthFlow.id == id).returning(OAuthFlow)
    return (await session.scalars(statement)).one_or_none()


async def forget_old_flows(session: AsyncSession) -> None:
    """Remove consents that expired."""
    await session.execute(delete(OAuthFlow).where(OAuthFlow.expires_at < clock.now()))


def categories_of(account: Account) -> Sequence[str]:
    """The categories of an account."""
    return cast("Sequence[str]", account.categories)
