"""Innermost: a write is on disk before it happens, and happens once for one key."""

from bailiwick.gate import audit
from bailiwick.gate.actions import intents
from bailiwick.gate.call import Denied, Outcome
from bailiwick.gate.passage import Passage, Step
from bailiwick.gate.services import Services
from bailiwick.kit.ledger import LedgerUnwritable


async def check(services: Services, passage: Passage, proceed: Step) -> Outcome:
    """Open an intent, let it happen, and write down what became of it."""
    if not passage.known_tool.writes:
        return await proceed(services, passage)
    answer = await intents.begin(services, passage)
    if answer is not None:
        return answer
    try:
        await audit.write(services, passage, phase="intent", status="open")
    except LedgerUnwritable:
        await intents.drop(services, passage)
        passage.action_id = None
        return Denied(
            "audit_failed", "The audit cannot be written, so nothing was done. Try later."
        )
    try:
        outcome = await proceed(services, passage)
    except Exception:
        await intents.broke(services, passage)
        raise
    return await intents.end(services, passage, outcome)
