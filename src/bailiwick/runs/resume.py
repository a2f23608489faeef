"""What sets a run going again: a person's answer, and what was overlooked."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.gate.approvals import repository as approvals
from bailiwick.gate.approvals import service as approval_service
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Approval
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.jobs import patiently
from bailiwick.kit.eventlog import Recorded
from bailiwick.runs import events as run_events
from bailiwick.runs import outcome, repository
from bailiwick.runs.loop import Runner
from bailiwick.runs.models import Run, RunCall
from bailiwick.runs.steps import results

RUN, ANSWERED = "run", "run.answered"
QUEUE = Queue("runs", per_partition=8, per_process=16, poll_seconds=0.1)
_ENDS = (approval_service.DENIED, approval_service.EXPIRED, approval_service.FINISHED)


class RunJobs:
    """The jobs of runs."""

    def __init__(self, runner: Runner, gate: Gate, engine: Engine) -> None:
        self._runner = runner
        self._gate = gate
        self._engine = engine

    def register(self) -> None:
        """Declare them."""
        self._engine.job(RUN, self._runner.segment, queue=QUEUE)
        self._engine.job(ANSWERED, self.answered, queue=QUEUE)

    async def answered(self, approval_id: str) -> None:
        """Hand a person's answer to the calls that wait for it."""
        await patiently(answered, self._gate, approval_id)

    async def take_up(self) -> None:
        """Begin what should be under way, in case a restored engine knows nothing of it."""
        storage = self._gate.services.storage
        async with storage.app.read() as session:
            statement = select(Run.id, Run.segment, Run.agent_id).where(
                Run.status.in_(("pending", "running")), Run.segment > 0
            )
            found = (await session.execute(statement)).all()
        for id, segment, agent_id in found:
            await self._engine.begin(
                RUN, id, segment, id=f"{RUN}:{id}:{segment}", partition=agent_id
            )
        await overlooked(self._gate)


async def answered(gate: Gate, approval_id: str) -> None:
    """Put an answer into every transcript that waits for it, and let the runs go on."""
    store = gate.services.storage.app
    async with store.read() as session:
        waiting = await repository.waiting_for(session, approval_id)
    for call in waiting:
        async with store.write() as session:
            run = await repository.locked(session, call.run_id)
            row = await session.get(RunCall, (call.run_id, call.id), populate_existing=True)
            approval = await approvals.get(session, approval_id, workspaces=None)
            if run is None or row is None or row.status != "waiting":
                continue
            if approval.status in ("pending", "allowed"):
                continue
            tool = gate.services.registry.get(row.tool)
            results.from_approval(session, run, row, approval, tool=tool)
            run_events.emit(session, run, run_events.PROGRESSED)
            await outcome.go_on(session, run)


async def overlooked(gate: Gate) -> None:
    """Hand over answers that were given while nobody could hear them."""
    statement = (
        select(Approval.id)
        .join(RunCall, RunCall.approval_id == Approval.id)
        .where(RunCall.status == "waiting", Approval.status.not_in(("pending", "allowed")))
    )
    async with gate.services.storage.app.read() as session:
        found = (await session.scalars(statement)).all()
    for id in dict.fromkeys(found):
        await answered(gate, id)


async def _queued(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == run_events.QUEUED}


async def _ended(session: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    ends = {event.position: event.subject_id for event in events if event.type in _ENDS}
    if not ends:
        return set()
    wanted = await repository.is_waited_for(session, [id for id in ends.values() if id])
    return {position for position, id in ends.items() if id in wanted}


ROUTES = [
    Wake(
        RUN,
        _queued,
        key=lambda event: f"{event.subject_id}:{event.data['segment']}",
        arguments=lambda event: (event.subject_id, event.data["segment"]),
        partition=lambda event: event.data["agentId"],
    ),
    Wake(ANSWERED, _ended, arguments=lambda event: (event.subject_id,)),
]
