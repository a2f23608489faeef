"""Verbs of schedules.

A schedule acts in the name of whoever made it, and is theirs alone.
"""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.errors import Conflict, Invalid, NotFound, RuleViolated
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.instance import changes
from bailiwick.instance.changes import Actor, Values
from bailiwick.kit import clock, ids
from bailiwick.kit.engine.schedules import EXAMPLES, NoSchedule, Timing, is_zone, parse
from bailiwick.runs.schedules import repository
from bailiwick.runs.schedules.models import Schedule
from bailiwick.workspaces.access import enter

MOST = 100
CREATED, CHANGED, REMOVED = "schedule.created", "schedule.changed", "schedule.removed"
_RECORDED = ("agent_id", "name", "words", "timing", "zone", "enabled")


def understood(timing: str, zone: str) -> Timing:
    """What a person wrote, or what is wrong with it."""
    if not is_zone(zone):
        raise Invalid.field("timeZone", "is no time zone; write for example Europe/Vienna")
    try:
        return parse(timing, zone=zone)
    except NoSchedule as refused:
        message = str(refused)
        message = message if EXAMPLES in message else f"{message}; write for example {EXAMPLES}"
        raise Invalid.field("timing", message) from None


async def create(
    session: AsyncSession, who: Principal, workspace_id: str, *, values: Values
) -> Schedule:
    """A schedule of one's own; `values` has the zone."""
    access = await enter(session, who, workspace_id, need="write")
    if await repository.count(session, access.id) >= MOST:
        raise RuleViolated(f"There are {MOST} schedules here already. Remove one first.")
    now = clock.now()
    row = Schedule(
        **values,
        id=ids.new("sch"),
        workspace_id=access.id,
        cron=understood(values["timing"], values["zone"]).cron,
        user_id=who.user_id,
        user_name=who.name,
        in_person=who.is_person_present,
        created_at=now,
        updated_at=now,
        since=now,
    )
    await _check_agent(session, who, row)
    session.add(row)
    await session.flush()
    _record(session, who.actor, CREATED, row, after=described(row))
    return row


async def change(session: AsyncSession, who: Principal, id: str, *, values: Values) -> Schedule:
    """Change some of a schedule's values."""
    row = await _own(session, who, id, stops=dict(values) == {"enabled": False})
    before = described(row)
    for name, value in values.items():
        setattr(row, name, value)
    if (after := described(row)) == before:
        return row
    row.cron = understood(row.timing, row.zone).cron
    if before["agent_id"] != row.agent_id or (row.enabled and not before["enabled"]):
        await _check_agent(session, who, row)
    if before["words"] != row.words:
        row.in_person = who.is_person_present
    elif before["agent_id"] != row.agent_id:
        row.in_person = row.in_person and who.is_person_present
    row.updated_at = clock.now()
    if any(before[name] != after[name] for name in ("timing", "zone", "enabled")):
        row.since, row.last_error = row.updated_at, None
    _record(session, who.actor, CHANGED, row, before=before, after=after)
    return row


async def remove(session: AsyncSession, who: Principal, id: str) -> None:
    """Take a schedule away; its runs are kept."""
    row = await _own(session, who, id, stops=True)
    await session.delete(row)
    _record(session, who.actor, REMOVED, row, before=described(row))


async def own(session: AsyncSession, who: Principal, id: str) -> Schedule:
    """One's own schedule, held."""
    return await _own(session, who, id, stops=False)


def switch_off(session: AsyncSession, row: Schedule, why: str) -> None:
    """Switch off what cannot run any more, and say why."""
    before = described(row)
    row.enabled, row.last_error = False, why
    _record(session, changes.SYSTEM, CHANGED, row, before=before, after=described(row))


def described(row: Schedule) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(row, name) for name in _RECORDED}


async def _own(session: AsyncSession, who: Principal, id: str, *, stops: bool) -> Schedule:
    seen = await repository.get(session, who, id)
    # Whoever may no longer write here can still stop what runs in their name.
    await enter(session, who, seen.workspace_id, need="read" if stops else "write")
    row = await repository.locked(session, id)
    if row is None:
        raise NotFound("The schedule was taken away meanwhile.")
    return row


async def _check_agent(session: AsyncSession, who: Principal, row: Schedule) -> None:
    try:
        agent = (await agents.get(session, who, row.agent_id)).agent
    except NotFound as error:
        raise Invalid.field("agentId", error.detail) from None
    if agent.workspace_id != row.workspace_id:
        raise Invalid.field("agentId", f"{agent.name} works in another workspace")
    if row.enabled and not agent.active:
        raise Conflict(f"{agent.name} is switched off. Switch it on first.")


def _record(
    session: AsyncSession,
    actor: Actor,
    action: str,
    row: Schedule,
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
        owner=row.user_id or OPERATOR.id,
    )
