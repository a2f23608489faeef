"""Limits: how much a caller may do. They hold over all processes and say when to come back."""

from bailiwick.gate.call import Caller, Denied, Outcome
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.meters import DAY, HOUR, MILLIONTH


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Refuse what is too much for this hour, or after too much was spent today."""
    caller = context.call.caller
    limit = caller.limits.requests_per_hour
    if limit is not None:
        wait = await dependencies.meters.take(caller.id, "requests", limit=limit, seconds=HOUR)
        if wait is not None:
            return _refused(f"{caller.name} may make {limit} calls an hour, and has.", wait)
    return await _spent(dependencies, caller) or await proceed(dependencies, context)


async def _spent(dependencies: GateDependencies, caller: Caller) -> Denied | None:
    limits = caller.limits
    for meter, limit, unit in (
        ("tokens", limits.tokens_per_day, 1),
        ("money", limits.money_per_day, MILLIONTH),
    ):
        if limit is None:
            continue
        used, wait = await dependencies.meters.used(caller.id, meter, seconds=DAY)  # pyright: ignore[reportArgumentType]
        if used >= limit * unit:
            return _refused(f"{caller.name} has used its {meter} for today ({limit}).", wait)
    return None


def _refused(reason: str, wait: int) -> Denied:
    minutes = max(1, round(wait / 60))
    reason_shown = f"{reason} Try again in {minutes} minute{'s' if minutes > 1 else ''}."
    return Denied("rate_limited", reason_shown, retry_after=max(1, wait))
