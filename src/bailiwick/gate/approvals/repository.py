"""All SQL of approvals."""

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.gate.models import Approval
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows, paginate


async def get(session: AsyncSession, reader: Reader, id: str, *, lock: bool = False) -> Approval:
    """An approval that is someone's business, or in their name, or `NotFound`."""
    statement = select(Approval).where(Approval.id == id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    row = (await session.scalars(statement)).one_or_none()
    if row is None or not (reader.has(row.owner_id) or reader.has(row.user_id)):
        raise NotFound("That approval does not exist, or you may not see it.")
    return row


async def same(
    session: AsyncSession, caller_id: str, context_id: str | None, binding: str
) -> Approval | None:
    """The same call of the same caller in the same context, if it waits already."""
    statement = select(Approval).where(
        Approval.caller_id == caller_id,
        Approval.context_id == context_id,
        Approval.binding == binding,
        Approval.status == "pending",
        Approval.expires_at > clock.now(),
    )
    return (await session.scalars(statement.limit(1))).one_or_none()


async def listed(
    session: AsyncSession,
    reader: Reader,
    page: PageRequest,
    *,
    status: str | None = None,
    caller_id: str | None = None,
) -> Rows[Approval]:
    """The approvals that are someone's business, or in their name, newest first."""
    conditions: list[ColumnElement[bool]] = [
        or_(reader.owns(Approval.owner_id), reader.owns(Approval.user_id))
    ]
    if status:
        conditions.append(Approval.status == status)
    if status == "pending":
        conditions.append(Approval.expires_at > clock.now())
    if caller_id:
        conditions.append(Approval.caller_id == caller_id)
    statement = select(Approval).where(*conditions)
    return await paginate(session, statement, page, by=(Approval.created_at, Approval.id))


async def overdue(session: AsyncSession) -> list[Approval]:
    """Those that nobody answered in time; held until the transaction ends."""
    statement = select(Approval).where(
        Approval.status == "pending", Approval.expires_at <= clock.now()
    )
    return list(await session.scalars(statement.with_for_update()))
