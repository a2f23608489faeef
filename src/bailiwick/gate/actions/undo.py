"""What people do about actions: take one back, or say what became of one."""

from bailiwick.accounts.reader import reader_of
from bailiwick.errors import Conflict
from bailiwick.gate.actions import intents, repository
from bailiwick.gate.call import Call, Caller, Outcome
from bailiwick.gate.gate import Gate
from bailiwick.gate.models import Action
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.office import Office


async def undo(
    office: Office, caller: Caller, action: Action, *, context_id: str | None
) -> Outcome:
    """Take an action back, through the gate like any other act."""
    if action.undone_by:
        raise Conflict("It was taken back already.")
    if not action.undoable or action.status != "done":
        raise Conflict("This cannot be taken back.")
    call = Call(
        caller,
        action.tool,
        action.shown,
        context_id=context_id,
        idempotency_key=f"undo:{action.id}",
        undoes=action.id,
    )
    return await office[Gate].call(call)


async def settle(office: Office, who: Principal, id: str, *, happened: bool) -> Action:
    """Say what became of an action that nobody saw the end of."""
    async with office.storage.app.write() as session:
        row = await repository.get(session, await reader_of(session, who), id, lock=True)
        if row.status != "unknown":
            raise Conflict("The outcome of this action is known.")
        row.status = "done" if happened else "failed"
        row.error = None if happened else f"{who.name} says that it did not happen."
        row.summary = f"{who.name} says that it happened." if happened else None
        row.finished_at = clock.now()
        intents.emit(session, row)
    return row
