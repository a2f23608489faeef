"""All SQL of the audit's readers."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bailiwick.accounts.reader import Reader
from bailiwick.errors import Invalid, NotFound
from bailiwick.kit.db import Storage
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.kit.ledger.models import Row
from bailiwick.kit.ledger.rows import row_id, slot_of

_ID = re.compile(r"(slot-\d{1,6}):(\d{1,12})")
_BATCH = 1_000
_RELATED = 50


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """Which entries, of those that someone may see."""

    reader: Reader
    workspace_id: str | None = None
    caller_id: str | None = None
    tool: str | None = None
    decision: str | None = None
    status: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str | None = None

    def apply(self, statement: Select[Row]) -> Select[Row]:
        """The statement for these alone."""
        return statement.where(*self._conditions())

    def _conditions(self) -> list[ColumnElement[bool]]:
        conditions: list[ColumnElement[bool]] = [self.reader.sees(Row.owner_id, Row.workspace_id)]
        named = ("workspace_id", "caller_id", "tool", "decision", "status")
        conditions += [
            getattr(Row, name) == value for name in named if (value := getattr(self, name))
        ]
        if self.since:
            conditions.append(Row.at >= self.since)
        if self.until:
            conditions.append(Row.at < self.until)
        if self.text:
            # As the body has it: JSON writes quotes and the like in its own way.
            kept = json.dumps(self.text, ensure_ascii=False)[1:-1]
            conditions.append(Row.body.icontains(kept, autoescape=True))
        return conditions


def in_utc(name: str, moment: datetime | None) -> datetime | None:
    """A moment that a database can compare with."""
    try:
        return moment.astimezone(UTC) if moment else None
    except OverflowError:
        raise Invalid.field(name, "that is no time of our calendar") from None


async def listed(session: AsyncSession, page: PageRequest, query: AuditQuery) -> Rows[Row]:
    """Entries, newest first."""
    # A number orders as well as a text, and a page's token keeps either.
    by = (Row.at, cast("InstrumentedAttribute[str]", cast("Any", Row.id)))
    return await paginate(session, query.apply(select(Row)), page, by=by)


async def get(session: AsyncSession, id: str, query: AuditQuery) -> tuple[Row, list[Row]]:
    """An entry by its own id or by its call's, with the others of that call; or `NotFound`."""
    if named := _ID.fullmatch(id):
        place = row_id(slot_of(named[1]), int(named[2]))
        found = (await session.scalars(query.apply(select(Row).where(Row.id == place)))).first()
        others = await _of_call(session, found.call_id, query) if found else []
    else:
        others = await _of_call(session, id, query)
        found = others[-1] if others else None
    if found is None:
        raise NotFound("That entry does not exist, or you may not see it.")
    return found, [row for row in others if row.id != found.id]


async def everything(storage: Storage, query: AuditQuery) -> AsyncIterator[Sequence[Row]]:
    """All entries in the order of their chains, a batch at a time."""
    after = row_id(1, 0)
    while True:
        statement = query.apply(select(Row).where(Row.id > after)).order_by(Row.id).limit(_BATCH)
        async with storage.audit.read() as session:
            rows = (await session.scalars(statement)).all()
        if not rows:
            return
        yield rows
        after = rows[-1].id


async def _of_call(session: AsyncSession, call_id: str | None, query: AuditQuery) -> list[Row]:
    if call_id is None:
        return []
    statement = query.apply(select(Row).where(Row.call_id == call_id))
    return list(await session.scalars(statement.order_by(Row.at, Row.id).limit(_RELATED)))
