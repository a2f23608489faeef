"""Verbs of memory. A change is undone as long as the memory still is what it was made."""

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Any, Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Conflict
from bailiwick.kit import clock, ids
from bailiwick.memory import repository
from bailiwick.memory.models import Memory
from bailiwick.tools.tool import Context
from bailiwick.tools.trust import Label, lowest

Reach = Literal["local", "shared", "global"]
Values = Mapping[str, Any]
_SAID = ("content", "tags", "label")
# How many are looked through at most, the nearest and newest first.
MOST_SEARCHED = 10_000


async def search(
    session: AsyncSession, context: Context, *, query: str, tags: Sequence[str], limit: int
) -> list[Memory]:
    """The memories that hold every word of the query and every tag."""
    # Not in SQL: SQLite folds the case of ASCII letters only.
    words = query.casefold().split()
    wanted = {tag.casefold() for tag in tags}
    found: list[Memory] = []
    async with aclosing(repository.visible(session, context, most=MOST_SEARCHED)) as memories:
        async for memory in memories:
            has = {tag.casefold() for tag in memory.tags}
            text = "\n".join((memory.content.casefold(), *has))
            if wanted <= has and all(word in text for word in words):
                found.append(memory)
            if len(found) >= limit:
                break
    return found


async def add(
    session: AsyncSession, context: Context, *, content: str, tags: Sequence[str], reach: Reach
) -> Memory:
    """A new memory; the same call tried again finds the one that it made."""
    if made := await repository.made_by(session, context.workspace_id, context.key):
        return made
    owners = {"local": context.actor_id, "shared": repository.sharer(context), "global": None}
    now = clock.now()
    memory = Memory(
        id=ids.new("mem"),
        workspace_id=context.workspace_id,
        reach=reach,
        owner_id=owners[reach],
        content=content,
        tags=[*dict.fromkeys(tags)],
        label=context.label,
        revision=1,
        created_by=context.actor_id,
        created_key=context.key,
        created_at=now,
        updated_at=now,
    )
    session.add(memory)
    return memory


def edit(memory: Memory, *, content: str, tags: Sequence[str] | None, label: Label) -> None:
    """Set what a memory says."""
    new_tags = memory.tags if tags is None else [*dict.fromkeys(tags)]
    if (memory.content, memory.tags) == (content, new_tags):
        return
    kept: Label = memory.label  # pyright: ignore[reportAssignmentType]
    # Tags that stay are still the words of whoever gave them.
    memory.label = lowest((kept, label)) if tags is None and memory.tags else label
    memory.content, memory.tags = content, new_tags
    _touch(memory)


def delete(memory: Memory) -> None:
    """Forget a memory; it can be brought back."""
    memory.deleted_at = clock.now()
    _touch(memory)


def restore(memory: Memory, before: Values, *, after: Values) -> None:
    """Put earlier values back, unless someone changed it since; done twice, it stays done."""
    if snapshot(memory) == before:
        return
    require_same(memory, after)
    memory.content, memory.tags, memory.label = (before[name] for name in _SAID)
    memory.deleted_at = before["deleted_at"] and datetime.fromisoformat(before["deleted_at"])
    _touch(memory)


def require_same(memory: Memory, after: Values) -> None:
    """Refuse to undo what someone went on working with."""
    if snapshot(memory) != after:
        raise Conflict(
            "This memory was changed since. Nothing was undone; change it by hand if you still "
            "want to."
        )


def snapshot(memory: Memory) -> dict[str, Any]:
    """All that a change can touch, as JSON."""
    said = {name: getattr(memory, name) for name in _SAID}
    return {**said, "deleted_at": memory.deleted_at and memory.deleted_at.isoformat()}


def _touch(memory: Memory) -> None:
    memory.revision += 1
    memory.updated_at = clock.now()
