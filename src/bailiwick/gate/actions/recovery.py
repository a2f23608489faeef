"""What a process left open when it ended is brought to a known end, as each tool allows."""

import structlog

from bailiwick.accounts.reader import EVERYONE
from bailiwick.errors import BailiwickError
from bailiwick.gate import invocation
from bailiwick.gate.actions import intents, repository
from bailiwick.gate.call import Call, Caller, Denied, Outcome
from bailiwick.gate.checks import audit
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Action
from bailiwick.gate.trust.reads import ReadState
from bailiwick.kit import clock
from bailiwick.tools import execution as tools
from bailiwick.tools.scope import Scope

log = structlog.stdlib.get_logger("bailiwick.recovery")
_NOT_DONE = "The process ended before it took effect. Nothing was changed."
_HALF_BACK = "The process ended while it was taken back. Look at it before you try again."
_GONE = "The tool is gone, so that nobody can tell whether it happened."


async def recover(dependencies: GateDependencies) -> int:
    """Settle every open intent of a process that ended; how many there were."""
    before = None if dependencies.storage.kind == "sqlite" else clock.now() - intents.ABANDONED
    async with dependencies.storage.app.read() as session:
        left = await repository.left_open(session, process=dependencies.process, before=before)
    for row in left:
        try:
            await _settle(dependencies, row)
        except Exception:
            log.exception("an intent could not be settled", action=row.id)
    return len(left)


async def _settle(dependencies: GateDependencies, row: Action) -> None:
    context = _context(dependencies, row)
    if context.tool is None or row.replay == "ask":
        outcome = await _unknown(dependencies, row, _GONE if context.tool is None else None)
    else:
        outcome = await intents.end(dependencies, context, await _ended(context, row))
    log.info("settled what was left open", action=row.id, tool=row.tool)
    await audit.write(dependencies, context, phase="recovery", **audit.told(outcome))


async def _ended(context: CallContext, row: Action) -> Outcome:
    """Whether it happened, found out or done again."""
    tool_context = invocation.tool_context_of(context)
    tool = context.known_tool
    try:
        if row.undoes:
            return Denied("failed", _HALF_BACK)
        if tool.lookup:
            output = await tools.look_up(tool, tool_context, context.arguments)
        else:
            output = await tools.run(tool, tool_context, context.arguments)
    except BailiwickError as error:
        return Denied("failed", error.detail)
    return invocation.settle(context, output) if output else Denied("failed", _NOT_DONE)


async def _unknown(dependencies: GateDependencies, row: Action, reason: str | None) -> Denied:
    outcome = Denied("unknown_outcome", reason or intents.UNKNOWN)
    async with dependencies.storage.app.write() as session:
        stored = await repository.get(session, EVERYONE, row.id, lock=True)
        stored.status, stored.error = "unknown", outcome.reason
        intents.emit(session, stored)
    return outcome


def _context(dependencies: GateDependencies, row: Action) -> CallContext:
    caller = Caller(
        kind=row.caller_kind,
        id=row.caller_id,
        name=row.caller_name,
        workspace_id=row.workspace_id,
        user_id=row.user_id,
        scope=Scope.model_validate(row.scope),
    )
    call = Call(
        caller,
        row.tool,
        row.shown,
        context_id=row.context_id,
        undoes=row.undoes,
    )
    reading = ReadState(row.context_id, row.label)
    tool = dependencies.registry.get(row.tool)
    # Under the key of old, so that a second try is known as one.
    key = row.idempotency_key
    return CallContext(call, key, row.arguments, tool=tool, reading=reading, action_id=row.id)
