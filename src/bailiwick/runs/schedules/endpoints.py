"""REST of schedules: an agent set to work again and again, in one's own name."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.identity.access import SignedIn
from bailiwick.kit.engine.schedules import local_zone
from bailiwick.kit.http.database import ReadSession, Stores, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.office import Office, TheOffice
from bailiwick.runs import service as run_service
from bailiwick.runs import views as run_views
from bailiwick.runs.schedules import due, repository, service, views
from bailiwick.runs.schedules.models import Schedule
from bailiwick.runs.schedules.schemas import (
    AgentScheduleIn,
    AgentScheduleOut,
    AgentSchedulePatch,
    ScheduleId,
    SchedulePreviewIn,
    SchedulePreviewOut,
    SchedulesQuery,
)
from bailiwick.runs.schemas import RunOut

router = APIRouter(prefix="/schedules", tags=["schedules"], route_class=IdempotentRoute)


async def _seen(schedule_id: ScheduleId, who: SignedIn, stores: Stores) -> str:
    async with stores.app.read() as session:
        return (await repository.get(session, who, schedule_id)).id


SeenSchedule = Annotated[str, Depends(_seen)]


@router.get("")
async def list_schedules(
    who: SignedIn,
    session: ReadSession,
    page: PageQuery,
    query: Annotated[SchedulesQuery, Query()],
) -> Page[AgentScheduleOut]:
    """One's own schedules, newest first."""
    rows = await repository.listed(
        session, who, page, workspace_id=query.workspace_id, agent_id=query.agent_id
    )
    about = await repository.about(session, rows.rows)
    return rows.map(lambda row: views.of(row, about))


@router.post("", status_code=201)
async def create_schedule(
    body: AgentScheduleIn, who: SignedIn, session: WriteSession, office: TheOffice
) -> AgentScheduleOut:
    """Let an agent set to work at given times, in one's own name."""
    values = body.model_dump(exclude={"workspace_id", "time_zone"})
    values["zone"] = body.time_zone or await _office_zone(office)
    row = await service.create(session, who, body.workspace_id, values=values)
    return await _shown(session, row)


@router.post("/preview")
async def preview_schedule(
    body: SchedulePreviewIn, _: SignedIn, office: TheOffice
) -> SchedulePreviewOut:
    """What a timing means, and when it would be due next."""
    zone = body.time_zone or await _office_zone(office)
    return views.preview(service.understood(body.timing, zone))


@router.get("/{schedule_id}")
async def read_schedule(id: SeenSchedule, who: SignedIn, session: ReadSession) -> AgentScheduleOut:
    """One schedule."""
    return await _shown(session, await repository.get(session, who, id))


@router.patch("/{schedule_id}")
async def change_schedule(
    body: AgentSchedulePatch,
    id: SeenSchedule,
    who: SignedIn,
    session: WriteSession,
    office: TheOffice,
) -> AgentScheduleOut:
    """Change a schedule, or switch it on or off; admins of the workspace can switch it off."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "time_zone" in values:
        values["zone"] = values.pop("time_zone") or await _office_zone(office)
    return await _shown(session, await service.change(session, who, id, values=values))


@router.delete("/{schedule_id}", status_code=204)
async def remove_schedule(id: SeenSchedule, who: SignedIn, session: WriteSession) -> None:
    """Take a schedule away; its runs are kept."""
    await service.remove(session, who, id)


@router.post("/{schedule_id}/run", status_code=201)
async def run_schedule(
    id: SeenSchedule, who: SignedIn, session: WriteSession, office: TheOffice
) -> RunOut:
    """Start a run of it now, as if it were due."""
    row = await service.own(session, who, id)
    agent = (await agents.get(session, who, row.agent_id)).agent
    person = await run_service.person_of(session, who, row.workspace_id)
    now = await run_service.office_now(office)
    run = await due.start(session, row, agent, person.scope, now=now)
    return (await run_views.of_runs(session, [run]))[run.id]


async def _office_zone(office: Office) -> str:
    return (await office.changeable.current()).time_zone or local_zone()


async def _shown(session: AsyncSession, row: Schedule) -> AgentScheduleOut:
    return views.of(row, await repository.about(session, [row]))
