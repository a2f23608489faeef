"""All SQL of filters."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.mail.models import Filter, MailMessage
from bailiwick.workspaces.access import AccessibleWorkspaceID
from bailiwick.workspaces.models import Workspace

# The number of filters and their last change: a new value means that something changed.
Stamp = tuple[int, datetime | None]
_IN_ORDER = (Filter.workspace_id, Filter.position, Filter.created_at, Filter.id)


async def seen_by(
    session: AsyncSession, reader: Reader, *, workspace_id: str | None
) -> Sequence[Filter]:
    """Someone's filters in the workspaces that they are in, in the order that they are asked."""
    statement = _own(select(Filter), reader)
    if workspace_id:
        statement = statement.where(Filter.workspace_id == workspace_id)
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def get(session: AsyncSession, reader: Reader, id: str) -> Filter:
    """Someone's filter in a workspace that they are in, or `NotFound`."""
    statement = _own(select(Filter).where(Filter.id == id), reader)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound("That filter does not exist, or is not yours.")
    return found


async def everything(session: AsyncSession, workspace_id: str, owner_id: str) -> list[Filter]:
    """All filters of someone in a workspace, in order; nobody else changes one until the end."""
    await session.execute(
        select(Workspace.id).where(Workspace.id == workspace_id).with_for_update()
    )
    own = (Filter.workspace_id == workspace_id, Filter.owner_id == owner_id)
    statement = select(Filter).where(*own).order_by(*_IN_ORDER)
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return list(found.all())


async def of_director(session: AsyncSession, director_id: str) -> Sequence[Filter]:
    """The filters that name a director and are on."""
    statement = select(Filter).where(Filter.director_id == director_id, Filter.enabled)
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def accounts(
    session: AsyncSession, workspace_id: str, owner_id: str, *, ids: Collection[str] | None
) -> Sequence[Account]:
    """The accounts of someone in a workspace, all or some of them."""
    statement = select(Account).where(
        Account.workspace_id == workspace_id, Account.owner_id == owner_id
    )
    if ids is not None:
        statement = statement.where(Account.id.in_(ids))
    return (await session.scalars(statement)).all()


async def stamp(session: AsyncSession, workspace_id: str, owner_id: str) -> Stamp:
    """Tells one state of someone's filters from another."""
    statement = select(func.count(Filter.id), func.max(Filter.updated_at)).where(
        Filter.workspace_id == workspace_id, Filter.owner_id == owner_id
    )
    count, latest = (await session.execute(statement)).one()
    return count, latest


async def enabled(session: AsyncSession, workspace_id: str, owner_id: str) -> Sequence[Filter]:
    """The filters of someone in a workspace that are on, in their order."""
    statement = select(Filter).where(
        Filter.workspace_id == workspace_id, Filter.owner_id == owner_id, Filter.enabled
    )
    return (await session.scalars(statement.order_by(*_IN_ORDER))).all()


async def recent(
    session: AsyncSession,
    reader: Reader,
    workspace_id: AccessibleWorkspaceID,
    *,
    account_id: str | None,
    limit: int,
    offset: int,
) -> Sequence[MailMessage]:
    """Mail that others sent to someone, newest first."""
    statement = (
        select(MailMessage)
        .join(Account, Account.id == MailMessage.account_id)
        .where(
            MailMessage.workspace_id == workspace_id,
            reader.owns(Account.owner_id),
            MailMessage.draft.is_(False),
            MailMessage.gone_at.is_(None),
            func.lower(MailMessage.sender_address) != func.lower(Account.address),
        )
    )
    if account_id:
        statement = statement.where(MailMessage.account_id == account_id)
    ordered = statement.order_by(MailMessage.date_at.desc(), MailMessage.number.desc())
    return (await session.scalars(ordered.limit(limit).offset(offset))).all()


def _own(statement: Select[Filter], reader: Reader) -> Select[Filter]:
    return statement.where(reader.owns(Filter.owner_id), Filter.workspace_id.in_(reader.workspaces))
