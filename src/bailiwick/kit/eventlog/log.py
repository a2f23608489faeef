"""The event log: written in the transaction of the change, read in the order of commits.

Events are collected on the session and inserted as the last thing before the commit, under a lock
that is held until it: positions are given in the order in which transactions become visible. A
reader that resumes after position 2 can therefore never miss a position 1 that came later. (Every
transaction that notifies passes such a lock in PostgreSQL anyway, so it costs nothing more.)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select
from sqlalchemy.event import listen
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session, SessionTransaction

from bailiwick.kit import clock, ids
from bailiwick.kit.correlation import current_trace_id
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog.models import EventRow

CHANNEL = "events"
_LOCK = 0x6261696F
_PENDING = "events"
UnsavedEvents = list[tuple[SessionTransaction | None, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that is about to be recorded. The audience says who may see it."""

    type: str
    audience: Sequence[str]
    workspace_id: str | None = None
    actor_id: str | None = None
    subject_id: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it stands in the log."""

    position: int
    id: str
    type: str
    at: datetime
    audience: tuple[str, ...]
    workspace_id: str | None
    actor_id: str | None
    subject_id: str | None
    data: Mapping[str, Any]
    trace_id: str


def record(session: AsyncSession, event: Event) -> str:
    """Add an event to this transaction, and return its id."""
    id = ids.new("evt")
    row = {
        "id": id,
        "type": event.type,
        "at": clock.now(),
        "audience": list(event.audience),
        "workspace_id": event.workspace_id,
        "actor_id": event.actor_id,
        "subject_id": event.subject_id,
        "data": dict(event.data),
        "trace_id": current_trace_id(),
    }
    pending: UnsavedEvents | None = session.info.get(_PENDING)
    if pending is None:
        pending = session.info[_PENDING] = []
        listen(session.sync_session, "after_soft_rollback", _take_back)
    pending.append((session.sync_session.get_nested_transaction(), row))
    return id


def _take_back(session: Session, ended: SessionTransaction) -> None:
    """Discard the events of a savepoint that is rolled back."""
    pending: UnsavedEvents = session.info[_PENDING]
    pending[:] = [(within, row) for within, row in pending if not _is_inside(within, ended)]


def _is_inside(transaction: SessionTransaction | None, outer: SessionTransaction) -> bool:
    while transaction is not None and transaction is not outer:
        transaction = transaction.parent
    return transaction is outer


def install(storage: Storage) -> None:
    """Write the recorded events when a transaction of the app store commits."""
    store = storage.app

    async def write(session: AsyncSession) -> None:
        if not (pending := session.info.get(_PENDING)):
            return
        # Flushed first: no statement may wait for other locks while this one is held.
        await session.flush()
        await store.alone(session, lock=_LOCK)
        positions = await session.scalars(
            insert(EventRow).returning(EventRow.position, sort_by_parameter_order=True),
            [row for _, row in pending],
        )
        await store.notify(session, f"{CHANNEL} {max(positions)}")

    store.before_commit.append(write)


def recorded_in(session: AsyncSession) -> list[Recorded]:
    """The events of a transaction, for code that cannot wait to read them from the log."""
    pending: UnsavedEvents = session.info.get(_PENDING) or []
    return [Recorded(position=0, **row) for _, row in pending]


async def after(
    session: AsyncSession, position: int, *, limit: int, until: int | None = None
) -> list[Recorded]:
    """The events that follow a position, in order."""
    statement = select(EventRow).where(EventRow.position > position)
    if until is not None:
        statement = statement.where(EventRow.position <= until)
    rows = await session.scalars(statement.order_by(EventRow.position).limit(limit))
    return [_recorded(row) for row in rows]


async def bounds(session: AsyncSession) -> tuple[int, int]:
    """The first and the last position that are kept; (1, 0) for an empty log."""
    row = await session.execute(select(func.min(EventRow.position), func.max(EventRow.position)))
    first, last = row.one()
    return first or 1, last or 0


async def last_of(session: AsyncSession, types: Sequence[str]) -> Recorded | None:
    """The newest event of some types."""
    statement = select(EventRow).where(EventRow.type.in_(types))
    row = (await session.scalars(statement.order_by(EventRow.position.desc()).limit(1))).first()
    return _recorded(row) if row else None


async def forget_before(session: AsyncSession, moment: datetime) -> None:
    """Remove old events; the newest stays, and with it the log's position."""
    newest = select(func.max(EventRow.position)).scalar_subquery()
    await session.execute(delete(EventRow).where(EventRow.at < moment, EventRow.position < newest))


def _recorded(row: EventRow) -> Recorded:
    return Recorded(
        position=row.position,
        id=row.id,
        type=row.type,
        at=row.at,
        audience=tuple(row.audience),
        workspace_id=row.workspace_id,
        actor_id=row.actor_id,
        subject_id=row.subject_id,
        data=row.data,
        trace_id=row.trace_id,
    )
