"""Tools for memories."""

from collections.abc import Sequence

from bailiwick.memory.arguments import (
    AddMemory,
    EditMemory,
    MoveMemory,
    OneMemory,
    SearchMemories,
    ShownMemories,
    ShownMemory,
)
from bailiwick.memory.memories import Memories
from bailiwick.office import Office
from bailiwick.tools.json_schema import schema_of
from bailiwick.tools.tool import Tool

_SHOWN = schema_of(ShownMemory)


def tools(office: Office) -> Sequence[Tool]:
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
            arguments=SearchMemories,
            output=schema_of(ShownMemories),
            effect="read",
            run=memories.search,
        ),
        Tool(
            name="memory_add",
            title="Remember something",
            description="Remember something for later.",
            arguments=AddMemory,
            output=_SHOWN,
            effect="create",
            run=memories.add,
            undo=memories.unadd,
            undone_as="memory_delete",
            preview=memories.preview_add,
            targets={"content": "name", "tags": "name", "entry": "name"},
        ),
        Tool(
            name="memory_edit",
            title="Change a memory",
            description="Replace what a memory says, or its tags. What is left out stays.",
            arguments=EditMemory,
            output=_SHOWN,
            effect="edit",
            run=memories.edit,
            undo=memories.restore,
            replay="lookup",
            lookup=memories.edited,
            preview=memories.preview_edit,
            targets={"memory_id": "note", "entry.id": "note"},
            ids={"memory_id": "note", "entry.id": "note"},
        ),
        Tool(
            name="memory_move",
            title="Move a memory",
            description="Let others find a memory, or fewer. What it says stays as it is.",
            arguments=MoveMemory,
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
            arguments=OneMemory,
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
