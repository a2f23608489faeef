"""Calls of runs without effects: replays, trials, and the agents that these ask.

What only reads is done. What would change something, or wait for a person, is held against the
checks of the gate and not done: the verdict is written down, and the model is told.
"""

from dataclasses import dataclass

from bailiwick.gate.call import Call, Denied, Outcome, RefusalCode
from bailiwick.gate.gate import Gate
from bailiwick.office import Office


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """It would have been done, if need be after a person had said yes, and was not."""

    tool: str
    asks: str | None = None  # why a person would have been asked

    @property
    def note(self) -> str:
        """What the model is told."""
        asked = " once a person had said yes" if self.asks else ""
        return (
            f"This run has no effects: {self.tool} would have been used now{asked}, and nothing "
            f"was changed. Go on as if it had been."
        )


async def rehearse(office: Office, call: Call) -> Outcome | Rehearsed | None:
    """What a call comes to without its effect; None if it may be made, because it only reads."""
    gate = office[Gate]
    tool = gate.find_tool(call.caller, call.tool)
    if tool is None or tool.delegates_to:
        return None
    forecast = await gate.forecast(call)
    asks = forecast.reason if forecast.code == "asks" else None
    if not tool.writes and asks is None:
        return None
    if forecast.passes:
        return Rehearsed(call.tool, asks)
    code: RefusalCode = forecast.code or "blocked"  # pyright: ignore[reportAssignmentType]
    fields = {name: list(said) for name, said in forecast.fields.items()}
    return Denied(code, forecast.reason or "", fields=fields or None)
