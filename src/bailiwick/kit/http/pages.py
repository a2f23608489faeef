"""Pages of a list: `PageSize` and `ContinuationToken`, stable while rows are added.

A token holds the sort key of the last row seen, so that the next page begins after it whatever was
added before it meanwhile. For a list in memory it holds the item's index and name instead. It is
sealed for its list and filters, and refused for any other.
"""

import base64
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Depends, Query, Request
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from sqlalchemy import Select, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bailiwick.errors import Invalid
from bailiwick.kit.http.served import served

T = TypeVar("T")
PageRow = TypeVar("PageRow")
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
    """The requested page of a list."""

    size: int
    token: str | None
    list: str
    digest: Callable[[str], str]

    def position(self) -> tuple[datetime, str] | None:
        """The sort key after which the page begins; tokens of other lists are refused."""
        if (last := self._last()) is None:
            return None
        at, id = last
        return datetime.fromisoformat(at), id

    def token_after(self, at: datetime, id: str) -> str:
        """The token of the page after this row."""
        return self._token((at.isoformat(), id))

    def place(self) -> tuple[int, str] | None:
        """The index and name of the last item seen, in a list in memory."""
        if (last := self._last()) is None:
            return None
        index, name = last
        return index, name

    def token_after_place(self, index: int, name: str) -> str:
        """The token of the page after this index."""
        return self._token((index, name))

    def _last(self) -> Any:
        if self.token is None:
            return None
        content, _, seal = self.token.partition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(content).encode()):
            raise Invalid.field(_TOKEN, "take it unchanged from the page before")
        return json.loads(base64.urlsafe_b64decode(content))

    def _token(self, last: Sequence[object]) -> str:
        content = base64.urlsafe_b64encode(json.dumps(last).encode()).decode()
        return f"{content}.{self._seal(content)}"

    def _seal(self, content: str) -> str:
        return self.digest(f"page\x00{self.list}\x00{content}")[:32]


async def page_request(
    request: Request,
    size: Annotated[int, Query(alias="PageSize", ge=1, le=100)] = 25,
    token: Annotated[str | None, Query(alias=_TOKEN, max_length=500)] = None,
) -> PageRequest:
    """The page parameters of every list."""
    filters = sorted(
        item for item in request.query_params.multi_items() if item[0] not in ("PageSize", _TOKEN)
    )
    where = json.dumps([request.url.path, filters])
    return PageRequest(size, token, where, served(request).hasher)


PageQuery = Annotated[PageRequest, Depends(page_request)]


async def paginate(
    session: AsyncSession,
    statement: Select[PageRow],
    page: PageRequest,
    *,
    by: tuple[InstrumentedAttribute[datetime], InstrumentedAttribute[str]],
) -> "Rows[PageRow]":
    """The rows of one page, newest first."""
    total = await session.scalar(select(func.count()).select_from(statement.subquery()))
    if position := page.position():
        statement = statement.where(tuple_(*by) < tuple_(*position))
    ordered = statement.order_by(*(column.desc() for column in by)).limit(page.size + 1)
    rows = list((await session.scalars(ordered)).all())
    more = len(rows) > page.size
    rows = rows[: page.size]
    token = page.token_after(*(getattr(rows[-1], column.key) for column in by)) if more else None
    return Rows(rows, token=token, total=total or 0, size=page.size)


def page_of(items: Sequence[T], page: PageRequest, *, by: Callable[[T], str]) -> Page[T]:
    """One page of a list in memory, in its own order; `by` names an item."""
    start = _start([by(item) for item in items], page.place())
    shown = items[start : start + page.size]
    end = start + len(shown)
    more = end < len(items)
    return Page[T](
        items=list(shown),
        continuation_token=page.token_after_place(end - 1, by(shown[-1])) if more else None,
        total_items=len(items),
        has_more=more,
        page_size=page.size,
    )


def _start(names: Sequence[str], last: tuple[int, str] | None) -> int:
    if last is None:
        return 0
    index, name = last
    if names[index : index + 1] == [name]:
        return index + 1
    # The list changed before the item; if the item itself is gone, the next one has its index.
    return names.index(name) + 1 if name in names else index


@dataclass(frozen=True, slots=True)
class Rows(Generic[PageRow]):
    """Found rows, before they are converted to their wire form."""

    rows: Sequence[PageRow]
    token: str | None
    total: int
    size: int

    def map(self, make: Callable[[PageRow], T]) -> Page[T]:
        """The page with each row in its wire form."""
        return Page[T](
            items=[make(row) for row in self.rows],
            continuation_token=self.token,
            total_items=self.total,
            has_more=self.token is not None,
            page_size=self.size,
        )
