"""Tools in the protocol's form. Names and descriptions are ours; none comes from content."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from bailiwick.tools.arguments import ToolArguments
from bailiwick.tools.effects import Effect
from bailiwick.tools.tool import Tool

# Effects that add without replacing or removing.
_ADDITIVE: frozenset[Effect] = frozenset(("read", "create", "label", "complete", "fetch"))
# Effects that are the same when a call runs twice.
_REPEATABLE: frozenset[Effect] = frozenset(("read", "edit", "move", "label", "complete", "delete"))
_OUTWARD: frozenset[Effect] = frozenset(("send", "share", "invite", "fetch"))

WAIT = "approval_wait"
STATUS = "approval_status"
LONGEST_WAIT = 50
_READS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
_PENDING = {
    "type": "object",
    "description": "The call waits for a person",
    "properties": {
        "status": {"const": "pending"},
        "approval_id": {"type": "string"},
        "reason": {"type": "string"},
        "expires_at": {"type": "string", "format": "date-time"},
        "url": {"type": "string"},
    },
    "required": ["status", "approval_id"],
}
_REDUCED = {
    "type": "object",
    "description": "The same, with parts taken out by the office's rules; or why it was refused",
}


class OneApproval(ToolArguments):
    """The approval that is asked about."""

    approval_id: str = Field(
        max_length=64,
        description="The approval_id of a call that waits for a person",
        examples=["apv-1"],
    )


class ApprovalWait(OneApproval):
    """How long to wait for it."""

    seconds: int = Field(25, ge=1, le=LONGEST_WAIT, description="How long to wait at most")


# The protocol's own tools: they ask the gate for the status of a call, and have no effect.
APPROVALS: dict[str, dict[str, Any]] = {
    WAIT: {
        "name": WAIT,
        "title": "Wait for an approval",
        "description": (
            "Wait until a person has answered a call that needs approval, and get its outcome. "
            "If nobody answers in time, the call is still pending: wait again, or go on with "
            "other work. Only a person in the office can approve; you cannot."
        ),
        "inputSchema": ApprovalWait.as_schema(),
        "annotations": _READS,
    },
    STATUS: {
        "name": STATUS,
        "title": "Look at an approval",
        "description": "How a call that needs approval stands now, without waiting.",
        "inputSchema": OneApproval.as_schema(),
        "annotations": _READS,
    },
}


def shown(tool: Tool) -> dict[str, Any]:
    """A tool in the protocol's form."""
    entry: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": dict(tool.parameters),
        "annotations": {
            "readOnlyHint": not tool.writes,
            "destructiveHint": tool.effect not in _ADDITIVE,
            "idempotentHint": tool.effect in _REPEATABLE,
            "openWorldHint": tool.outside or tool.effect in _OUTWARD,
        },
    }
    if tool.output is not None:
        entry["outputSchema"] = _output(tool.output)
    return entry


def is_object(schema: Mapping[str, Any]) -> bool:
    """Whether a tool's data is an object and needs no wrapping."""
    return schema.get("type") == "object"


def _output(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The output schema: the data, a pending call, or redacted data."""
    data: Mapping[str, Any] = schema
    if not is_object(schema):
        data = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
    definitions = {key: data[key] for key in ("$defs", "definitions") if key in data}
    inner = {key: value for key, value in data.items() if key not in definitions}
    return {"type": "object", **definitions, "anyOf": [inner, _PENDING, _REDUCED]}
