"""While everything is stopped, nothing passes but what holds something back."""

from bailiwick.gate.call import Denied, Outcome
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Refuse every call until the stop is released."""
    if not context.call.holds_back and await dependencies.halts.is_up():
        who = await dependencies.halts.who()
        return Denied("halted", f"Everything is stopped{who}. An admin can release it.")
    return await proceed(dependencies, context)
