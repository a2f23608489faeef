"""A task that is deleted, by whomever: what an agent is doing for it ends."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.runs import repository as runs
from bailiwick.runs import service
from bailiwick.runs.states import LIVE
from bailiwick.runs.tasks import repository

DROPPED = "task.dropped"
_MESSAGE = "Its task was deleted."


async def stop_runs(storage: Storage) -> None:
    """End the runs of tasks that are gone, and those that they started."""
    async with storage.app.read() as session:
        ended = list(await repository.runs_of_deleted(session))
        for id in [*ended]:
            ended += [child.id for child in await runs.children(session, id)]
    for id in ended:
        async with storage.app.write() as session:
            run = await runs.locked(session, id)
            if run and run.status in LIVE:
                await service.stop(session, run, _MESSAGE)


async def dropped(office: Office, _position: int) -> None:
    """The job, for tasks that an agent deletes, and for those whose making is undone."""
    await patiently(stop_runs, office.storage)


async def _gone(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == "action.done" and _deletes(event)}


def _deletes(event: Recorded) -> bool:
    tool, undoes = event.data.get("tool"), "undoes" in event.data
    return (tool, undoes) in (("delete_task", False), ("create_task", True))


WAKES = [Wake(DROPPED, _gone)]
