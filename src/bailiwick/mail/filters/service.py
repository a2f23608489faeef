"""Verbs of filters. A change is in force for the next mail that comes in."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import reader_of
from bailiwick.errors import Conflict, Invalid, RuleViolated
from bailiwick.feature import Fact
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes
from bailiwick.instance.changes import Values
from bailiwick.kit import clock, ids
from bailiwick.kit.patterns import BadPattern
from bailiwick.mail.filters import compiled as filter_compiled
from bailiwick.mail.filters import repository
from bailiwick.mail.models import Filter
from bailiwick.workspaces.access import enter

MOST = 1000
# All patterns of a workspace together, as `compiled.LARGEST` is for one.
MOST_WORK = 100_000
CREATED, CHANGED, REMOVED = "filter.created", "filter.changed", "filter.removed"
REORDERED = "filter.reordered"
_RECORDED = ("name", "field", "pattern", "director_id", "account_id", "enabled")
Directors = Callable[[AsyncSession, str, Collection[str]], Awaitable[Mapping[str, str]]]


# Those of some directors that mail of an account may reach.
Taking = Callable[[AsyncSession, Account, Collection[str]], Awaitable[Collection[str]]]


@dataclass(frozen=True, slots=True)
class KnowsDirectors(Fact):
    """Knows which of some agents are directors of a workspace, and which mail reaches them."""

    names: Directors
    taking: Taking


async def create(
    session: AsyncSession,
    who: Principal,
    workspace_id: str,
    *,
    values: Values,
    directors: KnowsDirectors,
) -> Filter:
    """A new filter, behind those that there are."""
    access = await enter(session, who, workspace_id, need="write")
    reader = await reader_of(session, who)
    known = await repository.everything(session, access.id, reader.id)
    if len(known) >= MOST:
        raise RuleViolated(f"There are {MOST} filters here already. Remove one first.")
    row = Filter(
        **values,
        id=ids.new("flt"),
        workspace_id=access.id,
        owner_id=reader.id,
        position=known[-1].position + 1 if known else 1,
        created_at=clock.now(),
    )
    _touch(row, known)
    await _check(session, row, [*known, row], directors=directors)
    session.add(row)
    _record(session, who.actor, CREATED, row, after=described(row))
    return row


async def change(
    session: AsyncSession, who: Principal, id: str, *, values: Values, directors: KnowsDirectors
) -> Filter:
    """Change some of a filter, or switch it on or off."""
    known, row = await _held(session, who, id)
    before = described(row)
    for name, value in values.items():
        setattr(row, name, value)
    if (after := described(row)) != before:
        changed = {name for name in after if after[name] != before[name]}
        # Whatever is wrong with it, it can be switched off, and renamed.
        if changed - {"name", "enabled"} or (row.enabled and "enabled" in changed):
            with session.no_autoflush:
                await _check(session, row, known, directors=directors)
        _touch(row, known)
        _record(session, who.actor, CHANGED, row, before=before, after=after)
    return row


async def remove(session: AsyncSession, who: Principal, id: str) -> None:
    """Take a filter away; what it routed stays routed."""
    _, row = await _held(session, who, id)
    await session.delete(row)
    _record(session, who.actor, REMOVED, row, before=described(row))


async def reorder(
    session: AsyncSession, who: Principal, workspace_id: str, *, order: Sequence[str]
) -> None:
    """Put all of one's filters in a workspace into another order."""
    access = await enter(session, who, workspace_id, need="write")
    reader = await reader_of(session, who)
    rows = {row.id: row for row in await repository.everything(session, access.id, reader.id)}
    _check_order(order, rows)
    before = list(rows)
    if before == list(order):
        return
    for place, id in enumerate(order, start=1):
        rows[id].position = place
    _touch(rows[order[0]], list(rows.values()))
    changes.record(
        session,
        who.actor,
        action=REORDERED,
        subject=access.id,
        before={"order": before},
        after={"order": list(order)},
        workspace=access.id,
        owner=reader.id,
    )


