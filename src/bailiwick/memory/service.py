"""Verbs of memory.

A change can be undone while the memory is as the change left it. A memory keeps the trust label of
the words in it, wherever it moves: a change can only lower it.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.instance.changes import Values
from bailiwick.kit import clock, ids
from bailiwick.memory import events, repository
from bailiwick.memory.models import Memory, Reach
from bailiwick.memory.viewer import MemoryViewer
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import lowest

_SAID = ("content", "tags", "label")
_PLACED = ("reach", "owner_id", "owner_name", "user_id", "director_id", "agent_id")


async def add(
    session: AsyncSession,
    context: ToolContext,
    *,
    content: str,
    tags: Sequence[str],
    reach: Reach,
    vector: bytes | None,
) -> Memory:
    """A new memory; the same call tried again finds the one that it made."""
    if made := await repository.made_by(session, context.workspace_id, context.key):
        return made
    now = clock.now()
    memory = Memory(
        id=ids.new("mem"),
        workspace_id=context.workspace_id,
        content=content,
        tags=[*dict.fromkeys(tags)],
        label=context.label,
        revision=1,
        created_by=context.actor_id,
        created_key=context.key,
        created_at=now,
        updated_at=now,
        vector=vector,
    )
    _place(memory, context, reach)
    session.add(memory)
    events.emit(session, memory, "memory.added", by=context.actor_id)
    return memory


def edit(
    session: AsyncSession,
    context: ToolContext,
    memory: Memory,
    *,
    content: str | None,
    tags: Sequence[str] | None,
    vector: bytes | None,
) -> None:
    """Set a memory's content and tags; None leaves a value as it is."""
    new = memory.content if content is None else content
    new_tags = memory.tags if tags is None else [*dict.fromkeys(tags)]
    if (memory.content, memory.tags) == (new, new_tags):
        return
    # An edited text is likely to keep some of the words before, so it keeps the lower label.
    memory.label = lowest((memory.label, context.label))
    if memory.content != new:
        memory.content, memory.vector = new, vector
    memory.tags = new_tags
    _touch(memory)
    events.emit(session, memory, "memory.changed", by=context.actor_id)


def move(session: AsyncSession, context: ToolContext, memory: Memory, *, to: Reach) -> None:
    """Change a memory's reach; a narrower one makes it the mover's own."""
    if memory.reach == to:
        return
    before = events.eyes(memory)
    _place(memory, context, to)
    _touch(memory)
    events.emit(session, memory, "memory.changed", by=context.actor_id, before=before)


def delete(session: AsyncSession, context: ToolContext, memory: Memory) -> None:
    """Delete a memory; it can be restored."""
    memory.deleted_at = clock.now()
    _touch(memory)
    events.emit(session, memory, "memory.removed", by=context.actor_id)


def restore(
    session: AsyncSession, context: ToolContext, memory: Memory, *, before: Values, after: Values
) -> None:
    """Restore earlier values, unless somebody changed them since; a second call does nothing."""
    if _is(memory, before):
        return
    require_same(memory, after)
    eyes, was_gone, said = events.eyes(memory), memory.deleted_at is not None, memory.content
    for name in (*_SAID, *_PLACED):
        if name in before:
            setattr(memory, name, before[name])
    memory.deleted_at = before["deleted_at"] and datetime.fromisoformat(before["deleted_at"])
    if memory.content != said:
        memory.vector = None
    _touch(memory)
    what = "memory.added" if was_gone and not memory.deleted_at else "memory.changed"
    events.emit(session, memory, what, by=context.actor_id, before=eyes)


def require_same(memory: Memory, after: Values) -> None:
    """Refuse to undo a change that somebody built on."""
    if not _is(memory, after):
        raise Conflict(
            "This memory was changed since. Nothing was undone; change it by hand if you still "
            "want to."
        )


def snapshot(memory: Memory) -> dict[str, Any]:
    """All values that a change can touch, as JSON."""
    kept = {name: getattr(memory, name) for name in (*_SAID, *_PLACED)}
    return {**kept, "deleted_at": memory.deleted_at and memory.deleted_at.isoformat()}


def _is(memory: Memory, values: Values) -> bool:
    # Receipts from before memories could move hold no reach.
    now = snapshot(memory)
    return all(now[name] == value for name, value in values.items())


def _place(memory: Memory, context: ToolContext, reach: Reach) -> None:
    viewer = MemoryViewer.of(context)
    owners = {"local": context.actor_id, "shared": viewer.sharer, "global": None}
    memory.reach, memory.owner_id = reach, owners[reach]
    memory.owner_name = context.actor_name if reach == "local" else None
    memory.user_id = context.user_id if reach != "global" else None
    # A director shares with all of its agents, an agent with its director alone.
    director = context.director_id if reach == "shared" else None
    memory.director_id = director
    memory.agent_id = context.actor_id if director and director != context.actor_id else None


def _touch(memory: Memory) -> None:
    memory.revision += 1
    memory.updated_at = clock.now()
