"""A query as SQL: words go to the index, everything else to the messages' table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, and_, exists, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.kit.db import fulltext
from bailiwick.kit.db.fulltext import Each, Either, Expression, Without
from bailiwick.mail import folder_roles
from bailiwick.mail.models import MailFolder, MailMessage, Placement
from bailiwick.mail.search.index import INDEX
from bailiwick.mail.search.language import (
    All,
    Any,
    HasAttachment,
    HasState,
    InField,
    Node,
    Not,
    Since,
    Text,
    Thing,
    Until,
    fault,
)

SqlCondition = ColumnElement[bool]
_ANYWHERE = "anywhere"
_ALSO = {"spam": "junk", "bin": "trash", "starred": "flagged"}
_SHOWN_CHOICES = 12


@dataclass(frozen=True, slots=True)
class Asked:
    """A query in SQL."""

    words: Expression | None  # the index, or None for a scan by date
    conditions: list[SqlCondition]
    unwanted: int  # the roles of folders that are left out
    after: Since | None  # the dates that apply to the whole query
    before: Until | None


@dataclass(slots=True)
class Names:
    """The folders and accounts that a query can name."""

    folders: list[MailFolder] = field(default_factory=list[MailFolder])
    accounts: list[Account] = field(default_factory=list[Account])


async def names(session: AsyncSession, query: Node, account_ids: Sequence[str]) -> Names:
    """The folders and accounts that a query may name; no SQL runs if it names none."""
    found, things = Names(), {node.thing for node in _walk(query) if isinstance(node, InField)}
    if things & {"in", "label"}:
        statement = (
            select(MailFolder)
            .where(MailFolder.account_id.in_(account_ids))
            .order_by(MailFolder.title)
        )
        found.folders = list(await session.scalars(statement))
    if "account" in things:
        wanted = select(Account).where(Account.id.in_(account_ids)).order_by(Account.label)
        found.accounts = list(await session.scalars(wanted))
    return found


def asked(session: AsyncSession, query: Node, known: Names) -> Asked:
    """The SQL of a query."""
    parts = query.parts if isinstance(query, All) else (query,)
    words = _text(query if _text(query) else All(tuple(part for part in parts if _is_text(part))))
    after = next((part for part in parts if isinstance(part, Since)), None)
    before = next((part for part in parts if isinstance(part, Until)), None)
    rest = [part for part in parts if not (words and _is_text(part))]
    to_sql = _Conditions(session, known).of
    anywhere = any(isinstance(node, InField) and node.thing == "in" for node in _walk(query))
    return Asked(
        words,
        [to_sql(part) for part in rest if part is not after and part is not before],
        0 if anywhere else folder_roles.DISCARDED,
        after=after,
        before=before,
    )


class _Conditions:
    def __init__(self, session: AsyncSession, known: Names) -> None:
        self._session = session
        self._known = known

    def of(self, node: Node) -> SqlCondition:
        if expression := _text(node):
            lookup = INDEX.lookup(self._session, expression)
            found = select(lookup.number).select_from(lookup.source).where(lookup.matches)
            return MailMessage.number.in_(found)
        return self._of(node)

    def _of(self, node: Node) -> SqlCondition:
        match node:
            case HasState(column, value):
                return getattr(MailMessage, column).is_(value)
            case HasAttachment():
                return MailMessage.has_attachment.is_(True)
            case Since(moment):
                return MailMessage.date_at >= moment
            case Until(moment):
                return MailMessage.date_at < moment
            case InField():
                return self._named(node)
            case Not(part):
                return not_(self.of(part))
            case All(parts):
                return and_(*(self.of(part) for part in parts))
            case Any(parts):
                return or_(*(self.of(part) for part in parts))
            case Text():
                raise AssertionError("words are always asked of the index")

    def _named(self, node: InField) -> SqlCondition:
        name = node.name.casefold()
        if node.thing == "account":
            return MailMessage.account_id.in_(self._accounts(node, name))
        if node.thing == "in":
            if name == _ANYWHERE:
                return MailMessage.places != 0
            role = _ALSO.get(name, name)
            if role in folder_roles.ROLES:
                return MailMessage.places.bitwise_and(folder_roles.bit(role)) != 0
        return self._in_folder(node, name)

    def _accounts(self, node: InField, name: str) -> list[str]:
        accounts = self._known.accounts
        found = [
            one.id for one in accounts if name in (one.label.casefold(), one.address.casefold())
        ]
        return found or _unknown(node, "an account", [one.label for one in accounts])

    def _in_folder(self, node: InField, name: str) -> SqlCondition:
        folders = self._known.folders
        found = [one.id for one in folders if one.title.casefold() == name]
        found = found or _unknown(node, _WORDS[node.thing], [one.title for one in folders])
        return exists().where(
            Placement.number == MailMessage.number, Placement.folder_id.in_(found)
        )


_WORDS: dict[Thing, str] = {"in": "a folder", "label": "a label", "account": "an account"}


def _unknown(node: InField, what: str, choices: Sequence[str]) -> list[str]:
    shown = list(dict.fromkeys(choices))
    listed = ", ".join(shown[:_SHOWN_CHOICES]) + (" …" if len(shown) > _SHOWN_CHOICES else "")
    there = f"; there are {listed}" if listed else ""
    raise fault(f"{node.thing}:{node.name}", node.position, f"is not the name of {what}{there}")


def _text(node: Node) -> Expression | None:
    """The node as an expression of the index alone, if it is one."""
    match node:
        case Text(words, fields, prefix):
            return fulltext.MatchWords(words, fields, prefix)
        case Any(parts):
            return _joined(Either, [_text(part) for part in parts])
        case All(parts):
            wanted = [_text(part) for part in parts if not isinstance(part, Not)]
            unwanted = [_text(part.part) for part in parts if isinstance(part, Not)]
            positive = _joined(Each, wanted)
            if positive is None or not unwanted:
                return positive
            negative = _joined(Either, unwanted)
            return Without(positive, negative) if negative else None
        case _:
            return None


def _joined(
    make: Callable[[tuple[Expression, ...]], Expression], parts: Sequence[Expression | None]
) -> Expression | None:
    known = tuple(part for part in parts if part is not None)
    if not parts or len(known) < len(parts):
        return None
    return known[0] if len(known) == 1 else make(known)


def _is_text(node: Node) -> bool:
    return _text(node.part if isinstance(node, Not) else node) is not None


def _walk(node: Node) -> list[Node]:
    match node:
        case All(parts) | Any(parts):
            return [node, *(each for part in parts for each in _walk(part))]
        case Not(part):
            return [node, *_walk(part)]
        case _:
            return [node]
