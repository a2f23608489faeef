"""All SQL of diagnostics, over the tables of cases and runs."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Select,
    String,
    Subquery,
    and_,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.artifacts import repository as artifacts
from bailiwick.artifacts.models import Artifact
from bailiwick.cases.models import Case
from bailiwick.diagnostics.lines import RunTrace
from bailiwick.diagnostics.models import DeletedTrace
from bailiwick.errors import NotFound
from bailiwick.identity.models import User
from bailiwick.kit.db.chunks import chunks
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.mail.models import MailMessage, Routing
from bailiwick.runs.models import ProviderEvent, Run, RunCall, RunMessage
from bailiwick.runs.states import LIVE, RunStatus
from bailiwick.workspaces.models import Workspace

GONE = "There are no such diagnostics, or they were deleted."
# Of mail that no fetch brought.
NO_CYCLE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceQuery:
    """Which work is asked for."""

    director_id: str | None = None
    cycle_id: str | None = None
    states: Collection[RunStatus] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoundCycle:
    """A fetch cycle: when its work began, and what its directors' runs are."""

    id: str
    at: datetime
    ended_at: datetime
    states: dict[str, int]
    sums: dict[str, int]


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A line, before it is made: where it is and when it was."""

    id: str
    at: datetime
    run_id: str


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What a run came to, in numbers."""

    calls: int = 0
    failed: int = 0
    latency_ms: int = 0
    model: str | None = None


async def cycles(
    session: AsyncSession, query: TraceQuery, page: PageRequest
) -> Rows[tuple[str, datetime]]:
    """The fetch cycles that have work to show, newest first."""
    found = (
        select(Case.cycle_id.label("id"), func.min(Run.created_at).label("at"))
        .select_from(Run)
        .join(Case, Case.id == Run.case_id)
        .where(Run.parent_id.is_(None), *_asked(query))
        .group_by(Case.cycle_id)
    )
    return await _keyset(session, found.subquery(), page)


async def counted(
    session: AsyncSession, query: TraceQuery, ids: Collection[str]
) -> dict[str, FoundCycle]:
    """What the directors' runs of some cycles are, in numbers."""
    statement = (
        select(
            Case.cycle_id,
            Run.status,
            Run.parent_id.is_(None),
            func.count(),
            func.min(Run.created_at),
            func.max(Run.updated_at),
            func.sum(Run.api_calls),
            func.sum(Run.input_tokens),
            func.sum(Run.output_tokens),
            func.sum(Run.money),
        )
        .join(Case, Case.id == Run.case_id)
        .where(Case.cycle_id.in_(ids), *_asked(replace(query, states=())))
        .group_by(Case.cycle_id, Run.status, Run.parent_id.is_(None))
    )
    rows: defaultdict[str, list[Any]] = defaultdict(list)
    for row in await session.execute(statement):
        rows[row[0]].append(row)
    return {id: _cycle(id, found) for id, found in rows.items()}


def _cycle(id: str, rows: Sequence[Any]) -> FoundCycle:
    roots = [row for row in rows if row[2]]
    return FoundCycle(
        id,
        min(row[4] for row in rows),
        max(row[5] for row in rows),
        {row[1]: row[3] for row in roots},
        {
            "directors": sum(row[3] for row in roots),
            "agents": sum(row[3] for row in rows if not row[2]),
            "model_calls": int(sum(row[6] for row in rows)),
            "input_tokens": int(sum(row[7] for row in rows)),
            "output_tokens": int(sum(row[8] for row in rows)),
            "money": int(sum(row[9] for row in rows)),
        },
    )


async def directors_of(
    session: AsyncSession, query: TraceQuery, cycle_ids: Collection[str], *, most: int
) -> Sequence[Run]:
    """The newest directors' runs of each of some cycles, at most so many of one."""
    place = func.row_number().over(
        partition_by=Case.cycle_id, order_by=(Run.created_at.desc(), Run.id.desc())
    )
    numbered = (
        select(Run.id.label("id"), place.label("place"))
        .join(Case, Case.id == Run.case_id)
        .where(Case.cycle_id.in_(cycle_ids), Run.parent_id.is_(None), *_asked(query))
        .subquery()
    )
    statement = select(Run).join(numbered, numbered.c.id == Run.id).where(numbered.c.place <= most)
    ordered = statement.order_by(Run.created_at.desc(), Run.id.desc())
    return (await session.scalars(ordered)).all()


