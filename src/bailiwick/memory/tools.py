"""Tools for what agents remember."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.hookspecs import hookimpl
from bailiwick.memory.memories import Memories
from bailiwick.tools.facts import Office
from bailiwick.tools.tool import Tool

_CONTENT = {
    "type": "string",
    "minLength": 1,
    "maxLength": 20_000,
    "pattern": r"^[^\u0000]*$",
    "description": "What to remember, as plain text.",
}
_TAGS: Mapping[str, Any] = {
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
_TAG = {**_TAGS["items"], "description": "Only memories that have this tag."}
_ID = {"type": "string", "maxLength": 64, "description": "The id of the memory."}
_PLACES = ["local", "shared", "global"]
_REACH: Mapping[str, Any] = {
    "enum": _PLACES,
    "description": (
        "Who finds it: only you (local), all who work for the same person (shared), or everyone "
        "in the workspace (global)."
    ),
}
_SCOPE: Mapping[str, Any] = {"enum": _PLACES, "description": "Another word for reach."}
_SHOWN: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "content": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "reach": {"enum": _PLACES},
        "owner": {"type": ["string", "null"], "description": "Whose it is; null: everyone's."},
        "updated_at": {"type": "string"},
    },
    "required": ["id", "content", "tags", "reach", "owner", "updated_at"],
}
_FOUND: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "memories": {"type": "array", "items": _SHOWN},
        "more": {"type": "boolean", "description": "Whether there are more."},
    },
    "required": ["memories", "more"],
}
_SEARCH: Mapping[str, Any] = {
    "query": {"type": "string", "maxLength": 500, "description": "What to look for."},
    "mode": {
        "enum": ["keyword", "semantic", "both"],
        "default": "both",
        "description": "Find what holds every word, what means something like it, or both.",
    },
    "reach": {"enum": _PLACES, "description": "Only local, shared or global memories."},
    "scope": _SCOPE,
    "owner": {
        "type": "string",
        "maxLength": 200,
        "description": "Only memories of this agent or person, by name or id.",
    },
    "tag": _TAG,
    "tags": {**_TAGS, "description": "Only memories that have all these tags."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20},
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
                "Find memories by their words and by what they mean: your own first, then shared "
                "ones, then those of the whole workspace. Without a query it finds the newest."
            ),
            parameters=_object(_SEARCH),
            output=_FOUND,
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
                    "reach": {**_REACH, "default": "local"},
                    "scope": _SCOPE,
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
            description="Replace what a memory says, or its tags. What is left out stays.",
            parameters=_object({"memory_id": _ID, "content": _CONTENT, "tags": _TAGS}, "memory_id"),
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
            name="memory_move",
            title="Move a memory",
            description="Let others find a memory, or fewer. What it says stays as it is.",
            parameters=_object({"memory_id": _ID, "reach": _REACH, "scope": _SCOPE}, "memory_id"),
            output=_SHOWN,
            effect="edit",
            run=memories.move,
            undo=memories.restore,
            replay="lookup",
            lookup=memories.moved,
            preview=memories.preview_move,
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
