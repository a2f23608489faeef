"""What the tools of memory do, each beside its inverse."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from bailiwick.memory import repository, service
from bailiwick.memory.models import Memory
from bailiwick.tools.office import Office
from bailiwick.tools.tool import Arguments, Context, Output, Receipt, Ref
from bailiwick.tools.trust import Label, Source


class Memories:
    """What the tools do."""

    def __init__(self, office: Office) -> None:
        self._app = office.storage.app

    async def search(self, context: Context, arguments: Arguments) -> Output:
        """What is remembered, each with whose words it is."""
        limit = arguments.get("limit", 20)
        async with self._app.read() as session:
            found = await service.search(
                session,
                context,
                query=arguments["query"],
                tags=arguments.get("tags", ()),
                limit=limit + 1,
            )
        shown = found[:limit]
        return Output(
            {"memories": [_shown(memory) for memory in shown], "more": len(found) > limit},
            summary=f"{len(shown)} memories",
            sources=tuple(map(_source, shown)),
        )

    async def add(self, context: Context, arguments: Arguments) -> Output:
        """Remember."""
        async with self._app.write() as session:
            memory = await service.add(
                session,
                context,
                content=arguments["content"],
                tags=arguments.get("tags", ()),
                reach=arguments.get("reach", "local"),
            )
        return _output(memory, "added", _receipt(memory, {}))

    async def unadd(self, context: Context, arguments: Arguments, receipt: Receipt) -> Output:
        """Forget what was added."""
        async with self._changing(context, receipt["memory"], deleted=True) as memory:
            if memory.deleted_at is None:
                service.require_same(memory, receipt["after"])
                service.delete(memory)
        return _output(memory, "forgotten again")

    async def edit(self, context: Context, arguments: Arguments) -> Output:
        """Change what a memory says."""
        content, tags = arguments["content"], arguments.get("tags")
        async with self._changing(context, arguments["memory_id"]) as memory:
            before = service.snapshot(memory)
            service.edit(memory, content=content, tags=tags, label=context.label)
        return _output(memory, "changed", _receipt(memory, before))

    async def edited(self, context: Context, arguments: Arguments) -> Output | None:
        """Whether a memory says this; what it said before cannot be told."""
        memory = await self._find(context, arguments)
        tags = arguments.get("tags")
        if memory.deleted_at or memory.content != arguments["content"]:
            return None
        if tags is not None and memory.tags != [*dict.fromkeys(tags)]:
            return None
        return _output(memory, "changed")

    async def delete(self, context: Context, arguments: Arguments) -> Output:
        """Forget."""
        async with self._changing(context, arguments["memory_id"]) as memory:
            before = service.snapshot(memory)
            service.delete(memory)
        return _output(memory, "forgotten", _receipt(memory, before))

    async def deleted(self, context: Context, arguments: Arguments) -> Output | None:
        """Whether a memory is forgotten."""
        memory = await self._find(context, arguments)
        if memory.deleted_at is None:
            return None
        before = {**service.snapshot(memory), "deleted_at": None}
        return _output(memory, "forgotten", _receipt(memory, before))

    async def restore(self, context: Context, arguments: Arguments, receipt: Receipt) -> Output:
        """Put back what a memory said before."""
        async with self._changing(context, receipt["memory"], deleted=True) as memory:
            service.restore(memory, receipt["before"], after=receipt["after"])
        return _output(memory, "put back")

    async def preview_add(self, context: Context, arguments: Arguments) -> Mapping[str, Any]:
        """What would be remembered."""
        return {"kind": "text", "text": arguments["content"][:5000]}

    async def preview_edit(self, context: Context, arguments: Arguments) -> Mapping[str, Any]:
        """What it says now, and would say."""
        memory = await self._find(context, arguments, deleted=False)
        said = {"before": memory.content[:5000], "after": arguments["content"][:5000]}
        return {"kind": "fields", "fields": {"content": said}}

    async def preview_delete(self, context: Context, arguments: Arguments) -> Mapping[str, Any]:
        """What would be forgotten."""
        memory = await self._find(context, arguments, deleted=False)
        return {"kind": "text", "text": memory.content[:5000]}

    @asynccontextmanager
    async def _changing(
        self, context: Context, id: str, *, deleted: bool = False
    ) -> AsyncGenerator[Memory]:
        async with self._app.write() as session:
            yield await repository.get(session, context, id, deleted=deleted, lock=True)

    async def _find(
        self, context: Context, arguments: Arguments, *, deleted: bool = True
    ) -> Memory:
        async with self._app.read() as session:
            return await repository.get(session, context, arguments["memory_id"], deleted=deleted)


def _receipt(memory: Memory, before: service.Values) -> Receipt | None:
    after = service.snapshot(memory)
    return {"memory": memory.id, "before": before, "after": after} if before != after else None


def _shown(memory: Memory) -> dict[str, Any]:
    return {
        "id": Ref("note", memory.id),
        "content": memory.content,
        "tags": memory.tags,
        "reach": memory.reach,
        "updated_at": memory.updated_at.isoformat(),
    }


def _source(memory: Memory) -> Source:
    label: Label = memory.label  # pyright: ignore[reportAssignmentType]
    return Source(label, f"a memory of {memory.updated_at:%Y-%m-%d}")


def _output(memory: Memory, what: str, receipt: Receipt | None = None) -> Output:
    return Output(
        _shown(memory), summary=f"memory {what}", sources=(_source(memory),), receipt=receipt
    )