async def directors(session: AsyncSession, query: TraceQuery, page: PageRequest) -> Rows[Run]:
    """Directors' runs, newest first."""
    statement = (
        select(Run)
        .join(Case, Case.id == Run.case_id)
        .where(Run.parent_id.is_(None), *_asked(query))
    )
    return await paginate(session, statement, page, by=(Run.created_at, Run.id))


async def below(session: AsyncSession, roots: Sequence[Run]) -> Sequence[Run]:
    """The sessions of agents that some directors' runs led to, oldest first."""
    found: list[Run] = []
    ids = [run.id for run in roots]
    while ids:
        children: list[Run] = []
        for some in chunks(ids):
            under = select(Run).where(Run.parent_id.in_(some), _is_kept(Run.updated_at))
            children += await session.scalars(under)
        found += children
        ids = [run.id for run in children]
    return sorted(found, key=lambda run: (run.created_at, run.id))


async def root_of(session: AsyncSession, run: Run) -> Run:
    """The director's run that a session of an agent came of."""
    while run.parent_id and (parent := await session.get(Run, run.parent_id)):
        run = parent
    return run


async def run(session: AsyncSession, id: str) -> Run:
    """A run on a case whose diagnostics are there, or `NotFound`."""
    of_case = Run.case_id.is_not(None)
    statement = select(Run).where(Run.id == id, of_case, _is_kept(Run.updated_at))
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def cycle_of(session: AsyncSession, run: Run) -> str | None:
    """The fetch cycle that a run's work came of."""
    return await session.scalar(select(Case.cycle_id).where(Case.id == run.case_id))


async def cases(session: AsyncSession, runs: Sequence[Run]) -> dict[str, Case]:
    """The cases that runs work on, by id."""
    found: dict[str, Case] = {}
    for some in chunks({run.case_id for run in runs}):
        rows = await session.scalars(select(Case).where(Case.id.in_(some)))
        found |= {case.id: case for case in rows}
    return found


async def names(session: AsyncSession, runs: Sequence[Run]) -> dict[str, str]:
    """What the agents of runs are called."""
    return await agents.names(session, {run.agent_id for run in runs})


async def figures(session: AsyncSession, run_ids: Collection[str]) -> dict[str, RunFigures]:
    """The tool calls and model calls of runs, in numbers."""
    calls: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    models: dict[str, tuple[int, str]] = {}
    for some in chunks(run_ids):
        counted = select(RunCall.run_id, RunCall.status, func.count()).where(
            RunCall.run_id.in_(some)
        )
        for id, status, count in await session.execute(
            counted.group_by(RunCall.run_id, RunCall.status)
        ):
            calls[id][0] += count
            calls[id][1] += count if status in ("denied", "failed", "unknown") else 0
        asked = select(
            ProviderEvent.run_id,
            func.sum(ProviderEvent.latency_ms),
            func.max(ProviderEvent.model),
        ).where(ProviderEvent.run_id.in_(some))
        for id, latency, model in await session.execute(asked.group_by(ProviderEvent.run_id)):
            models[id] = (int(latency or 0), model)
    found: dict[str, RunFigures] = {}
    for id in run_ids:
        (many, failed), (latency, model) = calls.get(id, (0, 0)), models.get(id, (0, None))
        found[id] = RunFigures(many, failed, latency, model)
    return found


