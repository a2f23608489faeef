"""Intents: what is about to happen is stored before, and ended after, once for each key."""

import hashlib
import json
from datetime import timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.reader import EVERYONE, WORKSPACE
from bailiwick.errors import Conflict
from bailiwick.gate import invocation
from bailiwick.gate.actions import repository
from bailiwick.gate.call import Denied, Outcome, Result
from bailiwick.gate.checks.virtual_ids import frozen, thawed
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Action
from bailiwick.identity.principal import OPERATOR
from bailiwick.instance import audience
from bailiwick.kit import clock, eventlog, ids
from bailiwick.tools import execution as tools

# No call runs longer: what is older and still open was left behind by a process that ended.
ABANDONED = timedelta(seconds=tools.LONGEST_SECONDS * 2)
UNKNOWN = "It is not known whether it happened: the process ended on the way. A person decides."


async def begin(dependencies: GateDependencies, context: CallContext) -> Outcome | None:
    """Store what is about to happen; or the answer, if this key has been used before."""
    try:
        found = await _opened(dependencies, context)
    except IntegrityError:
        # Another process was first with this key.
        found = await _opened(dependencies, context)
    except Conflict as error:
        return Denied("conflict", error.detail)
    return await _known(dependencies, context, found) if found else None


async def end(dependencies: GateDependencies, context: CallContext, outcome: Outcome) -> Outcome:
    """Store what became of it."""
    if isinstance(outcome, Denied) and outcome.code == "unknown_outcome":
        return await _found_out(dependencies, context, outcome)
    async with dependencies.storage.app.write() as session:
        row = await _own(session, context)
        if isinstance(outcome, Result):
            _done(row, context, outcome)
        else:
            await _failed(session, row, outcome.reason if isinstance(outcome, Denied) else "")
        emit(session, row)
    if isinstance(outcome, Result):
        return Result(outcome.data, label=outcome.label, action_id=row.id, undoable=row.undoable)
    return outcome


async def broke(dependencies: GateDependencies, context: CallContext) -> None:
    """It ended in a bug: what a second try may do says what is known."""
    lost = Denied("unknown_outcome", "It ended in an error of ours; the log has it.")
    await _found_out(dependencies, context, lost)


async def drop(dependencies: GateDependencies, context: CallContext) -> None:
    """Forget an intent that nothing came of."""
    async with dependencies.storage.app.write() as session:
        await session.delete(await _own(session, context))


async def _opened(dependencies: GateDependencies, context: CallContext) -> Action | None:
    """None if the way is free; else what is stored under this key."""
    call = context.call
    async with dependencies.storage.app.write() as session:
        found = await repository.by_key(session, call.caller.id, context.key)
        if found is None:
            row = _new(dependencies, context)
            if call.undoes:
                await _claim(session, context, by=row.id)
            session.add(row)
            context.action_id = row.id
            return None
        context.action_id = found.id
        if found.status == "failed" and found.arguments_hash == _digest(context):
            if call.undoes:
                await _claim(session, context, by=found.id)
            found.status, found.executor, found.error = "open", dependencies.process, None
            return None
        return found


async def _known(
    dependencies: GateDependencies, context: CallContext, row: Action
) -> Outcome | None:
    if row.arguments_hash != _digest(context):
        return Denied("conflict", "This idempotency key was used for another call. Use a new one.")
    match row.status:
        case "done":
            return Result(thawed(row.result), action_id=row.id, undoable=row.undoable)
        case "unknown":
            return Denied("unknown_outcome", UNKNOWN)
        case _:
            return await _resumed(dependencies, context, row)


async def _resumed(
    dependencies: GateDependencies, context: CallContext, row: Action
) -> Outcome | None:
    """An intent that was left open; None if it may be done (again)."""
    if is_under_way(dependencies, row, in_run=context.call.run is not None):
        return Denied("conflict", "This call is still under way.")
    if row.replay == "ask":
        return await _found_out(dependencies, context, Denied("unknown_outcome", UNKNOWN))
    if row.replay == "lookup":
        tool_context = invocation.tool_context_of(context)
        output = await tools.look_up(context.known_tool, tool_context, context.arguments)
        if output:
            return await end(dependencies, context, invocation.settle(context, output))
    async with dependencies.storage.app.write() as session:
        (await _own(session, context)).executor = dependencies.process
    return None


