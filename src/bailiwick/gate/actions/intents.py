"""Intents: what is about to happen is stored before, and ended after, once for each key."""

import hashlib
import json
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.gate import execution
from bailiwick.gate.actions import repository
from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.models import Action
from bailiwick.gate.passage import Passage
from bailiwick.gate.services import Services
from bailiwick.gate.virtual_ids import frozen, thawed
from bailiwick.instance import audience
from bailiwick.instance.changes import Actor
from bailiwick.kit import clock, eventlog, ids
from bailiwick.tools import execution as tools

# No call runs longer: what is older and still open was left behind by a process that ended.
ABANDONED = timedelta(seconds=tools.LONGEST_SECONDS * 2)
UNKNOWN = "It is not known whether it happened: the process ended on the way. A person decides."


async def begin(services: Services, passage: Passage) -> Outcome | None:
    """Store what is about to happen; or the answer, if this key has been used before."""
    try:
        found = await _opened(services, passage)
    except IntegrityError:
        # Another process was first with this key.
        found = await _opened(services, passage)
    except Conflict as error:
        return Denied("conflict", error.detail)
    return await _known(services, passage, found) if found else None


async def end(services: Services, passage: Passage, outcome: Outcome) -> Outcome:
    """Store what became of it."""
    if isinstance(outcome, Denied) and outcome.code == "unknown_outcome":
        return await _found_out(services, passage, outcome)
    async with services.storage.app.write() as session:
        row = await _own(session, passage)
        if isinstance(outcome, Result):
            _done(row, passage, outcome)
        else:
            await _failed(session, row, outcome.reason if isinstance(outcome, Denied) else "")
        tell(session, row)
    if isinstance(outcome, Result):
        return Result(outcome.data, label=outcome.label, action_id=row.id, undoable=row.undoable)
    return outcome


async def broke(services: Services, passage: Passage) -> None:
    """It ended in a bug: what a second try may do says what is known."""
    lost = Denied("unknown_outcome", "It ended in an error of ours; the log has it.")
    await _found_out(services, passage, lost)


async def drop(services: Services, passage: Passage) -> None:
    """Forget an intent that nothing came of."""
    async with services.storage.app.write() as session:
        await session.delete(await _own(session, passage))


async def _opened(services: Services, passage: Passage) -> Action | None:
    """None if the way is free; else what is stored under this key."""
    call = passage.call
    async with services.storage.app.write() as session:
        found = await repository.by_key(session, call.caller.id, passage.key)
        if found is None:
            row = _new(services, passage)
            if call.undoes:
                await _claim(session, passage, by=row.id)
            session.add(row)
            passage.action_id = row.id
            return None
        passage.action_id = found.id
        if found.status == "failed" and found.arguments_hash == _digest(passage):
            if call.undoes:
                await _claim(session, passage, by=found.id)
            found.status, found.executor, found.error = "open", services.process, None
            return None
        return found


async def _known(services: Services, passage: Passage, row: Action) -> Outcome | None:
    if row.arguments_hash != _digest(passage):
        return Denied("conflict", "This idempotency key was used for another call. Use a new one.")
    match row.status:
        case "done":
            return Result(thawed(row.result), action_id=row.id, undoable=row.undoable)
        case "unknown":
            return Denied("unknown_outcome", UNKNOWN)
        case _:
            return await _resumed(services, passage, row)


async def _resumed(services: Services, passage: Passage, row: Action) -> Outcome | None:
    """An intent that was left open; None if it may be done (again)."""
    if is_under_way(services, row, in_run=passage.call.run is not None):
        return Denied("conflict", "This call is still under way.")
    if row.replay == "ask":
        return await _found_out(services, passage, Denied("unknown_outcome", UNKNOWN))
    if row.replay == "lookup":
        context = execution.context_of(passage)
        output = await tools.look_up(passage.known_tool, context, passage.arguments)
        if output:
            return await end(services, passage, execution.settle(passage, output))
    async with services.storage.app.write() as session:
        (await _own(session, passage)).executor = services.process
    return None