async def traces(session: AsyncSession, roots: Sequence[Run]) -> list[RunTrace]:
    """All that directors' runs, and the agents below them, keep."""
    every = [*roots, *await below(session, roots)]
    trees: defaultdict[str, list[Run]] = defaultdict(list)
    tops = {run.id: run.id for run in roots}
    for run in every:
        tops[run.id] = tops.get(run.parent_id or "", run.id)
        trees[tops[run.id]].append(run)
    calls: defaultdict[str, list[RunCall]] = defaultdict(list)
    said: defaultdict[str, list[RunMessage]] = defaultdict(list)
    events: defaultdict[str, list[ProviderEvent]] = defaultdict(list)
    deleted: dict[str, datetime] = {}
    for some in chunks(run.id for run in every):
        for call in await session.scalars(select(RunCall).where(RunCall.run_id.in_(some))):
            calls[call.run_id].append(call)
        final = RunMessage.tool_call_id.is_not(None) | _is_final()
        messages = select(RunMessage).where(RunMessage.run_id.in_(some), final)
        for message in await session.scalars(messages):
            said[message.run_id].append(message)
        for event in await session.scalars(
            select(ProviderEvent).where(ProviderEvent.run_id.in_(some))
        ):
            events[event.run_id].append(event)
        gone = select(DeletedTrace).where(DeletedTrace.run_id.in_(some))
        deleted |= {each.node_id: each.at for each in await session.scalars(gone)}
    known, called = await cases(session, every), await names(session, every)
    items: defaultdict[str, list[Artifact]] = defaultdict(list)
    for item in await artifacts.of_cases(session, list(known)):
        items[item.case_id or ""].append(item)
    return [
        RunTrace(
            case=known[root.case_id or ""],
            root=root,
            runs=trees[root.id],
            names=called,
            calls=calls,
            said=said,
            events=events,
            items=items[root.case_id or ""],
            deleted=deleted,
        )
        for root in roots
    ]


async def roots_of(session: AsyncSession, run_ids: Collection[str]) -> list[Run]:
    """The directors' runs that some runs are, or came of; each once."""
    found: dict[str, Run] = {}
    for some in chunks(run_ids):
        for run in await session.scalars(select(Run).where(Run.id.in_(some))):
            root = await root_of(session, run)
            found[root.id] = root
    return list(found.values())


async def mail(session: AsyncSession, case: Case) -> MailMessage | None:
    """The mail that a case is about, while it is there."""
    statement = select(MailMessage).where(MailMessage.id == case.message_id)
    return (await session.scalars(statement)).one_or_none()


async def moments(session: AsyncSession, query: TraceQuery, page: PageRequest) -> Rows[LinePlace]:
    """Lines, newest first: where they are. `lines` has the same ids."""
    rows = await _keyset(session, _moments(query).subquery(), page)
    return Rows(
        [LinePlace(id, at, id.partition(".")[0]) for id, at in rows.rows],
        token=rows.token,
        total=rows.total,
        size=rows.size,
    )


def _moments(query: TraceQuery) -> CompoundSelect[str, Any]:
    begun = func.coalesce(Run.started_at, Run.created_at)
    called = func.coalesce(RunCall.started_at, RunCall.finished_at, Run.updated_at)
    call_id = Run.id + ".c" + cast(RunCall.number, String)
    said_id = Run.id + ".m" + cast(RunMessage.position, String)
    of_director = and_(Run.parent_id.is_(None), Run.status == "completed")
    return union_all(
        _some(query, Run.id + ".a", begun),
        _some(query, Run.id + ".z", Run.completed_at).where(Run.completed_at.is_not(None)),
        _some(query, Run.id + ".r", Run.completed_at).where(
            Run.completed_at.is_not(None), of_director
        ),
        _some(query, call_id, called).join(RunCall, RunCall.run_id == Run.id),
        _some(query, said_id, RunMessage.created_at)
        .join(RunMessage, RunMessage.run_id == Run.id)
        .where(_is_final()),
        _some(query, Run.id + "." + ProviderEvent.id, ProviderEvent.at).join(
            ProviderEvent, ProviderEvent.run_id == Run.id
        ),
    )


def _some(query: TraceQuery, id: ColumnElement[str], at: Any) -> Select[str, Any]:
    gone = exists(select(DeletedTrace.node_id).where(DeletedTrace.node_id == id))
    return (
        select(id.label("id"), at.label("at"))
        .select_from(Run)
        .join(Case, Case.id == Run.case_id)
        .where(*_asked(query, line=at), ~gone)
    )


def _is_final() -> ColumnElement[bool]:
    """Whether a message is what an agent answers in the end, and no step on the way."""
    return and_(
        RunMessage.role == "assistant",
        RunMessage.tool_calls.is_(None),
        RunMessage.kind == "message",
    )


