"""All SQL of the tools that list mail."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, exists, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.mail import places
from bailiwick.mail.models import Folder, Message, Placement

# Without these, which are not listed unless they are asked for.
_USUAL = places.bits((*places.ROLES, None)) & ~(places.DISCARDED | places.DRAFTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which mails are asked for."""

    workspace_id: str
    account_ids: Collection[str]
    folder: str | None = None  # a role, or a title
    unread: bool | None = None
    sender: str | None = None
    since: datetime | None = None
    after: tuple[datetime, int] | None = None  # the last one that was given


async def listed(session: AsyncSession, wanted: Wanted, *, limit: int) -> list[Message]:
    """Mails of all these accounts, newest first."""
    folders = await _called(session, wanted)
    statement = (
        select(Message)
        .where(*_conditions(wanted, folders))
        .order_by(Message.date_at.desc(), Message.number.desc())
        .limit(limit)
    )
    return list(await session.scalars(statement))


async def by_ids(session: AsyncSession, ids: Collection[str]) -> dict[str, Message]:
    """Mails by their ids."""
    found = await session.scalars(select(Message).where(Message.id.in_(ids)))
    return {message.id: message for message in found}


async def titles(session: AsyncSession, message: Message) -> list[str]:
    """The folders and labels that hold a mail: a role's plain word, else what the user calls it."""
    statement = (
        select(Folder.role, Folder.title)
        .join(Placement, Placement.folder_id == Folder.id)
        .where(Placement.number == message.number)
    )
    return sorted({role or title for role, title in await session.execute(statement)})


async def _called(session: AsyncSession, wanted: Wanted) -> list[str]:
    """The folders of this title; compared here, for SQLite knows the case of ASCII alone."""
    if wanted.folder is None:
        return []
    said = wanted.folder.strip().casefold()
    statement = select(Folder.id, Folder.title).where(Folder.account_id.in_(wanted.account_ids))
    return [id for id, title in await session.execute(statement) if title.casefold() == said]


def _conditions(wanted: Wanted, folders: Collection[str]) -> list[ColumnElement[bool]]:
    conditions = [
        Message.workspace_id == wanted.workspace_id,
        Message.account_id.in_(wanted.account_ids),
        Message.gone_at.is_(None),
        _placed(wanted.folder, folders),
    ]
    if wanted.unread is not None:
        conditions.append(Message.seen.is_(not wanted.unread))
    if wanted.sender:
        said = wanted.sender.strip()
        conditions.append(
            or_(
                func.lower(Message.sender_address).contains(said.lower(), autoescape=True),
                func.lower(Message.sender_name).contains(said.lower(), autoescape=True),
                # As it was said, for SQLite knows the case of ASCII alone.
                Message.sender_name.contains(said, autoescape=True),
            )
        )
    if wanted.since:
        conditions.append(Message.date_at >= wanted.since)
    if wanted.after:
        conditions.append(tuple_(Message.date_at, Message.number) < tuple_(*wanted.after))
    return conditions


def _placed(folder: str | None, called: Collection[str]) -> ColumnElement[bool]:
    """In the folder that is named; else anywhere but among what was put aside."""
    if folder is None:
        return Message.places.bitwise_and(_USUAL) != 0
    said = folder.strip().lower()
    if said in places.ROLES:
        return Message.places.bitwise_and(places.bit(said)) != 0
    return exists().where(Placement.number == Message.number, Placement.folder_id.in_(called))
