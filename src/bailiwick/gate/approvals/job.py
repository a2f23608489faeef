"""The job that runs an allowed call: once for each yes, whoever waits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import EVERYONE
from bailiwick.gate.approvals import repository, service
from bailiwick.gate.call import Call, Denied, Outcome, Pending, Result
from bailiwick.gate.facts import KeepsFiles
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Approval
from bailiwick.kit import clock
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Queue
from bailiwick.kit.engine.jobs import step
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.office import Office

QUEUE = Queue("approvals", per_partition=16, per_process=16)
JOB = "approval"


@dataclass(frozen=True, slots=True)
class ApprovalJobs:
    """The body of the job, and what it needs."""

    _office: Office

    async def run(self, position: int) -> None:
        """Make the call that was allowed by the event at a position."""
        id = await step("find", self.find, position)
        if id:
            await step("call", self.call, id)

    async def find(self, position: int) -> str | None:
        """The approval that the event is about."""
        async with self._office.storage.app.read() as session:
            found = await eventlog.after(session, position - 1, limit=1, until=position)
        return found[0].subject_id if found else None

    async def call(self, id: str) -> str:
        """Enter the gate again from the top, and store how that ended."""
        async with self._office.storage.app.read() as session:
            row = await repository.get(session, EVERYONE, id)
        if row.status != "allowed":
            return row.status
        outcome = await self._outcome(row)
        files = await self._files(row, outcome)
        async with self._office.storage.app.write() as session:
            row = await repository.get(session, EVERYONE, id, lock=True)
            if isinstance(outcome, Pending):
                return row.status  # its card has changed: it waits for a person again
            _finish(row, outcome)
            row.files = files or None
            service.emit(session, row, service.FINISHED)
        return row.status

    async def _outcome(self, row: Approval) -> Outcome:
        gate = self._office[Gate]
        caller = await gate.find_caller(
            row.caller_kind, row.caller_id, row.workspace_id, row.context_id
        )
        if caller is None:
            return Denied("approval_void", f"{row.caller_name} is gone, or was switched off.")
        call = Call(
            caller,
            row.tool,
            row.edited or row.arguments,
            context_id=row.context_id,
            idempotency_key=service.key_of(row.id),
            approval_id=row.id,
            undoes=row.undoes,
        )
        return await gate.call(call)

    async def _files(self, row: Approval, outcome: Outcome) -> list[dict[str, Any]]:
        """What it read that is no text, kept for whoever waits."""
        if not isinstance(outcome, Result) or not outcome.files or row.context_id is None:
            return []
        kept = list[dict[str, Any]]()
        for fact in self._office.facts(KeepsFiles):
            kept += await fact.keep(self._office, row.context_id, outcome.files)
        return kept


def _finish(row: Approval, outcome: Outcome) -> None:
    row.finished_at = clock.now()
    match outcome:
        case Result():
            row.status, row.result, row.action_id = "done", outcome.data, outcome.action_id
        case Denied(code="unknown_outcome"):
            row.status, row.error = "unknown", outcome.reason
        case Denied():
            row.status, row.error = "failed", outcome.reason
        case _:
            row.status, row.error = "failed", "It cannot be done this way."


async def _allowed(_: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    return {event.position for event in events if event.type == service.ALLOWED}


WAKES = [Wake(JOB, _allowed)]
