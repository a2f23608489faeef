"""Schedules as they are shown."""

from bailiwick.kit import clock
from bailiwick.kit.engine.schedules import Timing, in_words
from bailiwick.runs.schedules.models import Schedule
from bailiwick.runs.schedules.repository import About
from bailiwick.runs.schedules.schemas import AgentScheduleOut, SchedulePreviewOut

_TIMES = 5
_OWN = (
    "agent_name",
    "in_words",
    "time_zone",
    "next_at",
    "last_run_status",
)


def of(row: Schedule, about: About) -> AgentScheduleOut:
    """A schedule as its owner sees it."""
    names = AgentScheduleOut.model_fields.keys() - set(_OWN)
    run = about.runs.get(row.last_run_id or "")
    return AgentScheduleOut(
        **{name: getattr(row, name) for name in names},
        agent_name=about.agents.get(row.agent_id, "an agent that is gone"),
        in_words=in_words(row.cron),
        time_zone=row.zone,
        next_at=row.due.next(clock.now()) if row.enabled else None,
        last_run_status=run.status if run else None,
    )


def preview(timing: Timing) -> SchedulePreviewOut:
    """What a timing means, and when it would be due."""
    times = [timing.next(clock.now())]
    while len(times) < _TIMES:
        times.append(timing.next(times[-1]))
    return SchedulePreviewOut(
        in_words=in_words(timing.cron), cron=timing.cron, time_zone=timing.zone, times=times
    )
