"""Arguments are what the tool's schema says, or the answer names each field that is not."""

import difflib
import json
from typing import Any

import jsonschema_rs

from bailiwick.gate.call import Denied, Outcome
from bailiwick.gate.context import CallContext, Step
from bailiwick.gate.dependencies import GateDependencies
from bailiwick.kit.json_size import outweighs

MOST_BYTES = 1_000_000
_MOST_FAULTS = 20


async def check(services: GateDependencies, context: CallContext, proceed: Step) -> Outcome:
    """Find the tool, and hold the arguments against its schema."""
    call = context.call
    tool = context.tool = services.find_tool(call.caller, call.tool)
    if tool is None:
        return Denied("unknown_tool", _unknown(services, call.tool))
    if call.undoes:
        return await proceed(services, context)  # was checked when it was done
    if fault := _too_large(call.arguments):
        return Denied("invalid_arguments", fault)
    validator = services.registry.validator_of(tool)
    if not validator.is_valid(call.arguments):
        return invalid(faults(validator, call.arguments))
    return await proceed(services, context)


def invalid(fields: dict[str, list[str]]) -> Denied:
    """The refusal that names the fields."""
    told = "; ".join(f"{name}: {faults[0]}" for name, faults in fields.items())
    return Denied("invalid_arguments", told, fields=fields)


def faults(validator: jsonschema_rs.Validator, arguments: dict[str, Any]) -> dict[str, list[str]]:
    """What is wrong, by field; the value itself is not repeated."""
    found: dict[str, list[str]] = {}
    for error in validator.iter_errors(arguments):
        name = "/".join(str(part) for part in error.instance_path) or "arguments"
        found.setdefault(name, []).append(error.message[:300])
        if len(found) >= _MOST_FAULTS:
            break
    return found


def _too_large(arguments: dict[str, Any]) -> str | None:
    if outweighs(arguments, MOST_BYTES):
        return f"arguments: larger than {MOST_BYTES:,} characters; send less at a time"
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, TypeError):
        return "arguments: contain something that is not JSON text (half a character, NaN)"
    return None


def _unknown(services: GateDependencies, name: str) -> str:
    names = [tool.name for tool in services.registry]
    near = difflib.get_close_matches(name[:100], names, n=1)
    return f"There is no tool {name[:100]!r}." + (f" Did you mean {near[0]!r}?" if near else "")
