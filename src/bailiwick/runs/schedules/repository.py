"""All SQL of schedules."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import reader_of
from bailiwick.agents import repository as agents
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import PageRequest, Rows, paginate
from bailiwick.runs.models import Run
from bailiwick.runs.schedules.models import Schedule


@dataclass(frozen=True, slots=True)
class About:
    """What is shown beside schedules."""

    agents: dict[str, str]
    runs: dict[str, Run]


async def get(session: AsyncSession, who: Principal, id: str) -> Schedule:
    """A schedule that someone may see: their own, or of a workspace that they are an admin of."""
    statement = await _seen(session, select(Schedule).where(Schedule.id == id), who)
    row = (await session.scalars(statement)).one_or_none()
    if row is None:
        raise NotFound("That schedule does not exist, or you may not see it.")
    return row


async def locked(session: AsyncSession, id: str) -> Schedule | None:
    """A schedule, held until the transaction ends."""
    statement = select(Schedule).where(Schedule.id == id).with_for_update()
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return found.one_or_none()


async def listed(
    session: AsyncSession,
    who: Principal,
    page: PageRequest,
    *,
    workspace_id: str | None,
    agent_id: str | None,
) -> Rows[Schedule]:
    """Schedules that someone may see, newest first."""
    statement = await _seen(session, select(Schedule), who)
    if workspace_id:
        statement = statement.where(Schedule.workspace_id == workspace_id)
    if agent_id:
        statement = statement.where(Schedule.agent_id == agent_id)
    return await paginate(session, statement, page, by=(Schedule.created_at, Schedule.id))


async def all_enabled(session: AsyncSession) -> Sequence[Schedule]:
    """Every schedule that is on."""
    return (await session.scalars(select(Schedule).where(Schedule.enabled))).all()


async def count(session: AsyncSession, workspace_id: str) -> int:
    """How many schedules a workspace has."""
    statement = select(func.count()).where(Schedule.workspace_id == workspace_id)
    return await session.scalar(statement) or 0


async def about(session: AsyncSession, rows: Collection[Schedule]) -> About:
    """The names of their agents, and their latest runs."""
    ids = [row.last_run_id for row in rows if row.last_run_id]
    found = await session.scalars(select(Run).where(Run.id.in_(ids))) if ids else []
    names = await agents.names(session, {row.agent_id for row in rows})
    return About(names, {run.id: run for run in found})


async def _seen(
    session: AsyncSession, statement: Select[Schedule], who: Principal
) -> Select[Schedule]:
    reader = await reader_of(session, who)
    here = Schedule.workspace_id.in_(reader.workspaces)
    return statement.where(reader.owns(Schedule.user_id), here)
