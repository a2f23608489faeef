"""The gate on one line: every check in its order, from the outermost inwards."""

from collections.abc import Sequence
from functools import partial

from bailiwick.gate import invocation
from bailiwick.gate.call import Outcome
from bailiwick.gate.checks import (
    approval,
    audit,
    halt,
    intent,
    limits,
    policy,
    provenance,
    redaction,
    schema,
    scope,
    virtual_ids,
)
from bailiwick.gate.context import CallContext, Check, GateStep
from bailiwick.gate.dependencies import GateDependencies

CHECKS: Sequence[Check] = [
    audit.check,
    halt.check,
    schema.check,
    virtual_ids.check,
    provenance.check,
    scope.check,
    limits.check,
    policy.check,
    approval.check,
    redaction.check,
    intent.check,
]


def fold(checks: Sequence[Check], last: GateStep) -> GateStep:
    """One step that goes through all of them."""
    step = last
    for check in reversed(checks):
        step = partial(_through, check, step)
    return step


async def _through(
    check: Check, inner: GateStep, dependencies: GateDependencies, context: CallContext
) -> Outcome:
    return await check(dependencies, context, inner)


enter = fold(CHECKS, invocation.execute)