async def agent_removed(session: AsyncSession, actor: changes.Actor, agent_id: str) -> None:
    """Switch off the filters of a removed director; what they match goes to nobody."""
    for row in await repository.of_director(session, agent_id):
        known = await repository.everything(session, row.workspace_id, row.owner_id)
        before = described(row)
        row.enabled = False
        _touch(row, known)
        _record(session, actor, CHANGED, row, before=before, after=described(row))


def compiled(regex: str) -> filter_compiled.Pattern:
    """The compiled pattern, or an error with its offset."""
    try:
        return filter_compiled.compile(regex)
    except BadPattern as error:
        raise Invalid.field("regex", str(error)) from None


async def check_account(
    session: AsyncSession, workspace_id: str, owner_id: str, account_id: str | None
) -> None:
    """An account of one's own in the workspace, or none."""
    if account_id is None:
        return
    account = await session.get(Account, account_id)
    here = account is not None and account.workspace_id == workspace_id
    if account is None or not here or account.owner_id != owner_id:
        raise Invalid.field("accountId", "you have no such account in this workspace")


def described(row: Filter) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(row, name) for name in _RECORDED}


async def _held(session: AsyncSession, who: Principal, id: str) -> tuple[list[Filter], Filter]:
    seen = await repository.get(session, await reader_of(session, who), id)
    access = await enter(session, who, seen.workspace_id, need="write")
    known = await repository.everything(session, access.id, seen.owner_id)
    for row in known:
        if row.id == id:
            return known, row
    raise Conflict("The filter was removed meanwhile.")


async def _check(
    session: AsyncSession, row: Filter, known: Sequence[Filter], *, directors: KnowsDirectors
) -> None:
    compiled(row.pattern)
    await check_account(session, row.workspace_id, row.owner_id, row.account_id)
    if row.director_id not in await directors.names(session, row.workspace_id, [row.director_id]):
        raise Invalid.field("directorId", "there is no such director in this workspace")
    await _check_reach(session, row, directors.taking)
    if sum(_work(each.pattern) for each in known if each.enabled) > MOST_WORK:
        raise Invalid.field(
            "regex",
            "together with the other filters it takes too much work on a long mail; "
            "let it repeat less, or switch another one off",
        )


async def _check_reach(session: AsyncSession, row: Filter, taking: Taking) -> None:
    """The mail that a filter looks at must be such as its director may have."""
    named = [row.account_id] if row.account_id else None
    looked_at = await repository.accounts(session, row.workspace_id, row.owner_id, ids=named)
    if not looked_at or any(
        [await taking(session, account, [row.director_id]) for account in looked_at]
    ):
        return
    if row.account_id:
        raise Invalid.field("accountId", "its director does not have this account")
    raise Invalid.field("directorId", "this director has none of your accounts")


def _record(
    session: AsyncSession,
    actor: changes.Actor,
    action: str,
    row: Filter,
    *,
    before: Values | None = None,
    after: Values | None = None,
) -> None:
    changes.record(
        session,
        actor,
        action=action,
        subject=row.id,
        before=before,
        after=after,
        workspace=row.workspace_id,
        owner=row.owner_id,
    )


def _work(pattern: str) -> int:
    try:
        return filter_compiled.compile(pattern).size
    except BadPattern:
        return 0


def _check_order(order: Sequence[str], rows: Mapping[str, Filter]) -> None:
    twice = (
        {id for id in order if order.count(id) > 1} if len({*order}) < len(order) else set[str]()
    )
    faults = [
        f"{id} {words}"
        for ids, words in (
            (twice, "is named twice"),
            ({*order} - rows.keys(), "is not there any more"),
            (rows.keys() - {*order}, "is missing"),
        )
        for id in sorted(ids)
    ]
    if faults:
        problems = "; ".join(faults[:5])
        raise Conflict(f"Name every filter of the workspace once: {problems}. Load them again.")


def _touch(row: Filter, known: Sequence[Filter]) -> None:
    """Give it the newest time even if the clock was set back, because caches compare times."""
    newer = [each.updated_at + timedelta(microseconds=1) for each in known]
    row.updated_at = max([clock.now(), *newer])
