"""All SQL of stored mail. Messages that are in no folder any more are not shown."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows
from bailiwick.mail import folder_roles
from bailiwick.mail.columns import LISTED
from bailiwick.mail.models import (
    Contact,
    Filter,
    MailBlob,
    MailFolder,
    MailMessage,
    MailPart,
    Outgoing,
    Placement,
    Routing,
)

GONE = "There is no such mail. List the mails to see what there is."
_KEPT = timedelta(days=30)
_MOST_OF_THREAD = 200
MailRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MailListQuery:
    """Which mails a list shows."""

    account_id: str | None = None
    folder_id: str | None = None
    role: str | None = None
    unread: bool = False
    flagged: bool = False


async def get(session: AsyncSession, reader: Reader, id: str) -> MailMessage:
    """A mail that someone may see, or `NotFound`."""
    statement = select(MailMessage).where(
        MailMessage.id == id,
        reader.sees_account(MailMessage.account_id),
        MailMessage.gone_at.is_(None),
    )
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def listed(
    session: AsyncSession,
    reader: Reader,
    workspace_id: str,
    query: MailListQuery,
    page: PageRequest,
) -> Rows[MailRow]:
    """Mails of a workspace that someone may see, newest first."""
    conditions = _conditions(reader, workspace_id, query)
    total = await session.scalar(_counting(reader, query, conditions))
    statement = _from(select(*LISTED), query).where(*conditions)
    rows = list((await session.execute(_turned_to(statement, query, page))).all())
    more, rows = len(rows) > page.size, rows[: page.size]
    last = rows[-1] if more else None
    token = page.token_after(last.date_at, str(last.number)) if last else None
    return Rows(rows, token=token, total=total or 0, size=page.size)


async def thread(session: AsyncSession, reader: Reader, thread_id: str) -> Sequence[MailMessage]:
    """The mails of a thread, oldest first and without their texts, or `NotFound`."""
    # By its index alone: with another condition SQLite would scan all mails by date.
    statement = (
        select(MailMessage)
        .where(MailMessage.thread_id == thread_id)
        .order_by(MailMessage.number.desc())
        .limit(_MOST_OF_THREAD)
        .options(defer(MailMessage.text))
    )
    found = [
        message
        for message in await session.scalars(statement)
        if reader.may(message.account_id, "read") and message.gone_at is None
    ]
    if not found:
        raise NotFound("There is no such thread.")
    return sorted(found, key=lambda message: (message.date_at, message.number))


async def placements(
    session: AsyncSession, found: Collection[int]
) -> dict[int, list[tuple[MailFolder, str]]]:
    """The folders that hold each of some messages, and the provider's id there."""
    made: dict[int, list[tuple[MailFolder, str]]] = {number: [] for number in found}
    statement = (
        select(Placement.number, MailFolder, Placement.remote_id)
        .join(MailFolder, MailFolder.id == Placement.folder_id)
        .where(Placement.number.in_(found))
        .order_by(MailFolder.kind, MailFolder.title)
    )
    for number, folder, remote_id in await session.execute(statement):
        made[number].append((folder, remote_id))
    return made


async def routings(session: AsyncSession, message_id: str) -> Sequence[Routing]:
    """The directors to which filters routed a message."""
    statement = select(Routing).where(Routing.message_id == message_id)
    return (await session.scalars(statement.order_by(Routing.routed_at, Routing.filter_id))).all()


async def parts(session: AsyncSession, message: MailMessage) -> Sequence[MailPart]:
    """The parts of a message that are stored apart, in order."""
    statement = select(MailPart).where(MailPart.number == message.number).order_by(MailPart.at)
    return (await session.scalars(statement)).all()


async def unused_blobs(session: AsyncSession, before: datetime) -> Sequence[str]:
    """Blobs from before a moment that no message refers to, received or outgoing."""
    named = select(MailMessage.number).where(MailMessage.raw_blob == MailBlob.name)
    apart = select(MailPart.number).where(MailPart.blob == MailBlob.name)
    going = select(Outgoing.id).where(Outgoing.raw_blob == MailBlob.name)
    statement = select(MailBlob.name).where(
        MailBlob.kept_at < before, ~named.exists(), ~apart.exists(), ~going.exists()
    )
    return (await session.scalars(statement)).all()


