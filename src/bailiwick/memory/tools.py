"""Tools for what agents remember."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.hookspecs import hookimpl
from bailiwick.memory.memories import Memories
from bailiwick.tools.office import Office
from bailiwick.tools.tool import Tool

_CONTENT = {
    "type": "string",
    "minLength": 1,
    "maxLength": 20_000,
    "pattern": r"^[^\u0000]*$",
    "description": "What to remember, as plain text.",
}
_TAGS = {
    "type": "array",
    "maxItems": 20,
    "items": {
        "type": "string",
        "minLength": 1,
        "maxLength": 50,
        "pattern": r"^[^\u0000-\u001f\u007f]*$",
    },
    "description": "Words to find it by.",
}
_ID = {"type": "string", "maxLength": 64, "description": "The id of the memory."}
_SHOWN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "content": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "reach": {"enum": ["local", "shared", "global"]},
        "updated_at": {"type": "string"},
    },
    "required": ["id", "content", "tags", "reach", "updated_at"],
}


@hookimpl
def bailiwick_tools(office: Office) -> Sequence[Tool]:
    """The tools of memory."""
    memories = Memories(office)
    return [
        Tool(
            name="memory_search",
            title="Search memories",
            description=(
                "Find memories that hold every word of the query: your own first, then shared "
                "ones, then those of the whole workspace. An empty query finds the newest."
            ),
            parameters=_object(
                {
                    "query": {"type": "string", "maxLength": 500, "description": "Words to find."},
                    "tags": {**_TAGS, "description": "Only memories that have all these tags."},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
                },
                "query",
            ),
            output={
                "type": "object",
                "properties": {
                    "memories": {"type": "array", "items": _SHOWN},
                    "more": {"type": "boolean", "description": "Whether there are more."},
                },
                "required": ["memories", "more"],
            },
            effect="read",
            run=memories.search,
        ),
        Tool(
            name="memory_add",
            title="Remember something",
            description="Remember something for later.",
            parameters=_object(
                {
                    "content": _CONTENT,
                    "tags": _TAGS,
                    "reach": {
                        "enum": ["local", "shared", "global"],
                        "default": "local",
                        "description": (
                            "Who finds it: only you (local), all who work for the same person "
                            "(shared), or everyone in the workspace (global)."
                        ),
                    },
                },
                "content",
            ),
            output=_SHOWN,
            effect="create",
            run=memories.add,
            undo=memories.unadd,
            preview=memories.preview_add,
            targets={"content": "name", "tags": "name"},
        ),
        Tool(
            name="memory_edit",
            title="Change a memory",
            description="Replace what a memory says. Tags that are left out stay.",
            parameters=_object(
                {"memory_id": _ID, "content": _CONTENT, "tags": _TAGS}, "memory_id", "content"
            ),
            output=_SHOWN,
            effect="edit",
            run=memories.edit,
            undo=memories.restore,
            replay="lookup",
            lookup=memories.edited,
            preview=memories.preview_edit,
            targets={"memory_id": "note"},
            ids={"memory_id": "note"},
        ),
        Tool(
            name="memory_delete",
            title="Forget a memory",
            description="Forget a memory. It can be brought back by undoing this.",
            parameters=_object({"memory_id": _ID}, "memory_id"),
            output=_SHOWN,
            effect="delete",
            run=memories.delete,
            undo=memories.restore,
            replay="lookup",
            lookup=memories.deleted,
            preview=memories.preview_delete,
            targets={"memory_id": "note"},
            ids={"memory_id": "note"},
        ),
    ]


def _object(properties: Mapping[str, Any], *required: str) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
