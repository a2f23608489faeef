"""The inbox as a feature."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.feature import Feature, Job
from bailiwick.inbox import (
    endpoints,
    events,
    guideline,
    guideline_endpoints,
    judging,
    reconciliation,
    repository,
)
from bailiwick.inbox.tools import tools
from bailiwick.kit import clock
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Queue
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.library.index.events import CHANGED
from bailiwick.office import Office
from bailiwick.runs.events import ENDS

# One at a time in each workspace: what it does is begun again by whatever comes meanwhile.
_QUEUE = Queue("inbox", per_partition=1, per_process=4, poll_seconds=0.5)
_UNDONE = "inbox.undone"


@asynccontextmanager
async def _work(office: Office) -> AsyncGenerator[None]:
    await judging.take_up(office)
    yield


async def _followed(office: Office, workspace_id: str) -> None:
    """What the index says is new: answers that no longer hold, and papers to look at."""
    await reconciliation.refresh(office, workspace_id)
    await judging.judge(office, workspace_id)


async def _last_of_each(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    """The index is another, or a move came to its end."""
    last = {
        event.workspace_id: event.position
        for event in batch
        if event.type == CHANGED
        or (event.type in ("action.done", "action.failed") and event.data["tool"] == "move_file")
    }
    return set(last.values())


async def _ends(session: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    over = {event.subject_id: event.position for event in batch if event.type in ENDS.values()}
    judging_runs = await repository.judging(session, [id for id in over if id]) if over else set()
    return {position for id, position in over.items() if id in judging_runs}


async def _failed(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    """What is tried again later."""
    return {
        event.position
        for event in batch
        if event.type == events.JUDGED
        and event.data["status"] == "waiting"
        and "nextAt" in event.data
    }


async def _undone(session: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    taken = {
        event.data["undoes"]: event.position
        for event in batch
        if event.type == "action.done" and "undoes" in event.data
    }
    ours = await repository.of_actions(session, list(taken)) if taken else set()
    return {position for id, position in taken.items() if id in ours}


async def _resolved(_: AsyncSession, batch: Sequence[Recorded]) -> set[int]:
    last = {event.workspace_id: event.position for event in batch if event.type == events.RESOLVED}
    return set(last.values())


feature = Feature(
    name="inbox",
    routers=[endpoints.router, guideline_endpoints.router],
    work=_work,
    tools=tools,
    jobs=[
        Job(judging.JUDGE, lambda office: partial(patiently, _followed, office), queue=_QUEUE),
        Job(
            judging.AGAIN,
            lambda office: partial(patiently, judging.judge_again, office),
            queue=_QUEUE,
        ),
        Job(judging.ENDED, lambda office: partial(patiently, judging.ended, office), queue=_QUEUE),
        Job(
            _UNDONE,
            lambda office: partial(patiently, reconciliation.action_undone, office),
            queue=_QUEUE,
        ),
        Job(
            guideline.LEARN,
            lambda office: partial(patiently, guideline.learn, office),
            queue=_QUEUE,
        ),
    ],
    wakes=[
        Wake(
            judging.JUDGE,
            _last_of_each,
            arguments=lambda event: (event.workspace_id,),
            partition=lambda event: event.workspace_id,
        ),
        Wake(
            judging.AGAIN,
            _failed,
            key=lambda event: f"{event.subject_id}:{event.data['nextAt']}",
            arguments=lambda event: (event.subject_id,),
            partition=lambda event: event.workspace_id,
            delay=lambda event: datetime.fromisoformat(event.data["nextAt"]) - clock.now(),
        ),
        Wake(judging.ENDED, _ends, arguments=lambda event: (event.subject_id,)),
        Wake(_UNDONE, _undone, arguments=lambda event: (event.data["undoes"],)),
        Wake(
            guideline.LEARN,
            _resolved,
            arguments=lambda event: (event.workspace_id,),
            partition=lambda event: event.workspace_id,
        ),
    ],
)