async def forget_blobs(session: AsyncSession, names: Collection[str], before: datetime) -> None:
    """Forget removed blobs, except those that were stored again meanwhile."""
    await session.execute(
        delete(MailBlob).where(MailBlob.name.in_(names), MailBlob.kept_at < before)
    )


async def taken(session: AsyncSession, numbers: Collection[int]) -> set[int]:
    """Those of the numbers that are in use."""
    statement = select(MailMessage.number).where(MailMessage.number.in_(numbers))
    return set(await session.scalars(statement))


@dataclass(frozen=True, slots=True)
class Counted:
    """A folder, and its numbers of mails."""

    folder: MailFolder
    total: int
    unread: int


async def folders(session: AsyncSession, account_ids: Collection[str]) -> list[Counted]:
    """The folders of some accounts, each with its numbers of mails."""
    statement = select(MailFolder).where(MailFolder.account_id.in_(account_ids))
    found = (
        await session.scalars(statement.order_by(MailFolder.account_id, MailFolder.title))
    ).all()
    held = select(Placement.folder_id, func.count()).group_by(Placement.folder_id)
    # Counted from the unread mails, because they are few.
    unread = held.join(MailMessage, MailMessage.number == Placement.number).where(
        MailMessage.account_id.in_(account_ids), MailMessage.seen.is_(False)
    )
    here = Placement.folder_id.in_([folder.id for folder in found])
    totals = dict((await session.execute(held.where(here))).all())
    new = dict((await session.execute(unread)).all())
    return [Counted(folder, totals.get(folder.id, 0), new.get(folder.id, 0)) for folder in found]


async def hand_over(session: AsyncSession, user_id: str) -> None:
    """Give the contacts and filters of the operator to a user."""
    for table in (Contact, Filter):
        theirs = update(table).where(table.owner_id == OPERATOR.id)
        await session.execute(theirs.values(owner_id=user_id))


async def purge(session: AsyncSession) -> None:
    """Remove messages that have been in no folder for a month."""
    before = clock.now() - _KEPT
    await session.execute(delete(MailMessage).where(MailMessage.gone_at < before))


def _conditions(
    reader: Reader, workspace_id: str, query: MailListQuery
) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [
        MailMessage.workspace_id == workspace_id,
        reader.sees_account(MailMessage.account_id),
        MailMessage.places != 0,
    ]
    if query.account_id:
        conditions.append(MailMessage.account_id == query.account_id)
    if query.folder_id:
        conditions.append(Placement.folder_id == query.folder_id)
    if query.role:
        conditions.append(MailMessage.places.bitwise_and(folder_roles.bit(query.role)) != 0)
    elif not query.folder_id:
        conditions.append(MailMessage.places.bitwise_and(folder_roles.DISCARDED) == 0)
    if query.unread:
        conditions.append(MailMessage.seen.is_(False))
    if query.flagged:
        conditions.append(MailMessage.flagged.is_(True))
    return conditions


def _from(statement: Select[*tuple[Any, ...]], query: MailListQuery) -> Select[*tuple[Any, ...]]:
    statement = statement.select_from(MailMessage)
    if query.folder_id:
        return statement.join(Placement, Placement.number == MailMessage.number)
    return statement


def _counting(
    reader: Reader, query: MailListQuery, conditions: Sequence[ColumnElement[bool]]
) -> Select[int]:
    """The number of mails; for a whole folder it is counted from placements alone."""
    if query.folder_id is None or query != MailListQuery(folder_id=query.folder_id):
        return _from(select(func.count()), query).where(*conditions)
    own = select(MailFolder.id).where(
        MailFolder.id == query.folder_id, reader.sees_account(MailFolder.account_id)
    )
    return select(func.count()).select_from(Placement).where(Placement.folder_id.in_(own))


def _turned_to(
    statement: Select[*tuple[Any, ...]], query: MailListQuery, page: PageRequest
) -> Select[*tuple[Any, ...]]:
    """The page in the order of an index, because sorting would read everything for each page."""
    position = page.position()
    if query.folder_id:
        if position:
            statement = statement.where(Placement.number < int(position[1]))
        statement = statement.order_by(Placement.number.desc())
    else:
        by = (MailMessage.date_at, MailMessage.number)
        if position:
            at, number = position[0], int(position[1])
            statement = statement.where(tuple_(*by) < tuple_(at, number))
        statement = statement.order_by(*(column.desc() for column in by))
    return statement.limit(page.size + 1)
