"""All SQL of cases."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bailiwick.accounts.reader import Reader
from bailiwick.agents.models import Agent
from bailiwick.cases import states
from bailiwick.cases.models import Case
from bailiwick.cases.states import CaseState
from bailiwick.errors import NotFound
from bailiwick.gate.trust import reads
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.mail.models import MailMessage, Routing
from bailiwick.runs.models import Run, RunCall

GONE = "That case does not exist, or you may not see it."


@dataclass(frozen=True, slots=True)
class ListedCase:
    """A case, how it stands, and the names that are shown with it."""

    case: Case
    state: CaseState
    run: Run | None
    director_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseQuery:
    """Which cases a list shows."""

    workspace_id: str | None = None
    director_id: str | None = None
    message_id: str | None = None
    account_id: str | None = None
    cycle_id: str | None = None
    states: Collection[CaseState] = ()
    words: str = ""
    deleted: bool = False


async def get(
    session: AsyncSession, reader: Reader, id: str, *, deleted: bool = False, lock: bool = False
) -> Case:
    """A case that someone may see, or `NotFound`."""
    statement = select(Case).where(Case.id == id, *_seen(reader))
    if not deleted:
        statement = statement.where(Case.deleted_at.is_(None))
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def shown(session: AsyncSession, reader: Reader, id: str) -> ListedCase:
    """A case with its state, also one that was removed; or `NotFound`."""
    statement = _joined().where(Case.id == id, *_seen(reader))
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise NotFound(GONE)
    return _listed(row)


async def listed(
    session: AsyncSession, reader: Reader, query: CaseQuery, page: PageRequest
) -> Rows[ListedCase]:
    """Cases, newest first."""
    statement = select(Case).outerjoin(Run, Run.id == Case.run_id)
    wanted = statement.where(*_seen(reader), *_asked(query))
    rows = await paginate(session, wanted, page, by=(Case.created_at, Case.id))
    found = await session.execute(_joined().where(Case.id.in_([case.id for case in rows.rows])))
    known = {row[0].id: _listed(row) for row in found}
    return Rows(
        [known[case.id] for case in rows.rows], token=rows.token, total=rows.total, size=rows.size
    )


async def counted(session: AsyncSession, reader: Reader, query: CaseQuery) -> dict[str, int]:
    """How many cases are in each state."""
    state = states.state().label("state")
    statement = (
        select(state, func.count())
        .select_from(Case)
        .outerjoin(Run, Run.id == Case.run_id)
        .where(*_seen(reader), *_asked(query))
        .group_by(state)
    )
    return {row[0]: row[1] for row in await session.execute(statement)}


async def of_run(session: AsyncSession, run_id: str) -> tuple[Case, Run] | None:
    """The case that a run works on, and that run."""
    statement = (
        select(Case, Run)
        .join(Run, Run.case_id == Case.id)
        .where(Run.id == run_id, Case.deleted_at.is_(None))
    )
    row = (await session.execute(statement)).one_or_none()
    return (row[0], row[1]) if row else None


async def unopened(
    session: AsyncSession, account_id: str, *, limit: int
) -> Sequence[tuple[Routing, MailMessage]]:
    """Mails of an account that were routed and have no case yet, oldest first."""
    statement = (
        select(Routing, MailMessage)
        .join(MailMessage, MailMessage.id == Routing.message_id)
        .where(Routing.opened_at.is_(None), MailMessage.account_id == account_id)
        .order_by(Routing.routed_at, MailMessage.number, Routing.director_id)
        .limit(limit)
    )
    return [(row[0], row[1]) for row in await session.execute(statement)]


async def accounts_with_unopened(session: AsyncSession) -> Sequence[str]:
    """The accounts that have mail which was routed and has no case yet."""
    statement = (
        select(MailMessage.account_id)
        .join(Routing, Routing.message_id == MailMessage.id)
        .where(Routing.opened_at.is_(None))
        .distinct()
    )
    return (await session.scalars(statement)).all()


async def is_known(session: AsyncSession, case: Case) -> bool:
    """Whether this director has the mail already, from this account or another of its owner's."""
    same_mail = or_(
        Case.digest == case.digest,
        Case.message_id == case.message_id,
    )
    statement = select(Case.id).where(
        Case.owner_id == case.owner_id, Case.director_id == case.director_id, same_mail
    )
    return (await session.scalars(statement.limit(1))).one_or_none() is not None


async def of_message(session: AsyncSession, reader: Reader, message_id: str) -> Sequence[str]:
    """The cases of a mail."""
    statement = select(Case.id).where(
        Case.message_id == message_id, Case.deleted_at.is_(None), *_seen(reader)
    )
    return (await session.scalars(statement.order_by(Case.created_at, Case.id))).all()


