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
from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit import clock

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
    reader: Reader,
    workspace_id: str,
    *,
    category: str | None = "mail",
    enabled_only: bool = True,
) -> list[Account]:
    """The accounts of a workspace that are open to someone: their own first, the primary before."""
    statement = select(Account).where(
        Account.workspace_id == workspace_id, reader.sees_account(Account.id)
    )
    if enabled_only:
        statement = statement.where(Account.enabled)
    found = await session.scalars(statement.order_by(reader.owns(Account.owner_id).desc(), *_ORDER))
    return [row for row in found if category is None or category in categories_of(row)]


async def seen_by(
    session: AsyncSession, reader: Reader, *, workspace_id: str | None = None
) -> list[Account]:
    """The accounts that are open to someone, in all their workspaces or in one."""
    order = (Account.workspace_id, reader.owns(Account.owner_id).desc(), *_ORDER)
    statement = select(Account).where(reader.sees_account(Account.id)).order_by(*order)
    if workspace_id:
        statement = statement.where(Account.workspace_id == workspace_id)
    return list(await session.scalars(statement))


async def enabled_of(session: AsyncSession, connector: str) -> list[Account]:
    """The enabled accounts of a connector, in all workspaces."""
    statement = select(Account).where(Account.connector == connector, Account.enabled)
    return list(await session.scalars(statement.order_by(Account.created_at, Account.id)))


async def of_connector(session: AsyncSession, connector: str) -> list[Account]:
    """Every account of a connector, whoever it belongs to."""
    statement = select(Account).where(Account.connector == connector).order_by(Account.id)
    return list(await session.scalars(statement))


async def seen_elsewhere(session: AsyncSession, account: Account) -> bool:
    """Whether another account is the same at the provider, so that revoking would break it."""
    statement = select(func.count(Account.id)).where(
        Account.connector == account.connector,
        func.lower(Account.address) == account.address.lower(),
        Account.id != account.id,
    )
    return bool(await session.scalar(statement))


async def own(session: AsyncSession, workspace_id: str, owner_id: str) -> list[Account]:
    """All accounts that someone has in a workspace: the primary one first, then the oldest."""
    statement = select(Account).where(
        Account.workspace_id == workspace_id, Account.owner_id == owner_id
    )
    return list(await session.scalars(statement.order_by(*_ORDER)))


async def hand_over(session: AsyncSession, user_id: str) -> None:
    """Give what the operator connected to a user."""
    theirs = update(Account).where(Account.owner_id == OPERATOR.id)
    await session.execute(theirs.values(owner_id=user_id))


async def any_in(session: AsyncSession, workspace_id: str) -> bool:
    """Whether anyone has an account in a workspace."""
    statement = select(Account.id).where(Account.workspace_id == workspace_id).limit(1)
    return await session.scalar(statement) is not None


async def none_primary(session: AsyncSession, account: Account) -> None:
    """Take being the primary one away from whichever of its owner's has it."""
    here = (Account.workspace_id == account.workspace_id, Account.owner_id == account.owner_id)
    await session.execute(
        update(Account)
        .where(*here, Account.is_primary)
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
