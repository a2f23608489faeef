"""All SQL of runs."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    case,
    delete,
    func,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.errors import NotFound
from bailiwick.gate.models import Approval
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.runs.models import ProviderEvent, Run, RunCall, RunMessage
from bailiwick.runs.states import LIVE, RunKind
from bailiwick.runs.transcript import CUT_OFF

_GONE = "That session does not exist, or you may not see it."


async def get(session: AsyncSession, who: Principal, id: str) -> Run:
    """A run that someone may see: they started it."""
    statement = await _seen(session, select(Run).where(Run.id == id), who)
    run = (await session.scalars(statement)).one_or_none()
    if run is None:
        raise NotFound(_GONE)
    return run


async def locked(session: AsyncSession, id: str) -> Run | None:
    """A run, held until the transaction ends."""
    statement = select(Run).where(Run.id == id).with_for_update()
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return found.one_or_none()


async def listed(
    session: AsyncSession,
    who: Principal,
    page: PageRequest,
    *,
    workspace_id: str | None = None,
    agent_id: str | None = None,
    statuses: Collection[str] = (),
    kind: str | None = None,
    task_id: str | None = None,
    schedule_id: str | None = None,
    parent_id: str | None = None,
) -> Rows[Run]:
    """Runs, newest first."""
    equal = {
        Run.workspace_id: workspace_id,
        Run.agent_id: agent_id,
        Run.kind: kind,
        Run.task_id: task_id,
        Run.schedule_id: schedule_id,
        Run.parent_id: parent_id,
    }
    conditions: list[ColumnElement[bool]] = [
        column == value for column, value in equal.items() if value is not None
    ]
    if statuses:
        conditions.append(Run.status.in_(statuses))
    statement = await _seen(session, select(Run).where(*conditions), who)
    return await paginate(session, statement, page, by=(Run.created_at, Run.id))


async def messages(session: AsyncSession, run_id: str, *, after: int = -1) -> Sequence[RunMessage]:
    """The transcript, or what came after a position."""
    statement = select(RunMessage).where(RunMessage.run_id == run_id, RunMessage.position > after)
    return (await session.scalars(statement.order_by(RunMessage.position))).all()


async def keep_sent(session: AsyncSession, row: RunMessage) -> None:
    """Store what the model got in place of a message."""
    place = (RunMessage.run_id == row.run_id, RunMessage.position == row.position)
    values = {"sent": row.sent, "files": row.files}
    await session.execute(update(RunMessage).where(*place).values(values))


async def calls(
    session: AsyncSession, run_id: str, *, statuses: Collection[str] = ()
) -> Sequence[RunCall]:
    """The tool calls of a run, in the order in which they were wanted."""
    statement = select(RunCall).where(RunCall.run_id == run_id)
    if statuses:
        statement = statement.where(RunCall.status.in_(statuses))
    found = await session.scalars(
        statement.order_by(RunCall.number).execution_options(populate_existing=True)
    )
    return found.all()


async def waiting_for(session: AsyncSession, approval_id: str) -> Sequence[RunCall]:
    """The calls that wait for an approval."""
    statement = select(RunCall).where(
        RunCall.approval_id == approval_id, RunCall.status == "waiting"
    )
    return (await session.scalars(statement)).all()


async def is_waited_for(session: AsyncSession, approval_ids: Collection[str]) -> set[str]:
    """Those of the approvals that runs wait for."""
    statement = select(RunCall.approval_id).where(
        RunCall.approval_id.in_(approval_ids), RunCall.status == "waiting"
    )
    return {id for id in await session.scalars(statement) if id}


async def asked_at_length(session: AsyncSession, ids: Collection[str], most: int) -> set[str]:
    """Those of the runs that are sessions of a person, begun with more than so many characters."""
    statement = select(Run.id).where(
        Run.id.in_(ids),
        Run.kind == "session",
        Run.parent_id.is_(None),
        func.length(Run.words) > most,
    )
    return set(await session.scalars(statement))


async def last_words(session: AsyncSession, run_id: str) -> str:
    """What the model said last in a run; what was cut off and gone on with is one."""
    said = (RunMessage.role == "assistant") | (RunMessage.content == CUT_OFF)
    statement = (
        select(RunMessage.role, RunMessage.content)
        .where(RunMessage.run_id == run_id, said)
        .order_by(RunMessage.position.desc())
        .limit(20)
    )
    words, goes_on = "", True
    for role, content in await session.execute(statement):
        if role == "assistant":
            if not goes_on:
                break
            words, goes_on = content + words, False
        else:
            goes_on = True
    return words


async def open_child(session: AsyncSession, run_id: str, agent_id: str) -> Run | None:
    """The session that a run has with an agent and that was not ended; locked."""
    statement = select(Run).where(
        Run.parent_id == run_id, Run.agent_id == agent_id, Run.ended_at.is_(None)
    )
    latest = statement.order_by(Run.created_at.desc()).limit(1).with_for_update()
    return (await session.scalars(latest)).one_or_none()


async def asked_before(session: AsyncSession, run: Run, agent_id: str, id: str) -> Run | None:
    """A session with an agent that this run, or another one for the same person, has or had."""
    statement = select(Run).where(
        Run.id == id,
        Run.agent_id == agent_id,
        Run.workspace_id == run.workspace_id,
        Run.user_id == run.user_id if run.user_id else Run.user_id.is_(None),
        Run.parent_id.is_not(None),
    )
    return (await session.scalars(statement.with_for_update())).one_or_none()


async def is_parent_over(session: AsyncSession, run: Run) -> bool:
    """Whether the run that asked for this one has ended."""
    if run.parent_id is None:
        return False
    return await session.scalar(select(Run.status).where(Run.id == run.parent_id)) not in LIVE


async def askers(session: AsyncSession, run: Run) -> Sequence[Run]:
    """The run, the one that asked for it, the one that asked for that, and so on."""
    chain = [run]
    while (above := chain[-1].parent_id) and (parent := await session.get(Run, above)):
        chain.append(parent)
    return chain


async def end_sessions(session: AsyncSession, run_ids: Collection[str], at: datetime) -> list[str]:
    """End the sessions with agents that some runs have, but those at work; all of their ids."""
    of_these = Run.parent_id.in_(run_ids)
    open_ones = (of_these, Run.ended_at.is_(None), Run.status.not_in(LIVE))
    ended = case((Run.expires_at < at, Run.expires_at), else_=at)
    await session.execute(
        update(Run)
        .where(*open_ones)
        .values(ended_at=ended)
        .execution_options(synchronize_session=False)
    )
    return list((await session.scalars(select(Run.id).where(of_these))).all())


async def end_expired(session: AsyncSession, now: datetime) -> None:
    """End the sessions with agents to whom nobody spoke in time."""
    late = (Run.ended_at.is_(None), Run.expires_at <= now)
    await session.execute(
        update(Run)
        .where(*late)
        .values(ended_at=Run.expires_at)
        .execution_options(synchronize_session=False)
    )


async def children(session: AsyncSession, run_id: str) -> Sequence[Run]:
    """The runs that a run started."""
    statement = select(Run).where(Run.parent_id == run_id).order_by(Run.created_at, Run.id)
    return (await session.scalars(statement)).all()


async def live_of_agent(session: AsyncSession, agent_id: str) -> Sequence[str]:
    """The runs of an agent that are not over."""
    statement = select(Run.id).where(Run.agent_id == agent_id, Run.status.in_(LIVE))
    return (await session.scalars(statement)).all()


async def provider_events(
    session: AsyncSession, run_id: str, page: PageRequest
) -> Rows[ProviderEvent]:
    """What went to models and came from them, newest first."""
    statement = select(ProviderEvent).where(ProviderEvent.run_id == run_id)
    return await paginate(session, statement, page, by=(ProviderEvent.at, ProviderEvent.id))


async def spent_since(
    session: AsyncSession, at: datetime, *, user_id: str | None
) -> Sequence[Row[datetime, str, str, str, int, int, int | None, int, int, int, bool]]:
    """What each call of a model used since a moment, whole or not, for someone; None: anyone."""
    statement = select(
        ProviderEvent.at,
        ProviderEvent.agent_id,
        ProviderEvent.model_id,
        ProviderEvent.model,
        ProviderEvent.input_tokens,
        ProviderEvent.output_tokens,
        ProviderEvent.money,
        ProviderEvent.cache_read_tokens,
        ProviderEvent.cache_write_tokens,
        ProviderEvent.saved,
        ProviderEvent.estimated,
    ).where(
        (ProviderEvent.kind == "response") | (ProviderEvent.input_tokens > 0),
        ProviderEvent.at >= at,
    )
    if user_id:
        statement = statement.where(ProviderEvent.user_id == user_id)
    return (await session.execute(statement)).all()


async def forget_provider_events(session: AsyncSession, before: datetime) -> None:
    """Drop what went to models and came from them before a moment."""
    await session.execute(delete(ProviderEvent).where(ProviderEvent.at < before))


async def count_completed(session: AsyncSession, agent_id: str) -> int:
    """How many runs of an agent came to their end."""
    return await session.scalar(select(func.count()).where(*_completed(agent_id))) or 0


async def average(session: AsyncSession, agent_id: str, *, of: int = 20) -> tuple[float, float]:
    """Input and output tokens of an agent's latest finished runs; zero if there are none."""
    latest = (
        select(Run.input_tokens, Run.output_tokens)
        .where(*_completed(agent_id))
        .order_by(Run.created_at.desc())
        .limit(of)
        .subquery()
    )
    row = (
        await session.execute(
            select(func.avg(latest.c.input_tokens), func.avg(latest.c.output_tokens))
        )
    ).one()
    return float(row[0] or 0), float(row[1] or 0)


