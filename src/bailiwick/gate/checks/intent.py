"""Innermost: a write is on disk before it happens, and happens once for one key."""

from bailiwick.gate.actions import intents
from bailiwick.gate.call import Denied, Outcome
from bailiwick.gate.checks import audit
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.kit.ledger import LedgerUnwritable


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Open an intent, let it happen, and write down what became of it."""
    if not context.known_tool.writes:
        return await proceed(dependencies, context)
    answer = await intents.begin(dependencies, context)
    if answer is not None:
        return answer
    try:
        await audit.write(dependencies, context, phase="intent", status="open")
    except LedgerUnwritable:
        await intents.drop(dependencies, context)
        context.action_id = None
        return Denied(
            "audit_failed", "The audit cannot be written, so nothing was done. Try later."
        )
    try:
        outcome = await proceed(dependencies, context)
    except Exception:
        await intents.broke(dependencies, context)
        raise
    return await intents.end(dependencies, context, outcome)