def is_under_way(services: Services, row: Action, *, in_run: bool = False) -> bool:
    """Whether the process that opened it may still be at it."""
    if row.executor == services.process:
        return True
    # A job and a run have one process at a time: another one has taken over from it.
    if services.storage.kind == "sqlite" or row.approval_id or in_run:
        return False
    return row.created_at > clock.now() - ABANDONED


async def _found_out(services: Services, passage: Passage, outcome: Denied) -> Outcome:
    """Nobody saw the end: ask the tool if it can tell, else a person."""
    tool = passage.known_tool
    if tool.replay == "lookup" and passage.undoing is None:
        context = execution.context_of(passage)
        output = await tools.look_up(tool, context, passage.arguments)
        if output:
            return await end(services, passage, execution.settle(passage, output))
    async with services.storage.app.write() as session:
        row = await _own(session, passage)
        if tool.replay == "ask":
            row.status, row.error = "unknown", outcome.reason
        else:
            await _failed(session, row, outcome.reason)
        tell(session, row)
    return outcome


async def _claim(session: AsyncSession, passage: Passage, *, by: str) -> None:
    """What is taken back is taken back once."""
    assert passage.call.undoes
    undone = await repository.get(session, passage.call.undoes, workspaces=None, lock=True)
    if undone.status != "done" or not undone.undoable or undone.undone_by:
        raise Conflict(
            "It was taken back already." if undone.undone_by else "This cannot be taken back."
        )
    passage.undoing = undone.receipt or {}
    passage.actor = Actor(undone.caller_id, undone.caller_name)
    undone.undone_by = by


async def _own(session: AsyncSession, passage: Passage) -> Action:
    assert passage.action_id
    return await repository.get(session, passage.action_id, workspaces=None, lock=True)


def _done(row: Action, passage: Passage, outcome: Result) -> None:
    row.status, row.error = "done", None
    row.result, row.summary = frozen(outcome.data), passage.summary
    row.receipt = passage.receipt
    row.undoable = passage.known_tool.undo is not None and passage.call.undoes is None
    row.finished_at = clock.now()


async def _failed(session: AsyncSession, row: Action, reason: str) -> None:
    row.status, row.error, row.finished_at = "failed", reason, clock.now()
    if row.undoes:
        undone = await repository.get(session, row.undoes, workspaces=None, lock=True)
        undone.undone_by = None


_TOLD = {"done": "action.done", "failed": "action.failed", "unknown": "action.unknown"}


def tell(session: AsyncSession, row: Action) -> None:
    """The event of an action that ended one way or the other."""
    eventlog.record(
        session,
        eventlog.Event(
            _TOLD[row.status],
            audience=(audience.workspace(row.workspace_id),),
            workspace_id=row.workspace_id,
            actor_id=row.caller_id,
            subject_id=row.id,
            data={"tool": row.tool, **({"undoes": row.undoes} if row.undoes else {})},
        ),
    )


def _new(services: Services, passage: Passage) -> Action:
    call, tool = passage.call, passage.known_tool
    return Action(
        id=ids.new("act"),
        workspace_id=call.caller.workspace_id,
        user_id=call.caller.user_id,
        caller_kind=call.caller.kind,
        caller_id=call.caller.id,
        caller_name=call.caller.name,
        context_id=call.context_id,
        idempotency_key=passage.key,
        arguments_hash=_digest(passage),
        approval_id=passage.approval_id,
        tool=tool.name,
        effect=tool.effect,
        replay=tool.replay,
        arguments=passage.arguments,
        shown=call.arguments,
        label=passage.reading.label,
        scope=call.caller.scope.model_dump(mode="json"),
        status="open",
        undoable=False,
        undoes=call.undoes,
        executor=services.process,
        created_at=clock.now(),
    )


def _digest(passage: Passage) -> str:
    text = json.dumps([passage.call.tool, passage.arguments], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
