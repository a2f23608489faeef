"""The arguments of the memory tools, and the shown form of a memory."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from bailiwick.errors import Invalid
from bailiwick.memory.models import Reach
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.texts import ONE_LINE, PLAIN

ContentArgument = Annotated[
    str,
    Field(
        min_length=1,
        max_length=20_000,
        description="What to remember, as plain text.",
        examples=["Invoices go to Ada."],
    ),
    PLAIN,
]
TagArgument = Annotated[str, Field(min_length=1, max_length=50), ONE_LINE]
TagsArgument = Annotated[
    tuple[TagArgument, ...],
    Field(max_length=20, description="Words to find it by.", examples=[["office"]]),
]
MemoryIdArgument = Annotated[
    str, Field(max_length=64, description="The id of the memory.", examples=["note_1"])
]
_REACH = (
    "Who finds it: only you (local), you and your director (shared; without one, all who work for "
    "the same person), or everyone in the workspace (global)."
)
_SCOPE = "Another word for reach."


class SearchMemories(ToolArguments):
    """What to look for."""

    query: str = Field("", max_length=500, description="What to look for.", examples=["invoices"])
    mode: Literal["keyword", "semantic", "both"] = Field(
        "both", description="Find what holds every word, what means something like it, or both."
    )
    reach: Omittable[Reach] = Field(None, description="Only local, shared or global memories.")
    scope: Omittable[Reach] = Field(None, description=_SCOPE)
    owner: Omittable[str] = Field(
        None, max_length=200, description="Only memories of this agent or person, by name or id."
    )
    tag: Omittable[TagArgument] = Field(None, description="Only memories that have this tag.")
    tags: TagsArgument = Field(
        (), description="Only memories that have all these tags.", examples=[]
    )
    limit: int = Field(20, ge=1, le=100, description="How many at most.")


class MemoryEntry(ToolArguments):
    """A memory as one piece."""

    content: ContentArgument
    tags: TagsArgument = ()


class AddMemory(ToolArguments):
    """Something to remember."""

    content: Omittable[ContentArgument] = Field(None, examples=["Invoices go to Ada."])
    tags: TagsArgument = ()
    entry: Omittable[MemoryEntry] = Field(None, description="Instead of content and tags.")
    reach: Omittable[Reach] = Field(None, description=f"{_REACH} Left out: local.")
    scope: Omittable[Reach] = Field(None, description=_SCOPE)


class OneMemory(ToolArguments):
    """The memory that it is about."""

    memory_id: MemoryIdArgument


class ChangedEntry(ToolArguments):
    """A memory by its id, and what is new of it."""

    id: MemoryIdArgument
    content: Omittable[ContentArgument] = None
    tags: Omittable[TagsArgument] = Field(None, examples=[])


class EditMemory(ToolArguments):
    """What a memory is to say, or its tags."""

    memory_id: Omittable[MemoryIdArgument] = Field(None, examples=["note_1"])
    content: Omittable[ContentArgument] = None
    tags: Omittable[TagsArgument] = Field(None, examples=[])
    entry: Omittable[ChangedEntry] = Field(
        None, description="Instead of memory_id, content and tags."
    )


class MoveMemory(OneMemory):
    """Where a memory is to be."""

    reach: Omittable[Reach] = Field(None, description=_REACH, examples=["shared"])
    scope: Omittable[Reach] = Field(None, description=_SCOPE)


class ShownMemory(BaseModel):
    """A memory as callers see it."""

    id: str
    content: str
    tags: list[str]
    reach: Reach
    owner: str | None = Field(description="Whose it is; null: everyone's.")
    updated_at: str


class ShownMemories(BaseModel):
    """What a search found."""

    memories: list[ShownMemory]
    more: bool = Field(description="Whether there are more.")


def reach_of(arguments: SearchMemories | AddMemory | MoveMemory) -> Reach | None:
    """The reach that the arguments name; `scope` is another word for it."""
    reach, scope = arguments.reach, arguments.scope
    if reach and scope and reach != scope:
        raise Invalid.field("scope", "is another word for reach: give one of them")
    return reach or scope


def added_entry(arguments: AddMemory) -> MemoryEntry:
    """What is to be remembered, however it was given."""
    if arguments.entry and arguments.content is not None:
        raise Invalid.field("entry", "stands instead of content: give one of them")
    if arguments.entry:
        return arguments.entry
    if arguments.content is None:
        raise Invalid.field("content", "is missing. What to remember, as plain text.")
    return MemoryEntry(content=arguments.content, tags=arguments.tags)


def changed_entry(arguments: EditMemory) -> ChangedEntry:
    """What is to be changed, however it was given."""
    if arguments.entry and arguments.memory_id is not None:
        raise Invalid.field("entry", "stands instead of memory_id: give one of them")
    if arguments.entry:
        return arguments.entry
    if arguments.memory_id is None:
        raise Invalid.field("memory_id", "is missing. The id of the memory.")
    return ChangedEntry.model_construct(
        id=arguments.memory_id, content=arguments.content, tags=arguments.tags
    )


def target_of(arguments: MoveMemory) -> Reach:
    """Where a memory goes."""
    if reach := reach_of(arguments):
        return reach
    raise Invalid.field("reach", "say where to: local, shared or global")
