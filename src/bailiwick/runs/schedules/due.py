"""What happens when a schedule is due: its agent is set to work in the name of whoever made it.

For each time one run begins, whatever crashes and however many processes there are: the row is held
while it does, and knows the last time for which one was begun.
"""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.agents.models import Agent
from bailiwick.errors import BailiwickError
from bailiwick.gate import people
from bailiwick.gate.call import Caller
from bailiwick.identity.principal import OPERATOR
from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.office import Office
from bailiwick.runs import service as runs
from bailiwick.runs import start as run_start
from bailiwick.runs.models import Run
from bailiwick.runs.schedules import repository, service
from bailiwick.runs.schedules.models import Schedule
from bailiwick.runs.start import RunOwner, RunRequest
from bailiwick.runs.tasks.assign import starting_failed
from bailiwick.tools.scope import Scope

FAILED = "schedule.failed"
_LEFT = "The person for whom it runs has left the workspace, or was switched off."
_GONE = "Its agent was removed, or is no longer shared with the person for whom it runs."
_BUSY = "The run before was still at work, so this time was left out."


async def due(office: Office, id: str, moment: datetime) -> str:
    """Start the run that is due at a moment; says what was done."""
    storage, now = office.storage, await runs.office_now(office)
    person = await _person(office, id)
    async with storage.app.write() as session:
        row = await repository.locked(session, id)
        if row is None or not row.enabled or not row.due.has(moment):
            return "not due"
        if row.last_due_at and row.last_due_at >= moment:
            return "begun before"
        row.last_due_at, row.last_error = moment, None
        await _begin(session, row, person, now=now)
        return row.last_error or "begun"


async def _begin(
    session: AsyncSession, row: Schedule, person: Caller | None, *, now: datetime
) -> None:
    agent = await agents.by_id(session, row.agent_id)
    if why := _hindrance(row, agent, person):
        service.switch_off(session, row, why)
        return
    assert agent
    assert person
    before = await session.get(Run, row.last_run_id) if row.last_run_id else None
    if before and before.status in ("pending", "running"):
        _fail(session, row, _BUSY)
        return
    try:
        async with session.begin_nested():
            await start(session, row, agent, person.scope, now=now)
    except BailiwickError as error:
        # Such as a variable of its prompt that nobody gives a value to.
        _fail(session, row, starting_failed(error))


async def start(
    session: AsyncSession, row: Schedule, agent: Agent, scope: Scope, *, now: datetime
) -> Run:
    """A run of a schedule, which is held, within what its person may do."""
    whom = RunOwner(row.user_id, row.user_name, scope, present=row.in_person)
    request = RunRequest(words=row.words, kind="schedule", schedule_id=row.id)
    run = await run_start.start(session, agent, whom, request, now=now)
    row.last_run_id, row.last_error = run.id, None
    return run


async def _person(office: Office, id: str) -> Caller | None:
    """The person for whom a schedule runs, as they are now."""
    storage = office.storage
    async with storage.app.read() as session:
        row = await session.get(Schedule, id)
    if row is None:
        return None
    return await people.find_user(office, row.user_id or OPERATOR.id, row.workspace_id)


def _hindrance(row: Schedule, agent: Agent | None, person: Caller | None) -> str | None:
    """Why it cannot run any more."""
    if person is None:
        return _LEFT
    if agent is None or agent.deleted_at or agent.workspace_id != row.workspace_id:
        return _GONE
    admin = "workspace:admin" in person.roles
    if not (agent.shared or agent.owner_id == person.id or admin):
        return _GONE
    return None if agent.active else f"{agent.name} was switched off."


def _fail(session: AsyncSession, row: Schedule, why: str) -> None:
    row.last_error = why
    eventlog.record(
        session,
        eventlog.Event(
            FAILED,
            audience=(audience.user(row.user_id or OPERATOR.id),),
            workspace_id=row.workspace_id,
            subject_id=row.id,
            data={"agentId": row.agent_id},
        ),
    )
