"""All SQL of actions."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import Reader
from bailiwick.errors import NotFound
from bailiwick.gate.models import Action
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows, paginate


async def get(session: AsyncSession, reader: Reader, id: str, *, lock: bool = False) -> Action:
    """An action that someone may see, or `NotFound`."""
    statement = select(Action).where(Action.id == id, _seen(reader))
    if lock:
        statement = statement.with_for_update()
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound("That action does not exist, or you may not see it.")
    return row


async def by_key(session: AsyncSession, caller_id: str, key: str) -> Action | None:
    """What a caller did under this key; held until the transaction ends."""
    statement = select(Action).where(Action.caller_id == caller_id, Action.idempotency_key == key)
    return (await session.scalars(statement.with_for_update())).one_or_none()


async def of_approval(session: AsyncSession, approval_id: str) -> Action | None:
    """What was begun under an approval."""
    statement = select(Action).where(Action.approval_id == approval_id)
    return (await session.scalars(statement.limit(1))).one_or_none()


async def listed(
    session: AsyncSession,
    reader: Reader,
    page: PageRequest,
    *,
    status: str | None = None,
    tool: str | None = None,
    caller_id: str | None = None,
) -> Rows[Action]:
    """The actions that someone may see, newest first."""
    conditions: list[ColumnElement[bool]] = [_seen(reader)]
    if status:
        conditions.append(Action.status == status)
    if tool:
        conditions.append(Action.tool == tool)
    if caller_id:
        conditions.append(Action.caller_id == caller_id)
    statement = select(Action).where(*conditions)
    return await paginate(session, statement, page, by=(Action.created_at, Action.id))


def _seen(reader: Reader) -> ColumnElement[bool]:
    """What is someone's business, or was done in their name, or is everyone's in the workspace."""
    theirs = reader.sees(Action.owner_id, Action.workspace_id)
    return or_(theirs, reader.owns(Action.user_id))


async def left_open(
    session: AsyncSession, *, process: str, before: datetime | None
) -> list[Action]:
    """Intents whose process has ended; those of an approval are its own job's."""
    statement = select(Action).where(
        Action.status == "open", Action.executor != process, Action.approval_id.is_(None)
    )
    if before:
        statement = statement.where(Action.created_at < before)
    return list(await session.scalars(statement.order_by(Action.created_at)))


async def standing(
    session: AsyncSession, workspace_id: str, tool: str, *, since: datetime
) -> list[Action]:
    """What a tool did or is about to do, oldest first, without what was taken back."""
    statement = select(Action).where(
        Action.workspace_id == workspace_id,
        Action.created_at >= since,
        Action.tool == tool,
        Action.status.in_(("open", "done")),
        Action.undoes.is_(None),
        Action.undone_by.is_(None),
    )
    return list(await session.scalars(statement.order_by(Action.created_at, Action.id)))


async def forget_older_than(session: AsyncSession, days: int) -> None:
    """Drop what can no longer be undone; the audit keeps its own record."""
    oldest = clock.now() - timedelta(days=days)
    await session.execute(
        delete(Action).where(Action.created_at < oldest, Action.status.in_(("done", "failed")))
    )
