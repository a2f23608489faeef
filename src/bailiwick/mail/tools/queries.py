"""All SQL of the mail tools."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Row, delete, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.mail import folder_roles
from bailiwick.mail.models import MailFolder, MailMessage, Placement

# Roles that are listed only when they are named.
_USUAL = folder_roles.bits((*folder_roles.ROLES, None)) & ~(
    folder_roles.DISCARDED | folder_roles.DRAFTS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailQuery:
    """The filters of a list of mails."""

    workspace_id: str
    account_ids: Collection[str]
    folder: str | None = None  # a role, or a title
    unread: bool | None = None
    sender: str | None = None
    since: datetime | None = None
    after: tuple[datetime, int] | None = None  # the last mail of the page before


async def listed(session: AsyncSession, query: MailQuery, *, limit: int) -> list[MailMessage]:
    """Mails of all these accounts, newest first."""
    folders = await _called(session, query)
    statement = (
        select(MailMessage)
        .where(*_conditions(query, folders))
        .order_by(MailMessage.date_at.desc(), MailMessage.number.desc())
        .limit(limit)
    )
    return list(await session.scalars(statement))


async def find(
    session: AsyncSession, reader: Reader, workspace_id: str, id: str
) -> MailMessage | None:
    """A mail of a workspace that someone may see."""
    statement = select(MailMessage).where(
        MailMessage.id == id,
        MailMessage.workspace_id == workspace_id,
        reader.sees_account(MailMessage.account_id),
    )
    return (await session.scalars(statement)).one_or_none()


async def by_ids(session: AsyncSession, ids: Collection[str]) -> dict[str, MailMessage]:
    """Mails by their ids."""
    found = await session.scalars(select(MailMessage).where(MailMessage.id.in_(ids)))
    return {message.id: message for message in found}


async def folders(session: AsyncSession, account_id: str) -> list[MailFolder]:
    """The folders and labels of an account."""
    statement = (
        select(MailFolder).where(MailFolder.account_id == account_id).order_by(MailFolder.title)
    )
    return list(await session.scalars(statement))


async def folder_of_role(session: AsyncSession, account_id: str, role: str) -> MailFolder | None:
    """The folder of an account that has a role."""
    statement = select(MailFolder).where(
        MailFolder.account_id == account_id, MailFolder.role == role
    )
    return (await session.scalars(statement.limit(1))).first()


async def places(session: AsyncSession, message: MailMessage) -> Sequence[Row[MailFolder, str]]:
    """The folders that hold a mail, with the provider's id there."""
    statement = (
        select(MailFolder, Placement.remote_id)
        .join(Placement, Placement.folder_id == MailFolder.id)
        .where(Placement.number == message.number)
        .order_by(MailFolder.id)
    )
    return (await session.execute(statement)).all()


async def take_out(session: AsyncSession, message: MailMessage, folder: MailFolder) -> None:
    """Remove a mail's placement in a folder."""
    await session.execute(
        delete(Placement).where(
            Placement.folder_id == folder.id, Placement.number == message.number
        )
    )


async def find_draft(session: AsyncSession, account_id: str, message_id: str) -> str | None:
    """The provider's id of a draft, if the fetcher has seen it."""
    statement = (
        select(Placement.remote_id)
        .join(MailMessage, MailMessage.number == Placement.number)
        .where(
            MailMessage.account_id == account_id,
            MailMessage.message_id == message_id,
            MailMessage.draft,
        )
    )
    return (await session.scalars(statement.limit(1))).first()


async def titles(session: AsyncSession, message: MailMessage) -> list[str]:
    """The titles of a mail's folders and labels; a folder with a role has its plain word."""
    statement = (
        select(MailFolder.role, MailFolder.title)
        .join(Placement, Placement.folder_id == MailFolder.id)
        .where(Placement.number == message.number)
    )
    return sorted({role or title for role, title in await session.execute(statement)})


async def _called(session: AsyncSession, query: MailQuery) -> list[str]:
    """The folders with this title, compared here because SQLite folds only ASCII."""
    if query.folder is None:
        return []
    said = query.folder.strip().casefold()
    statement = select(MailFolder.id, MailFolder.title).where(
        MailFolder.account_id.in_(query.account_ids)
    )
    return [id for id, title in await session.execute(statement) if title.casefold() == said]


def _conditions(query: MailQuery, folders: Collection[str]) -> list[ColumnElement[bool]]:
    conditions = [
        MailMessage.workspace_id == query.workspace_id,
        MailMessage.account_id.in_(query.account_ids),
        MailMessage.gone_at.is_(None),
        _placed(query.folder, folders),
    ]
    if query.unread is not None:
        conditions.append(MailMessage.seen.is_(not query.unread))
    if query.sender:
        said = query.sender.strip()
        conditions.append(
            or_(
                func.lower(MailMessage.sender_address).contains(said.lower(), autoescape=True),
                func.lower(MailMessage.sender_name).contains(said.lower(), autoescape=True),
                # In the given case too, because SQLite folds only ASCII.
                MailMessage.sender_name.contains(said, autoescape=True),
            )
        )
    if query.since:
        conditions.append(MailMessage.date_at >= query.since)
    if query.after:
        conditions.append(tuple_(MailMessage.date_at, MailMessage.number) < tuple_(*query.after))
    return conditions


def _placed(folder: str | None, called: Collection[str]) -> ColumnElement[bool]:
    """The condition for the named folder; without one, everything but the set-aside roles."""
    if folder is None:
        return MailMessage.places.bitwise_and(_USUAL) != 0
    said = folder.strip().lower()
    if said in folder_roles.ROLES:
        return MailMessage.places.bitwise_and(folder_roles.bit(said)) != 0
    return exists().where(Placement.number == MailMessage.number, Placement.folder_id.in_(called))
