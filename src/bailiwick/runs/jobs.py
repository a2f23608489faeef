"""The jobs of runs, and the events that begin them."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.approvals import service as approval_service
from bailiwick.gate.halts import service as halts
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.eventlog import Recorded
from bailiwick.office import Office
from bailiwick.runs import approvals, repository
from bailiwick.runs import events as run_events

RUN, ANSWERED, RELEASED = "run", "run.answered", "run.released"
_ENDS = (approval_service.DENIED, approval_service.EXPIRED, approval_service.FINISHED)


async def take_up(office: Office) -> None:
    """Begin what should be under way, in case a restored engine knows nothing of it."""
    async with office.storage.app.read() as session:
        found = await repository.under_way(session)
    for id, segment, agent_id in found:
        await office.engine.begin(RUN, id, segment, id=f"{RUN}:{id}:{segment}", partition=agent_id)
    await approvals.overlooked(office)


async def _queued(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == run_events.QUEUED}


async def _released(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == halts.RELEASED}


async def _ended(session: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    ends = {event.position: event.subject_id for event in events if event.type in _ENDS}
    if not ends:
        return set()
    wanted = await repository.is_waited_for(session, [id for id in ends.values() if id])
    return {position for position, id in ends.items() if id in wanted}


WAKES = [
    Wake(
        RUN,
        _queued,
        key=lambda event: f"{event.subject_id}:{event.data['segment']}",
        arguments=lambda event: (event.subject_id, event.data["segment"]),
        partition=lambda event: event.data["agentId"],
    ),
    Wake(ANSWERED, _ended, arguments=lambda event: (event.subject_id,)),
    Wake(RELEASED, _released, arguments=lambda _: ()),
]
