"""Outermost: every call leaves a line, allowed or not. What cannot be recorded is not answered."""

import time
from typing import Any

import structlog

from bailiwick.accounts.reader import WORKSPACE
from bailiwick.gate.call import Denied, Outcome, Pending, Result
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.redactions.fields import take_out
from bailiwick.kit import clock
from bailiwick.kit.correlation import current_trace_id
from bailiwick.kit.ledger import LedgerUnwritable

log = structlog.stdlib.get_logger("bailiwick.audit")


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Let the call through, and write down what became of it before anyone is told."""
    try:
        outcome = await proceed(dependencies, context)
    except Exception as error:
        await _last_words(dependencies, context, error)
        raise
    try:
        await write(dependencies, context, phase="call", **told(outcome))
    except LedgerUnwritable as error:
        return _unrecorded(context, error)
    return outcome


async def write(
    dependencies: GateDependencies, context: CallContext, *, phase: str, status: str, **about: Any
) -> None:
    """One line of what is known of the call; returns when it is on disk.

    It has virtual ids, and nothing that redaction takes out.
    """
    call, tool, verdict = context.call, context.tool, context.verdict
    caller = call.caller
    arguments, changed = await redacted(dependencies.redactors, call.arguments)
    if verdict and verdict.fields:
        arguments, gone = take_out(arguments, verdict.fields, of="args")
        changed = [*changed, *gone]
    decision = verdict.action if verdict else None
    # Members may see what was done to things that they share, and nothing of what was not.
    is_shared = tool is not None and tool.shared and status == "done"
    line = {
        "call_id": context.id,
        "at": clock.now().isoformat(),
        "workspace_id": caller.workspace_id,
        "user_id": caller.user_id,
        "owner_id": WORKSPACE if is_shared else context.owner_id,
        "caller": {
            "kind": caller.kind,
            "id": caller.id,
            "name": caller.name,
            "version": caller.version,
        },
        "connector": context.connector,
        "tool": call.tool[:128],
        "effect": context.effect if tool else None,
        "arguments": arguments,
        "decision": "REQUIRE_APPROVAL" if decision and context.asks else decision or "DENY",
        "rule_id": verdict.rule_id if verdict else None,
        "rule_name": verdict.rule_name if verdict else None,
        "reason": context.asks,
        "redacted": list(dict.fromkeys((*context.redacted, *(f"arguments.{c}" for c in changed)))),
        "approval_id": context.approval_id,
        "approved_by": context.approved_by,
        "action_id": context.action_id,
        "undoes": call.undoes,
        "label": context.reading.label,
        "sources": [[source.label, source.about] for source in context.sources],
        "summary": context.summary,
        "duration_ms": round((time.perf_counter() - context.started) * 1000, 2),
        "trace_id": current_trace_id(),
        "status": status,
        "code": None,
        "error": None,
        "phase": phase,
    }
    await dependencies.ledger.append(line | about)


def told(outcome: Outcome) -> dict[str, Any]:
    """What the outcome adds to the line."""
    match outcome:
        case Result():
            return {"status": "done"}
        case Pending():
            return {"status": "pending"}
        case Denied(code="failed" | "conflict" | "not_found" | "unknown_outcome"):
            return {"status": "failed", "code": outcome.code, "error": outcome.reason}
        case Denied():
            decision = "BLOCK" if outcome.code == "blocked" else "DENY"
            return {
                "status": "denied",
                "decision": decision,
                "code": outcome.code,
                "reason": outcome.reason,
            }
        case _:
            return {"status": "delegated"}


async def _last_words(
    dependencies: GateDependencies, context: CallContext, error: Exception
) -> None:
    told = f"{type(error).__name__}: an error inside; the log has it"
    try:
        await write(dependencies, context, phase="call", status="failed", code="failed", error=told)
    except LedgerUnwritable:
        log.exception("a failed call could not be recorded", call=context.id)


def _unrecorded(context: CallContext, error: LedgerUnwritable) -> Denied:
    log.error("the audit cannot be written", reason=str(error), call=context.id)
    if context.action_id:
        return Denied(
            "audit_failed",
            f"It was begun as {context.action_id}, but the audit could not record its end. Look at "
            f"the activity page before trying again.",
        )
    return Denied("audit_failed", "The audit cannot be written, so nothing is done. Try later.")