async def _keyset(
    session: AsyncSession, found: Subquery, page: PageRequest
) -> Rows[tuple[str, datetime]]:
    """One page of rows that have an id and a time, newest first."""
    total = await session.scalar(select(func.count()).select_from(found))
    statement = select(found.c.id, found.c.at)
    if position := page.position():
        at, id = position
        later = or_(found.c.at < at, and_(found.c.at == at, found.c.id < id))
        statement = statement.where(later)
    ordered = statement.order_by(found.c.at.desc(), found.c.id.desc()).limit(page.size + 1)
    rows = [(row[0], row[1]) for row in await session.execute(ordered)]
    more, rows = len(rows) > page.size, rows[: page.size]
    token = page.token_after(rows[-1][1], rows[-1][0]) if more else None
    return Rows(rows, token=token, total=total or 0, size=page.size)


def _asked(query: TraceQuery, *, line: Any = None) -> list[ColumnElement[bool]]:
    """What is asked for and was not deleted: runs, or lines that are at some time."""
    at = Run.created_at if line is None else line
    found = [_is_kept(Run.updated_at if line is None else line)]
    if query.director_id:
        found.append(Case.director_id == query.director_id)
    if query.cycle_id:
        found.append(Case.cycle_id == stored_cycle(query.cycle_id))
    if query.states:
        found.append(Run.status.in_(query.states))
    if query.since:
        found.append(at >= query.since)
    if query.until:
        found.append(at < query.until)
    return found


def stored_cycle(id: str) -> str:
    """A cycle's id as it is stored: mail that no fetch brought has none."""
    return "" if id == NO_CYCLE else id


def _is_kept(at: Any) -> ColumnElement[bool]:
    """Whether something is later than what was deleted of its run."""
    statement = select(DeletedTrace.node_id).where(
        DeletedTrace.node_id == Run.id, DeletedTrace.at >= at
    )
    return ~exists(statement.correlate(Run, RunCall, RunMessage, ProviderEvent))


def among(ids: Collection[str]) -> ColumnElement[bool]:
    """Where a run is one of some."""
    return Run.id.in_(ids)


def of_cycle(id: str) -> ColumnElement[bool]:
    """Where a run is of a fetch cycle."""
    return Run.case_id.in_(select(Case.id).where(Case.cycle_id == stored_cycle(id)))


def of_any_case(before: datetime | None) -> ColumnElement[bool]:
    """Where a run is of a case, and was last touched before a moment if one is given."""
    of_case = Run.case_id.is_not(None)
    return and_(of_case, Run.updated_at < before) if before else of_case


async def forget_runs(session: AsyncSession, which: ColumnElement[bool], at: datetime) -> int:
    """Delete the lines of runs, and what of theirs went to models; how many runs that were."""
    runs = select(Run.id).where(which, Run.case_id.is_not(None), _is_kept(Run.updated_at))
    ids = list((await session.scalars(runs)).all())
    for some in chunks(ids):
        await session.execute(delete(DeletedTrace).where(DeletedTrace.run_id.in_(some)))
        rows = select(Run.id, Run.id, literal(at, DeletedTrace.at.type)).where(Run.id.in_(some))
        names = ("node_id", "run_id", "at")
        await session.execute(insert(DeletedTrace).from_select(names, rows))
        # The figures stay: what was spent was spent.
        await session.execute(
            update(ProviderEvent).where(ProviderEvent.run_id.in_(some)).values(payload={})
        )
    return len(ids)


async def forget_line(session: AsyncSession, run_id: str, id: str, at: datetime) -> None:
    """Delete one line, and what went to a model or came from it if it tells of that."""
    session.add(DeletedTrace(node_id=id, run_id=run_id, at=at))
    event = id.partition(".")[2]
    await session.execute(
        update(ProviderEvent)
        .where(ProviderEvent.id == event, ProviderEvent.run_id == run_id)
        .values(payload={})
    )


async def office_counts(session: AsyncSession) -> dict[str, int]:
    """How much there is of everything."""
    tables = {
        "users": User,
        "workspaces": Workspace,
        "accounts": Account,
        "agents": Agent,
        "mails": MailMessage,
        "routed": Routing,
        "cases": Case,
        "items": Artifact,
        "runs": Run,
        "tool_calls": RunCall,
        "provider_events": ProviderEvent,
    }
    found = {
        name: await session.scalar(select(func.count()).select_from(table)) or 0
        for name, table in tables.items()
    }
    live = select(func.count()).select_from(Run).where(Run.status.in_(LIVE))
    return {**found, "runs_under_way": await session.scalar(live) or 0}
