"""Searching: words and fields over the accounts that the caller may see.

What a search costs is bounded whatever is looked for: of a word that most mails hold, only the
newest matches are ranked. They are ranked by where the words stand, how rare they are and how
recent the mail is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Float, Row, Select, Subquery, and_, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.kit import clock
from bailiwick.mail import numbers
from bailiwick.mail.filters import books
from bailiwick.mail.listing import LISTED
from bailiwick.mail.models import Message
from bailiwick.mail.search import conditions, language
from bailiwick.mail.search.conditions import Asked
from bailiwick.mail.search.index import INDEX
from bailiwick.mail.search.language import Node
from bailiwick.mail.search.snippets import Marker, Piece

RANKED = 300
Order = Literal["best", "newest"]
# A mail of today counts twice as much as one of long ago; one of a month ago, half of that more.
_FADES = 30 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A mail that was found, and where it holds what was looked for."""

    message: Row[Any]  # of the columns of `listing.LISTED`
    subject: Sequence[Piece]
    snippet: Sequence[Piece]

    @property
    def id(self) -> str:
        """The id of the mail."""
        return self.message.id


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found; `total` counts no further than what is ranked, and `more` says so."""

    items: Sequence[Hit]
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
) -> Hits:
    """What a query finds in these accounts of a workspace."""
    if offset + limit > RANKED:
        raise Invalid.field("q", f"finds too much to go on so far: after {RANKED} say more exactly")
    tree = language.parse(query, now=await _now(session, query))
    known = await conditions.names(session, tree, account_ids)
    wanted = conditions.asked(session, tree, known)
    scope = (workspace_id, account_ids)
    statement = _statement(session, wanted, scope, order=order, page=(limit, offset))
    rows = (await session.execute(statement)).all()
    total = rows[0].found if rows else 0
    return Hits(_hits(rows, tree), min(total, RANKED), more=total > RANKED)


def _statement(
    session: AsyncSession,
    wanted: Asked,
    scope: tuple[str, Sequence[str]],
    *,
    order: Order,
    page: tuple[int, int],
) -> Select[*tuple[Any, ...]]:
    workspace_id, account_ids = scope
    after, before = (one and one.moment for one in (wanted.after, wanted.before))
    least, greatest = numbers.span(workspace_id, after=after, before=before)
    visible = and_(
        Message.account_id.in_(account_ids),
        Message.workspace_id == workspace_id,
        Message.gone_at.is_(None),
        *wanted.conditions,
    )
    if wanted.words is None:
        score: ColumnElement[float] = literal(0.0)
        newest = select(Message.number.label("number"), score.label("score")).where(
            visible, Message.number.between(least, greatest)
        )
        by = Message.number
    else:
        lookup = INDEX.lookup(session, wanted.words)
        score = lookup.score if order == "best" else literal(0.0)
        newest = (
            select(lookup.number.label("number"), score.label("score"))
            .select_from(lookup.source)
            .join(Message, Message.number == lookup.number)
            .where(lookup.matches, lookup.number.between(least, greatest), visible)
        )
        by = lookup.number
    few = newest.order_by(by.desc()).limit(RANKED + 1).subquery("few")
    if wanted.words is None or order == "newest":
        return _page(few, few.c.number, page)
    now = numbers.span(workspace_id, before=clock.now())[1]
    age = (now - few.c.number) / literal(float(numbers.PER_SECOND), Float)
    return _page(few, few.c.score * (1 + 1 / (1 + age / _FADES)), page)


def _page(
    few: Subquery, rank: ColumnElement[Any], page: tuple[int, int]
) -> Select[*tuple[Any, ...]]:
    """The best of a few; only they are looked at as a whole."""
    limit, offset = page
    best = (
        select(few.c.number, rank.label("rank"), func.count().over().label("found"))
        .order_by(rank.desc(), few.c.number.desc())
        .limit(limit)
        .offset(offset)
        .subquery("best")
    )
    return (
        select(*LISTED, Message.text, best.c.found)
        .join(best, best.c.number == Message.number)
        .order_by(best.c.rank.desc(), best.c.number.desc())
    )


def _hits(rows: Sequence[Row[Any]], tree: Node) -> list[Hit]:
    subject, body = Marker(tree, field="subject"), Marker(tree, field="body")
    return [
        Hit(row, subject.marked(row.subject), body.snippet(row.text, row.snippet)) for row in rows
    ]


async def _now(session: AsyncSession, query: str) -> datetime:
    """The present in the office's own zone, which only days depend on."""
    if "before:" in query.lower() or "after:" in query.lower():
        return clock.now().astimezone(ZoneInfo(await books.zone(session)))
    return clock.now()
