"""Verbs of schedules.

A schedule acts in the name of whoever made it. So admins of the workspace can switch it off or
remove it, but not change what it does or set it going: they would act as someone else.
"""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.agents import repository as agents
from bailiwick.errors import Conflict, Forbidden, Invalid, NotFound, RuleViolated
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
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
    """Change some of a schedule's values; others than its owner can only switch it off."""
    row = await _own(session, who, id, but=dict(values) == {"enabled": False})
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
    row = await _own(session, who, id, but=True)
    await session.delete(row)
    _record(session, who.actor, REMOVED, row, before=described(row))


async def own(session: AsyncSession, who: Principal, id: str) -> Schedule:
    """One's own schedule, held."""
    return await _own(session, who, id, but=False)


def switch_off(session: AsyncSession, row: Schedule, why: str) -> None:
    """Switch off what cannot run any more, and say why."""
    before = described(row)
    row.enabled, row.last_error = False, why
    _record(session, changes.SYSTEM, CHANGED, row, before=before, after=described(row))


def described(row: Schedule) -> dict[str, Any]:
    """What the change record keeps."""
    return {name: getattr(row, name) for name in _RECORDED}


def viewers(row: Schedule) -> tuple[str, ...]:
    """Who may see a schedule."""
    own = (audience.user(row.user_id),) if row.user_id else ()
    return (*own, audience.workspace_admins(row.workspace_id))


async def _own(session: AsyncSession, who: Principal, id: str, *, but: bool) -> Schedule:
    seen = await repository.get(session, who, id)
    # Whoever may no longer write here can still stop what runs in their name.
    access = await enter(session, who, seen.workspace_id, need="read" if but else "write")
    if seen.user_id != who.user_id and not (but and access.role == "admin"):
        raise Forbidden("Only whoever made it can do this: it acts in their name.")
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
        to=viewers(row),
        workspace=row.workspace_id,
    )
