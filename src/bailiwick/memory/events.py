"""Events of memories: ids alone, and only to those whom the memory reaches."""

from collections.abc import Collection
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance import audience
from bailiwick.kit import eventlog
from bailiwick.memory.models import Memory

What = Literal["memory.added", "memory.changed", "memory.removed"]


def eyes(memory: Memory) -> set[str]:
    """The audience of a memory."""
    if memory.reach == "global":
        return {audience.workspace(memory.workspace_id)}
    whose = (memory.user_id if memory.reach == "local" else None) or memory.owner_id
    return {audience.user(whose)} if whose else set()


def emit(
    session: AsyncSession, memory: Memory, what: What, *, by: str, before: Collection[str] = ()
) -> None:
    """Record a change of a memory; those whom it no longer reaches are told too."""
    eventlog.record(
        session,
        eventlog.Event(
            what,
            audience=sorted({*eyes(memory), *before}),
            workspace_id=memory.workspace_id,
            actor_id=by,
            subject_id=memory.id,
        ),
    )
