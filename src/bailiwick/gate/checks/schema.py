"""Arguments are what the tool takes, or the answer names each field that is not."""

import difflib
import json
from typing import Any

from bailiwick.gate.call import Call, Denied, Outcome
from bailiwick.gate.context import CallContext, GateStep
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.gate.models import Action
from bailiwick.kit import json_depth
from bailiwick.kit.json_size import outweighs
from bailiwick.tools import faults

MOST_BYTES = 1_000_000


async def check(dependencies: GateDependencies, context: CallContext, proceed: GateStep) -> Outcome:
    """Find the tool, and hold the arguments against its model."""
    call = context.call
    tool = context.tool = dependencies.find_tool(call.caller, call.tool)
    if tool is None:
        return Denied("unknown_tool", _unknown(dependencies, call))
    if call.undoes:
        return await _undoing(dependencies, context, proceed)
    if fault := _unfit(call.arguments):
        return invalid(fault)
    if found := tool.arguments.faults_in(call.arguments):
        return invalid(found)
    return await proceed(dependencies, context)


async def _undoing(
    dependencies: GateDependencies, context: CallContext, proceed: GateStep
) -> Outcome:
    """The arguments were checked when it was done; what counts is whether it can be taken back."""
    call = context.call
    assert call.undoes
    async with dependencies.storage.app.read() as session:
        done = await session.get(Action, call.undoes)
    if done is None or done.workspace_id != call.caller.workspace_id or done.tool != call.tool:
        return Denied("not_found", "That action does not exist, or you may not see it.")
    context.undone = done
    return await proceed(dependencies, context)


def invalid(fields: faults.Faults) -> Denied:
    """The refusal that names the fields."""
    return Denied("invalid_arguments", faults.message_of(fields), fields=fields)


def _unfit(arguments: dict[str, Any]) -> faults.Faults | None:
    if outweighs(arguments, MOST_BYTES):
        words = f"larger than {MOST_BYTES:,} characters; send less at a time"
        return {faults.WHOLE: [words]}
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError):
        words = "contain something that is not JSON text (half a character, NaN)"
        return {faults.WHOLE: [words]}
    except RecursionError:
        return {faults.WHOLE: [json_depth.message()]}
    field = json_depth.deep_field(text, whole=faults.WHOLE)
    return {field: [json_depth.message()]} if field else None


def _unknown(dependencies: GateDependencies, call: Call) -> str:
    said = call.tool[:100]
    # Only what this caller may use: others' tools are nothing to them.
    mine = dependencies.offered(call.caller)
    names = [tool.name for tool in mine if call.caller.scope.allows_tool(tool.name)]
    near = difflib.get_close_matches(said.lower(), names)
    return f"There is no tool {said!r}." + (f" Did you mean {near[0]!r}?" if near else "")
