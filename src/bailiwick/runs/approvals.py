"""A person has answered: the calls that wait for it get the answer, and their runs go on."""

from bailiwick.accounts.reader import EVERYONE
from bailiwick.gate.approvals import repository as approvals
from bailiwick.office import Office
from bailiwick.runs import events, outcome, repository
from bailiwick.runs.models import RunCall
from bailiwick.runs.steps import results
from bailiwick.tools.registry import Registry


async def answered(office: Office, approval_id: str) -> None:
    """Put an answer into every transcript that waits for it, and let the runs go on."""
    store = office.storage.app
    async with store.read() as session:
        waiting = await repository.waiting_for(session, approval_id)
    for call in waiting:
        async with store.write() as session:
            run = await repository.locked(session, call.run_id)
            row = await session.get(RunCall, (call.run_id, call.id), populate_existing=True)
            approval = await approvals.get(session, EVERYONE, approval_id)
            if run is None or row is None or row.status != "waiting":
                continue
            if approval.status in ("pending", "allowed"):
                continue
            tool = office[Registry].get(row.tool)
            results.from_approval(session, run, row, approval, tool=tool)
            events.emit(session, run, events.PROGRESSED)
            await outcome.go_on(session, run)


async def overlooked(office: Office) -> None:
    """Hand over answers that were given while nobody could hear them."""
    async with office.storage.app.read() as session:
        found = await repository.answered_unheard(session)
    for id in found:
        await answered(office, id)
