"""All SQL of the outbox."""

from datetime import timedelta

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.mail.models import MailMessage, Outgoing

OPEN = ("held", "sending")
ENDED = ("sent", "cancelled", "failed")


async def get(session: AsyncSession, reader: Reader, id: str, *, lock: bool = False) -> Outgoing:
    """A message that someone may see, or `NotFound`."""
    row = await find(session, id, lock=lock)
    if row is None or not reader.may(row.account_id, "read"):
        raise NotFound("That message is not in the outbox, or you may not see it.")
    return row


async def find(session: AsyncSession, id: str, *, lock: bool = False) -> Outgoing | None:
    """A message; with `lock`, nobody else changes it until the transaction ends."""
    statement = select(Outgoing).where(Outgoing.id == id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def by_key(session: AsyncSession, key: str) -> Outgoing | None:
    """What a call put here before."""
    return (await session.scalars(select(Outgoing).where(Outgoing.key == key))).one_or_none()


async def listed(
    session: AsyncSession,
    reader: Reader,
    page: PageRequest,
    *,
    workspace_id: str | None = None,
    status: str | None = None,
    account_id: str | None = None,
) -> Rows[Outgoing]:
    """What is in the outbox, newest first."""
    conditions: list[ColumnElement[bool]] = [reader.sees_account(Outgoing.account_id)]
    if workspace_id:
        conditions.append(Outgoing.workspace_id == workspace_id)
    if status:
        conditions.append(Outgoing.status == status)
    if account_id:
        conditions.append(Outgoing.account_id == account_id)
    statement = select(Outgoing).where(*conditions)
    return await paginate(session, statement, page, by=(Outgoing.created_at, Outgoing.id))


async def still_open(session: AsyncSession, *, lock: bool = False) -> list[Outgoing]:
    """What has not come to an end, the first that is due first."""
    statement = select(Outgoing).where(Outgoing.status.in_(OPEN)).order_by(Outgoing.due_at)
    if lock:
        statement = statement.with_for_update(skip_locked=True)
    return list(await session.scalars(statement))


async def mark_answered(session: AsyncSession, message_id: str) -> None:
    """Note at a mail that it was answered."""
    answered = update(MailMessage).where(MailMessage.id == message_id).values(answered=True)
    await session.execute(answered)


async def forget_older_than(session: AsyncSession, days: int) -> None:
    """Drop what has ended; the audit keeps its own record."""
    oldest = clock.now() - timedelta(days=days)
    await session.execute(
        delete(Outgoing).where(Outgoing.updated_at < oldest, Outgoing.status.in_(ENDED))
    )
