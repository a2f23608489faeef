"""The gate on one line: every check in its order, from the outermost inwards."""

from collections.abc import Sequence
from functools import partial

from bailiwick.gate import invocation
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
from bailiwick.gate.context import Check, GateStep

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
        step = partial(check, proceed=step)
    return step


enter = fold(CHECKS, invocation.execute)
