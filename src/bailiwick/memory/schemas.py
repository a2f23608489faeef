"""Wire forms of memories."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import Field, StringConstraints

from bailiwick.kit import ids
from bailiwick.kit.http.wire import Wire
from bailiwick.memory.models import Memory, Reach
from bailiwick.memory.search import How
from bailiwick.tools.trust import Label

MemoryId = Annotated[str, Path(pattern=ids.pattern("mem"))]
InWorkspace = Annotated[str, Query(alias="workspaceId", pattern=ids.pattern("wsp"))]
# The same bounds as the tools have.
MemoryContent = Annotated[
    str, StringConstraints(min_length=1, max_length=20_000, pattern=r"^[^\x00]*$")
]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=50, pattern=r"^[^\x00-\x1f\x7f]*$")]
Tags = Annotated[list[Tag], Field(max_length=20)]
Owner = Annotated[str, StringConstraints(min_length=1, max_length=200)]
MemorySearch = Annotated[str, StringConstraints(max_length=500)]


class MemoryIn(Wire):
    """Something to remember."""

    content: MemoryContent
    tags: Tags = Field(default=[])
    reach: Reach = Field(
        default="local",
        description="Who finds it: only you (local), all who act for you (shared), or everyone in "
        "the workspace (global)",
    )


class MemoryPatch(Wire):
    """What to change about a memory; what is left out stays. It is moved by `reach` alone."""

    # Factories, because a default in the document would read as "left out means this".
    content: MemoryContent = Field(default_factory=str)
    tags: Tags = Field(default_factory=list)
    reach: Reach = Field(default_factory=lambda: "local")


class MemoryOut(Wire):
    """Something that is remembered."""

    id: str
    workspace_id: str
    content: str
    tags: list[str]
    reach: Reach
    owner_id: str | None = Field(description="Whose it is; null: everyone's")
    owner_name: str | None = Field(description="What the owner is called, if that is known")
    director_id: str | None = Field(
        description="Of a shared one: the director whose agents find it; null: all who act for you"
    )
    agent_id: str | None = Field(
        description="Of a shared one: the agent that it is shared with; null: all of the director's"
    )
    label: Label = Field(description="Whose words it holds")
    found: How | None = Field(
        description="Whether it was found by its words or by its meaning; null: nothing was asked"
    )
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(
        cls, memory: Memory, *, names: Mapping[str, str], found: How | None = None
    ) -> "MemoryOut":
        """A row as it is shown."""
        special = ("owner_name", "found")
        plain = {name: getattr(memory, name) for name in cls.model_fields if name not in special}
        return cls(**plain, owner_name=names.get(memory.owner_id or ""), found=found)


class MemoryChangeOut(Wire):
    """What became of a wish to change something."""

    status: Literal["done", "pending"]
    memory: MemoryOut | None = Field(
        default=None, description="As it is now; null if it is forgotten, or nothing is done yet"
    )
    action_id: str | None = Field(default=None, description="By which it can be undone")
    undoable: bool = False
    approval_id: str | None = None
    reason: str | None = Field(default=None, description="Why it waits for a person")
