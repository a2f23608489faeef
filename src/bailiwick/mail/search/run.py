"""Runs searches over the accounts that the caller may see.

The cost is bounded for any query: of a word that most mails hold, only the newest matches are
ranked, by the words' places, their rarity and the mail's age. The SQL of both orders is here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal
from zoneinfo import ZoneInfo

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Float,
    Integer,
    Row,
    Select,
    Table,
    bindparam,
    func,
    literal,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.kit import clock
from bailiwick.kit.db import UtcDateTime
from bailiwick.kit.db.fulltext import is_sqlite
from bailiwick.mail import numbers
from bailiwick.mail.columns import LISTED
from bailiwick.mail.filters import cache as filter_cache
from bailiwick.mail.models import MailMessage
from bailiwick.mail.search import conditions, language
from bailiwick.mail.search.conditions import Asked
from bailiwick.mail.search.index import INDEX
from bailiwick.mail.search.language import Node
from bailiwick.mail.search.snippets import Marker, SnippetPiece

RANKED = 200
Order = Literal["best", "newest"]
# A mail of today has twice the weight of a very old one; one of a month ago 1.5 times.
_FADES = 30 * 24 * 3600.0
_PER_SECOND = literal(float(numbers.PER_SECOND), Float)
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
_LEAST, _GREATEST = (bindparam(name, type_=BigInteger) for name in ("least", "greatest"))
_MESSAGES: Table = MailMessage.__table__  # pyright: ignore[reportAssignmentType]
_SHOWN = [_MESSAGES.c[column.key] for column in (*LISTED, MailMessage.text)]


@dataclass(frozen=True, slots=True)
class MailHit:
    """A found mail, and where it matches."""

    message: Row[Any]  # the columns of `columns.LISTED`
    subject: Sequence[SnippetPiece]
    snippet: Sequence[SnippetPiece]

    @property
    def id(self) -> str:
        """The id of the mail."""
        return self.message.id


@dataclass(frozen=True, slots=True)
class MailHits:
    """The found mails; `total` counts only ranked ones, and `more` says that there are others."""

    items: Sequence[MailHit]
    total: int
    more: bool


async def search(
    session: AsyncSession,
    workspace_id: str,
    query: str,
    *,
    account_ids: Sequence[str],
    limit: int = 20,
    offset: int = 0,
    order: Order = "best",
) -> MailHits:
    """The mails that a query finds in these accounts of a workspace."""
    if offset + limit > RANKED:
        raise Invalid.field("q", f"finds too much to go on so far: after {RANKED} say more exactly")
    tree = language.parse(query, now=await _now(session, query))
    known = await conditions.names(session, tree, account_ids)
    asked = conditions.asked(session, tree, known)
    rows = await _found(
        session, asked, workspace_id, account_ids, order=order, page=(limit, offset)
    )
    total = rows[0].found if rows else 0
    return MailHits(_hits(rows, tree), min(total, RANKED), more=total > RANKED)


async def _found(
    session: AsyncSession,
    asked: Asked,
    workspace_id: str,
    account_ids: Sequence[str],
    *,
    order: Order,
    page: tuple[int, int],
) -> Sequence[Row[Any]]:
    after, before = (one and one.moment for one in (asked.after, asked.before))
    least, greatest = numbers.span(workspace_id, after=after, before=before)
    sqlite = is_sqlite(session)
    clauses = (*_visible(len(account_ids)), *asked.conditions)
    if asked.words is None:
        statement = _ranked(_by_date(clauses), order="newest")
    elif asked.conditions:
        statement = _ranked(_by_words(clauses, sqlite=sqlite), order=order)
    else:
        statement = _usual(order, len(account_ids), sqlite=sqlite)
    given = {
        "match": INDEX.written(session, asked.words) if asked.words else "",
        "least": least,
        "greatest": greatest,
        **{f"account{place}": id for place, id in enumerate(account_ids)},
        "workspace": workspace_id,
        "unwanted": asked.unwanted,
        "after": after or _FIRST,
        "before": before or _LAST,
        "now": numbers.span(workspace_id, before=clock.now())[1],
        "limit": page[0],
        "offset": page[1],
    }
    connection = await session.connection()
    return (await connection.execute(statement, given)).all()


@cache
def _usual(order: Order, accounts: int, *, sqlite: bool) -> Select[*tuple[Any, ...]]:
    """The statement of the most frequent kind of query, cached by the number of accounts."""
    return _ranked(_by_words(_visible(accounts), sqlite=sqlite), order=order)


def _by_date(asked: Sequence[ColumnElement[bool]]) -> Select[int, float]:
    """The newest mails."""
    return (
        select(_MESSAGES.c.number.label("number"), literal(0.0).label("score"))
        .where(*asked)
        .order_by(_MESSAGES.c.date_at.desc(), _MESSAGES.c.number.desc())
        .limit(RANKED + 1)
    )


def _by_words(asked: Sequence[ColumnElement[bool]], *, sqlite: bool) -> Select[int, float]:
    """The newest mails that match the words."""
    lookup = INDEX.prepared("match", sqlite=sqlite)
    of_match = _MESSAGES.c.number == lookup.number
    return (
        select(lookup.number.label("number"), lookup.score.label("score"))
        .select_from(lookup.source)
        .where(
            lookup.matches,
            lookup.number.between(_LEAST, _GREATEST),
            lookup.kept(of_match, *asked),
        )
        .order_by(lookup.number.desc())
        .limit(RANKED + 1)
    )


@cache
def _visible(accounts: int) -> tuple[ColumnElement[bool], ...]:
    # Separate parameters: SQLAlchemy would expand a list again for each search.
    each = [bindparam(f"account{place}") for place in range(accounts)]
    return (
        _MESSAGES.c.account_id.in_(each),
        _MESSAGES.c.workspace_id == bindparam("workspace"),
        _MESSAGES.c.gone_at.is_(None),
        _MESSAGES.c.places.bitwise_and(bindparam("unwanted", type_=Integer)) == 0,
        _MESSAGES.c.date_at >= bindparam("after", type_=UtcDateTime),
        _MESSAGES.c.date_at < bindparam("before", type_=UtcDateTime),
    )


def _ranked(newest: Select[int, float], *, order: Order) -> Select[*tuple[Any, ...]]:
    """The best of the ranked mails; only these are read whole."""
    few = newest.subquery("few")
    age = (bindparam("now", type_=BigInteger) - few.c.number) / _PER_SECOND
    fresh = few.c.score * (1 + 1 / (1 + age / _FADES))
    rank = (few.c.number if order == "newest" else fresh).label("rank")
    best = (
        select(few.c.number, rank, func.count().over().label("found"))
        .order_by(rank.desc(), few.c.number.desc())
        .limit(bindparam("limit", type_=Integer))
        .offset(bindparam("offset", type_=Integer))
        .subquery("best")
    )
    return (
        select(*_SHOWN, best.c.found)
        .join(best, best.c.number == _MESSAGES.c.number)
        .order_by(best.c.rank.desc(), best.c.number.desc())
    )


def _hits(rows: Sequence[Row[Any]], tree: Node) -> list[MailHit]:
    subject, body = Marker(tree, field="subject"), Marker(tree, field="body")
    return [
        MailHit(row, subject.marked(row.subject), body.snippet(row.text, row.snippet))
        for row in rows
    ]


async def _now(session: AsyncSession, query: str) -> datetime:
    """The present time in the office's time zone."""
    if "before:" in query.lower() or "after:" in query.lower():
        return clock.now().astimezone(ZoneInfo(await filter_cache.zone(session)))
    return clock.now()
