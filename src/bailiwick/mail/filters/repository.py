"""All SQL of filters."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.mail.models import Filter, MailMessage
from bailiwick.workspaces.access import AccessibleWorkspaceID
from bailiwick.workspaces.models import Member, Workspace

# The number of filters and their last change: a new value means that something changed.
Stamp = tuple[int, datetime | None]
_IN_ORDER = (Filter.workspace_id, Filter.position, Filter.created_at, Filter.id)


async def seen_by(
    session: AsyncSession, who: Principal, *, workspace_id: str | None
) -> Sequence[Filter]:
    """The filters of the workspaces that someone is in, in the order in which they are asked."""
    statement = _seen(select(Filter), who)
    if workspace_id:
        statement = statement.where(Filter.workspace_id == workspace_id)
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def get(session: AsyncSession, who: Principal, id: str) -> Filter:
    """A filter of a workspace that someone is in, or `NotFound`."""
    statement = _seen(select(Filter).where(Filter.id == id), who)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound("That filter does not exist, or you are not in its workspace.")
    return found


async def everything(session: AsyncSession, workspace_id: str) -> list[Filter]:
    """All filters of a workspace in their order, locked until the transaction ends."""
    await session.execute(
        select(Workspace.id).where(Workspace.id == workspace_id).with_for_update()
    )
    statement = select(Filter).where(Filter.workspace_id == workspace_id).order_by(*_IN_ORDER)
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return list(found.all())


async def of_director(session: AsyncSession, director_id: str) -> Sequence[Filter]:
    """The filters that name a director and are on."""
    statement = select(Filter).where(Filter.director_id == director_id, Filter.enabled)
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def stamp(session: AsyncSession, workspace_id: str) -> Stamp:
    """A value that changes with a workspace's filters."""
    statement = select(func.count(Filter.id), func.max(Filter.updated_at)).where(
        Filter.workspace_id == workspace_id
    )
    count, latest = (await session.execute(statement)).one()
    return count, latest


async def enabled(session: AsyncSession, workspace_id: str) -> Sequence[Filter]:
    """The filters of a workspace that are on, in their order."""
    statement = select(Filter).where(Filter.workspace_id == workspace_id, Filter.enabled)
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def recent(
    session: AsyncSession,
    workspace_id: AccessibleWorkspaceID,
    *,
    account_id: str | None,
    limit: int,
    offset: int,
) -> Sequence[MailMessage]:
    """Mail that others sent, newest first."""
    statement = (
        select(MailMessage)
        .join(Account, Account.id == MailMessage.account_id)
        .where(
            MailMessage.workspace_id == workspace_id,
            MailMessage.draft.is_(False),
            MailMessage.gone_at.is_(None),
            func.lower(MailMessage.sender_address) != func.lower(Account.address),
        )
    )
    if account_id:
        statement = statement.where(MailMessage.account_id == account_id)
    ordered = statement.order_by(MailMessage.date_at.desc(), MailMessage.number.desc())
    return (await session.scalars(ordered.limit(limit).offset(offset))).all()


def _seen(statement: Select[Filter], who: Principal) -> Select[Filter]:
    if who.user_id is None:
        return statement
    mine = select(Member.workspace_id).where(Member.user_id == who.user_id)
    return statement.where(Filter.workspace_id.in_(mine))