def is_under_way(dependencies: GateDependencies, row: Action, *, in_run: bool = False) -> bool:
    """Whether the process that opened it may still be at it."""
    if row.executor == dependencies.process:
        return True
    # A job and a run have one process at a time: another one has taken over from it.
    if dependencies.storage.kind == "sqlite" or row.approval_id or in_run:
        return False
    return row.created_at > clock.now() - ABANDONED


async def _found_out(
    dependencies: GateDependencies, context: CallContext, outcome: Denied
) -> Outcome:
    """Nobody saw the end: ask the tool if it can tell, else a person."""
    tool = context.known_tool
    if tool.replay == "lookup" and context.undoing is None:
        tool_context = invocation.tool_context_of(context)
        output = await tools.look_up(tool, tool_context, context.arguments)
        if output:
            return await end(dependencies, context, invocation.settle(context, output))
    async with dependencies.storage.app.write() as session:
        row = await _own(session, context)
        if tool.replay == "ask":
            row.status, row.error = "unknown", outcome.reason
        else:
            await _failed(session, row, outcome.reason)
        emit(session, row)
    return outcome


async def _claim(session: AsyncSession, context: CallContext, *, by: str) -> None:
    """What is taken back is taken back once."""
    assert context.call.undoes
    undone = await repository.get(session, EVERYONE, context.call.undoes, lock=True)
    if undone.status != "done" or not undone.undoable or undone.undone_by:
        raise Conflict(
            "It was taken back already." if undone.undone_by else "This cannot be taken back."
        )
    context.undoing = undone.receipt or {}
    undone.undone_by = by


async def _own(session: AsyncSession, context: CallContext) -> Action:
    assert context.action_id
    return await repository.get(session, EVERYONE, context.action_id, lock=True)


def _done(row: Action, context: CallContext, outcome: Result) -> None:
    row.status, row.error = "done", None
    row.result, row.summary = frozen(outcome.data), context.summary
    row.receipt = context.receipt
    row.undoable = context.known_tool.undo is not None and context.call.undoes is None
    row.finished_at = clock.now()


async def _failed(session: AsyncSession, row: Action, reason: str) -> None:
    row.status, row.error, row.finished_at = "failed", reason, clock.now()
    if row.undoes:
        undone = await repository.get(session, EVERYONE, row.undoes, lock=True)
        undone.undone_by = None


_EVENT_TYPES = {"done": "action.done", "failed": "action.failed", "unknown": "action.unknown"}


def emit(session: AsyncSession, row: Action) -> None:
    """The event of an action that ended one way or the other."""
    eventlog.record(
        session,
        eventlog.Event(
            _EVENT_TYPES[row.status],
            audience=_audience(row),
            workspace_id=row.workspace_id,
            actor_id=row.caller_id,
            subject_id=row.id,
            data={"tool": row.tool, **({"undoes": row.undoes} if row.undoes else {})},
        ),
    )


def _audience(row: Action) -> tuple[str, ...]:
    if row.owner_id == WORKSPACE:
        return (audience.workspace(row.workspace_id),)
    return tuple(audience.user(each) for each in {row.owner_id, row.user_id or OPERATOR.id})


def _new(dependencies: GateDependencies, context: CallContext) -> Action:
    call, tool = context.call, context.known_tool
    return Action(
        id=ids.new("act"),
        workspace_id=call.caller.workspace_id,
        user_id=call.caller.user_id,
        owner_id=WORKSPACE if tool.shared else context.owner_id,
        caller_kind=call.caller.kind,
        caller_id=call.caller.id,
        caller_name=call.caller.name,
        context_id=call.context_id,
        idempotency_key=context.key,
        arguments_hash=_digest(context),
        approval_id=context.approval_id,
        tool=tool.name,
        effect=context.effect,
        replay=tool.replay,
        arguments=context.arguments,
        shown=call.arguments,
        label=context.reading.label,
        scope=call.caller.scope.model_dump(mode="json"),
        status="open",
        undoable=False,
        undoes=call.undoes,
        executor=dependencies.process,
        created_at=clock.now(),
    )


def _digest(context: CallContext) -> str:
    text = json.dumps([context.call.tool, context.arguments], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
