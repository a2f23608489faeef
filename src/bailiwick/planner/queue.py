"""The task queue: a task is given to an agent, a run does it, and reports."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import clock, eventlog
from bailiwick.planner.models import Task
from bailiwick.tools.trust import Label

CHANGED = "task.changed"


async def reported(
    session: AsyncSession, task_id: str, *, run_id: str, report: str, done: bool, label: Label
) -> None:
    """Store a run's report on its task; a later run's report replaces it.

    The run's trust label goes with the report, not with the task: the title keeps its own.
    """
    task = await session.get(Task, task_id, with_for_update=True)
    if task is None or task.run_id != run_id:
        return
    task.state = "done" if done else "failed"
    task.report, task.report_label = report, label
    # A deleted task may be restored, so it gets the report too.
    if done and task.deleted_at is None:
        task.completed_at = task.completed_at or clock.now()
    task.revision += 1
    task.updated_at = clock.now()
    emit(session, task)


def emit(session: AsyncSession, task: Task) -> None:
    """Record that a task changed."""
    eventlog.record(
        session,
        eventlog.Event(
            CHANGED,
            audience=(audience.workspace(task.workspace_id),),
            workspace_id=task.workspace_id,
            subject_id=task.id,
        ),
    )
