"""What a caller can find out of its own tools: which there are, and whether a call would pass.

Nothing here has an effect: a call is held against the checks that only look.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bailiwick.gate.call import Call, Denied, Outcome, Result
from bailiwick.gate.checks import policy, provenance, schema, scope, virtual_ids
from bailiwick.gate.context import CallContext
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.pipeline import fold
from bailiwick.kit import ids
from bailiwick.tools.tool import Arguments, CallForecast, Tool

if TYPE_CHECKING:
    from bailiwick.gate.gate import Gate


async def _passes(_: GateDependencies, __: CallContext) -> Outcome:
    return Result(None)


_LOOK = fold(
    [schema.check, virtual_ids.check, provenance.check, scope.check, policy.check], _passes
)


@dataclass(frozen=True, slots=True)
class CallerTools:
    """The tools of one caller."""

    gate: "Gate"
    dependencies: GateDependencies
    call: Call

    async def offered(self) -> list[Tool]:
        """Those that the caller may use now."""
        return await self.gate.tools(self.call.caller)

    async def forecast(self, name: str, arguments: Arguments) -> CallForecast:
        """What the gate would say to a call, without making it."""
        call = replace(self.call, tool=name, arguments=arguments, idempotency_key=None)
        context = CallContext(call, ids.new("cal"), arguments)
        outcome = await _LOOK(self.dependencies, context)
        if isinstance(outcome, Denied):
            return CallForecast(False, outcome.code, outcome.reason, outcome.fields or {})
        if context.asks and not call.caller.approves_itself:
            return CallForecast(True, "asks", context.asks)
        return CallForecast(True)