def _completed(agent_id: str) -> tuple[ColumnElement[bool], ...]:
    return Run.agent_id == agent_id, Run.status == "completed", ~Run.dry


async def _seen(session: AsyncSession, statement: Select[Run], who: Principal) -> Select[Run]:
    reader = await reader_of(session, who)
    return statement.where(reader.owns(Run.user_id), Run.workspace_id.in_(reader.workspaces))


async def under_way(session: AsyncSession) -> Sequence[tuple[str, int, str]]:
    """Every run that should be going on: its id, its segment and its agent."""
    statement = select(Run.id, Run.segment, Run.agent_id).where(
        Run.status.in_(("pending", "running")), Run.segment > 0
    )
    return [(id, segment, agent_id) for id, segment, agent_id in await session.execute(statement)]


async def not_begun(
    session: AsyncSession, *, kind: RunKind, after: Run | None, limit: int
) -> Sequence[Run]:
    """Runs that are queued and that nobody has taken up yet, oldest first, after one of them."""
    statement = select(Run).where(
        Run.status == "pending", Run.kind == kind, Run.started_at.is_(None), Run.segment > 0
    )
    if after:
        place = (after.created_at, after.id)
        statement = statement.where(tuple_(Run.created_at, Run.id) > tuple_(*place))
    found = await session.scalars(statement.order_by(Run.created_at, Run.id).limit(limit))
    return found.all()


async def answered_unheard(session: AsyncSession) -> Sequence[str]:
    """The approvals that were answered while a call still waits for them."""
    statement = (
        select(Approval.id)
        .join(RunCall, RunCall.approval_id == Approval.id)
        .where(RunCall.status == "waiting", Approval.status.not_in(("pending", "allowed")))
        .distinct()
    )
    return (await session.scalars(statement)).all()
