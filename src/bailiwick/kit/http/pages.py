"""Pages of a list: `PageSize` and `ContinuationToken`, stable while rows are added.

A token holds the sort key of the last row seen, so that the next page begins after it whatever was
added before it meanwhile.
"""

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bailiwick.errors import Invalid

T = TypeVar("T")
Row = TypeVar("Row")
_TOKEN = "ContinuationToken"  # noqa: S105


class Page(BaseModel, Generic[T]):
    """One page of a list."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    items: list[T]
    continuation_token: str | None
    total_items: int
    has_more: bool
    page_size: int


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which page is asked for."""

    size: int
    token: str | None


def page_request(
    size: Annotated[int, Query(alias="PageSize", ge=1, le=100)] = 25,
    token: Annotated[str | None, Query(alias=_TOKEN, max_length=500)] = None,
) -> PageRequest:
    """The page parameters of every list."""
    return PageRequest(size, token)


PageQuery = Annotated[PageRequest, Depends(page_request)]


async def paginate(
    session: AsyncSession,
    statement: Select[Row],
    page: PageRequest,
    *,
    by: tuple[InstrumentedAttribute[datetime], InstrumentedAttribute[str]],
) -> "Rows[Row]":
    """The rows of one page, newest first."""
    total = await session.scalar(select(func.count()).select_from(statement.subquery()))
    if page.token:
        statement = statement.where(tuple_(*by) < tuple_(*_decode(page.token)))
    ordered = statement.order_by(*(column.desc() for column in by)).limit(page.size + 1)
    rows = list((await session.scalars(ordered)).all())
    more = len(rows) > page.size
    rows = rows[: page.size]
    token = _encode(*(getattr(rows[-1], column.key) for column in by)) if more else None
    return Rows(rows, token=token, total=total or 0, size=page.size)


@dataclass(frozen=True, slots=True)
class Rows(Generic[Row]):
    """What was found, before it is put into its wire form."""

    rows: Sequence[Row]
    token: str | None
    total: int
    size: int

    def map(self, make: Callable[[Row], T]) -> Page[T]:
        """The page with each row in its wire form."""
        return Page[T](
            items=[make(row) for row in self.rows],
            continuation_token=self.token,
            total_items=self.total,
            has_more=self.token is not None,
            page_size=self.size,
        )


def _encode(at: datetime, id: str) -> str:
    return base64.urlsafe_b64encode(json.dumps([at.isoformat(), id]).encode()).decode().rstrip("=")


def _decode(token: str) -> tuple[datetime, str]:
    try:
        padded = token + "=" * (-len(token) % 4)
        parts: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        at, id = parts
        moment = datetime.fromisoformat(at)
        if not isinstance(id, str) or moment.tzinfo is None or "\x00" in id:
            raise ValueError
        return moment.astimezone(moment.tzinfo), id
    except (ValueError, TypeError, OverflowError, binascii.Error):
        raise Invalid.field(_TOKEN, "take it unchanged from the page before") from None
