"""The code of the memory tools, each beside its inverse."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.memory import repository, search, service, vectors
from bailiwick.memory.arguments import (
    AddMemory,
    EditMemory,
    MoveMemory,
    OneMemory,
    SearchMemories,
    added_entry,
    changed_entry,
    reach_of,
    target_of,
)
from bailiwick.memory.models import Memory
from bailiwick.memory.viewer import MemoryViewer
from bailiwick.office import Office
from bailiwick.tools.tool import Receipt, Ref, ToolContext, ToolOutput
from bailiwick.tools.trust import Source


class Memories:
    """The code of the memory tools."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def search(self, context: ToolContext, arguments: SearchMemories) -> ToolOutput:
        """Find memories, each with its trust label."""
        viewer = MemoryViewer.of(context)
        found = await search.find(self._app, viewer, _query(arguments), most=arguments.limit)
        async with self._app.read() as session:
            shown = await repository.these(session, viewer, [hit.id for hit in found.hits])
            names = await repository.names(session, shown)
        return ToolOutput(
            {"memories": [_shown(memory, names) for memory in shown], "more": found.more},
            summary=f"{len(shown)} memories",
            sources=tuple(map(source, shown)),
        )

    async def add(self, context: ToolContext, arguments: AddMemory) -> ToolOutput:
        """Add a memory."""
        entry = added_entry(arguments)
        vector = await vectors.of(entry.content)
        async with self._app.write() as session:
            memory = await service.add(
                session,
                context,
                content=entry.content,
                tags=entry.tags,
                reach=reach_of(arguments) or "local",
                vector=vector,
            )
        return await self._output(memory, "added", _receipt(memory, {}))

    async def unadd(
        self, context: ToolContext, arguments: AddMemory, receipt: Receipt
    ) -> ToolOutput:
        """Delete the added memory."""
        async with self._changing(context, receipt["memory"], deleted=True) as (session, memory):
            if memory.deleted_at is None:
                service.require_same(memory, receipt["after"])
                service.delete(session, context, memory)
        return await self._output(memory, "forgotten again")

    async def edit(self, context: ToolContext, arguments: EditMemory) -> ToolOutput:
        """Change what a memory says."""
        entry = changed_entry(arguments)
        content, tags = entry.content, entry.tags
        if content is None and tags is None:
            raise Invalid.field("content", "give a new content, new tags or both")
        vector = None if content is None else await vectors.of(content)
        async with self._changing(context, entry.id) as (session, memory):
            before = service.snapshot(memory)
            service.edit(session, context, memory, content=content, tags=tags, vector=vector)
        return await self._output(memory, "changed", _receipt(memory, before))

    async def edited(self, context: ToolContext, arguments: EditMemory) -> ToolOutput | None:
        """Whether the edit took effect; the values before are unknown."""
        entry = changed_entry(arguments)
        memory = await self._find(context, entry.id)
        content, tags = entry.content, entry.tags
        if memory.deleted_at or (content is not None and memory.content != content):
            return None
        if tags is not None and memory.tags != [*dict.fromkeys(tags)]:
            return None
        return await self._output(memory, "changed")

    async def move(self, context: ToolContext, arguments: MoveMemory) -> ToolOutput:
        """Change a memory's reach."""
        to = target_of(arguments)
        async with self._changing(context, arguments.memory_id) as (session, memory):
            before = service.snapshot(memory)
            service.move(session, context, memory, to=to)
        return await self._output(memory, "moved", _receipt(memory, before))

    async def moved(self, context: ToolContext, arguments: MoveMemory) -> ToolOutput | None:
        """Whether the move took effect; the reach before is unknown."""
        memory = await self._find(context, arguments.memory_id)
        if memory.deleted_at or memory.reach != target_of(arguments):
            return None
        return await self._output(memory, "moved")

    async def delete(self, context: ToolContext, arguments: OneMemory) -> ToolOutput:
        """Delete a memory."""
        async with self._changing(context, arguments.memory_id) as (session, memory):
            before = service.snapshot(memory)
            service.delete(session, context, memory)
        return await self._output(memory, "forgotten", _receipt(memory, before))

    async def deleted(self, context: ToolContext, arguments: OneMemory) -> ToolOutput | None:
        """Whether the memory is deleted."""
        memory = await self._find(context, arguments.memory_id)
        if memory.deleted_at is None:
            return None
        before = {**service.snapshot(memory), "deleted_at": None}
        return await self._output(memory, "forgotten", _receipt(memory, before))

    async def restore(
        self, context: ToolContext, arguments: OneMemory | EditMemory, receipt: Receipt
    ) -> ToolOutput:
        """Restore a memory's earlier content or reach."""
        before, after = receipt["before"], receipt["after"]
        async with self._changing(context, receipt["memory"], deleted=True) as (session, memory):
            service.restore(session, context, memory, before=before, after=after)
        return await self._output(memory, "put back")

    async def preview_add(self, context: ToolContext, arguments: AddMemory) -> Mapping[str, Any]:
        """The memory to be added."""
        return {"kind": "text", "text": added_entry(arguments).content[:5000]}

    async def preview_edit(self, context: ToolContext, arguments: EditMemory) -> Mapping[str, Any]:
        """Its content before and after."""
        entry = changed_entry(arguments)
        memory = await self._find(context, entry.id, deleted=False)
        new = entry.model_dump(mode="json", include={"content", "tags"})
        fields = {
            name: {"before": getattr(memory, name)[:5000], "after": value[:5000]}
            for name, value in new.items()
            if value is not None
        }
        return {"kind": "fields", "title": memory.content[:200], "fields": fields}

    async def preview_move(self, context: ToolContext, arguments: MoveMemory) -> Mapping[str, Any]:
        """Its reach before and after."""
        memory = await self._find(context, arguments.memory_id, deleted=False)
        places = {"before": memory.reach, "after": target_of(arguments)}
        return {"kind": "fields", "title": memory.content[:5000], "fields": {"reach": places}}

    async def preview_delete(self, context: ToolContext, arguments: OneMemory) -> Mapping[str, Any]:
        """The memory to be deleted."""
        memory = await self._find(context, arguments.memory_id, deleted=False)
        return {"kind": "text", "text": memory.content[:5000]}

    @asynccontextmanager
    async def _changing(
        self, context: ToolContext, id: str, *, deleted: bool = False
    ) -> AsyncGenerator[tuple[AsyncSession, Memory]]:
        viewer = MemoryViewer.of(context)
        async with self._app.write() as session:
            yield session, await repository.get(session, viewer, id, deleted=deleted, lock=True)

    async def _find(
        self,
        context: ToolContext,
        id: str,
        *,
        deleted: bool = True,
    ) -> Memory:
        viewer = MemoryViewer.of(context)
        async with self._app.read() as session:
            return await repository.get(session, viewer, id, deleted=deleted)

    async def _output(
        self, memory: Memory, what: str, receipt: Receipt | None = None
    ) -> ToolOutput:
        async with self._app.read() as session:
            names = await repository.names(session, [memory])
        return ToolOutput(
            _shown(memory, names),
            summary=f"memory {what}",
            sources=(source(memory),),
            receipt=receipt,
        )


def source(memory: Memory) -> Source:
    """The trust label of a memory, as a source."""
    return Source(memory.label, f"a memory of {memory.updated_at:%Y-%m-%d}")


def _query(arguments: SearchMemories) -> search.MemoryQuery:
    return search.MemoryQuery(
        query=arguments.query,
        mode=arguments.mode,
        reach=reach_of(arguments),
        owner=arguments.owner,
        tags=(*arguments.tags, *((arguments.tag,) if arguments.tag else ())),
    )


def _receipt(memory: Memory, before: service.Values) -> Receipt | None:
    after = service.snapshot(memory)
    return {"memory": memory.id, "before": before, "after": after} if before != after else None


def _shown(memory: Memory, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": Ref("note", memory.id),
        "content": memory.content,
        "tags": memory.tags,
        "reach": memory.reach,
        "owner": names.get(memory.owner_id or ""),
        "updated_at": memory.updated_at.isoformat(),
    }