async def matching(session: AsyncSession, reader: Reader, query: CaseQuery) -> Sequence[str]:
    """The ids of all cases that a list would show and that are the reader's own."""
    own = Case.account_id.in_([id for id, right in reader.accounts.items() if right == "own"])
    statement = select(Case.id).outerjoin(Run, Run.id == Case.run_id)
    return (await session.scalars(statement.where(own, *_seen(reader), *_asked(query)))).all()


async def locked(session: AsyncSession, ids: Collection[str]) -> Sequence[Case]:
    """Cases by id, held until the transaction ends."""
    statement = select(Case).where(Case.id.in_(ids)).order_by(Case.id).with_for_update()
    return (await session.scalars(statement.execution_options(populate_existing=True))).all()


async def of_deletion(session: AsyncSession, reader: Reader, deletion: str) -> Sequence[Case]:
    """The cases that were removed together."""
    statement = select(Case).where(Case.deletion == deletion, *_seen(reader))
    return (await session.scalars(statement.order_by(Case.id).with_for_update())).all()


async def live_runs(session: AsyncSession, case_ids: Collection[str]) -> Sequence[str]:
    """The runs that lead cases and are not over."""
    statement = select(Run.id).where(
        Run.case_id.in_(case_ids),
        Run.parent_id.is_(None),
        Run.status.in_(("pending", "running", "waiting")),
    )
    return (await session.scalars(statement)).all()


async def refusals(
    session: AsyncSession, case_ids: Collection[str]
) -> dict[str, list[tuple[str, str]]]:
    """The calls that were refused in the newest run of each case: the tool, and why.

    What a model got wrong by itself is left out: arguments and tools that there are not.
    """
    leads = aliased(Run)
    statement = (
        select(Case.id, RunCall.tool, RunCall.reason)
        .join(leads, leads.id == Case.run_id)
        .join(Run, and_(Run.case_id == Case.id, Run.created_at >= leads.created_at))
        .join(RunCall, RunCall.run_id == Run.id)
        .where(
            Case.id.in_(case_ids),
            RunCall.status == "denied",
            RunCall.code.not_in(("invalid_arguments", "unknown_tool")),
        )
        .order_by(Run.created_at, RunCall.number)
    )
    found: dict[str, list[tuple[str, str]]] = {}
    for id, tool, reason in await session.execute(statement):
        told = found.setdefault(id, [])
        if (tool, reason or "") not in told:
            told.append((tool, reason or ""))
    return found


async def ended_early(session: AsyncSession, run_ids: Collection[str]) -> set[str]:
    """Those of some runs that were over before their work was."""
    statement = select(Run.id).where(
        Run.id.in_(run_ids), Run.status.in_(("failed", "expired", "cancelled"))
    )
    return set((await session.scalars(statement)).all()) if run_ids else set()


async def deleted_before(session: AsyncSession, moment: datetime, *, limit: int) -> Sequence[str]:
    """Cases that were removed before a moment."""
    statement = select(Case.id).where(Case.deleted_at < moment).limit(limit)
    return (await session.scalars(statement)).all()


async def of_account(session: AsyncSession, account_id: str, *, limit: int) -> Sequence[str]:
    """Cases that came of an account's mail."""
    statement = select(Case.id).where(Case.account_id == account_id).limit(limit)
    return (await session.scalars(statement)).all()


async def erase(session: AsyncSession, ids: Collection[str]) -> None:
    """Remove cases for good, with the runs that led them and what these have read."""
    runs = (await session.scalars(select(Run.id).where(Run.case_id.in_(ids)))).all()
    await reads.forget(session, runs)
    await session.execute(delete(Run).where(Run.case_id.in_(ids)))
    await session.execute(delete(Case).where(Case.id.in_(ids)))


def _joined() -> Select[Case, CaseState, Run, str]:
    return (
        select(Case, states.state(), Run, Agent.name)
        .outerjoin(Run, Run.id == Case.run_id)
        .outerjoin(Agent, Agent.id == Case.director_id)
    )


def _listed(row: object) -> ListedCase:
    case, state, run, name = row  # pyright: ignore[reportGeneralTypeIssues]
    return ListedCase(case, state, run, name or "a director that is gone")


def _seen(reader: Reader) -> list[ColumnElement[bool]]:
    return [reader.sees_account(Case.account_id)]


def _asked(query: CaseQuery) -> list[ColumnElement[bool]]:
    equal = {
        Case.workspace_id: query.workspace_id,
        Case.director_id: query.director_id,
        Case.message_id: query.message_id,
        Case.account_id: query.account_id,
        Case.cycle_id: query.cycle_id,
    }
    found: list[ColumnElement[bool]] = [
        column == value for column, value in equal.items() if value is not None
    ]
    if query.states:
        found.append(states.state().in_(query.states))
    for word in query.words.split()[:8]:
        like = f"%{word.replace('%', '').replace('_', '')}%"
        columns = (Case.subject, Case.sender_name, Case.sender_address)
        found.append(or_(*(column.ilike(like) for column in columns)))
    removed = Case.deleted_at.is_not(None) if query.deleted else Case.deleted_at.is_(None)
    return [*found, removed]
