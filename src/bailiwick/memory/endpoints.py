"""REST of memories."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from bailiwick.errors import NotFound
from bailiwick.gate.people import Visible
from bailiwick.identity.access import SignedIn
from bailiwick.kit.http.database import Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery
from bailiwick.memory import browse, repository
from bailiwick.memory.models import Memory, Reach
from bailiwick.memory.schemas import (
    InWorkspace,
    MemoryChangeOut,
    MemoryId,
    MemoryIn,
    MemoryOut,
    MemoryPatch,
    MemorySearch,
    Owner,
    Tag,
)
from bailiwick.memory.search import MemoryQuery, Mode
from bailiwick.office import TheOffice
from bailiwick.workspaces.access import WorkspaceAccess, WorkspaceRole, enter

router = APIRouter(prefix="/memory", tags=["memory"], route_class=IdempotentRoute)


@dataclass(frozen=True, slots=True)
class HeldMemory:
    """A memory that the caller may see, in a workspace that they may enter."""

    memory: Memory
    access: WorkspaceAccess


# Each ends its own short transaction: the gate must never run inside one.
async def _reader(workspace_id: InWorkspace, who: SignedIn, stores: Stores) -> WorkspaceAccess:
    async with stores.app.read() as session:
        return await enter(session, who, workspace_id, need="read")


async def _writer(workspace_id: InWorkspace, who: SignedIn, stores: Stores) -> WorkspaceAccess:
    async with stores.app.read() as session:
        return await enter(session, who, workspace_id, need="write")


async def _seen(memory_id: MemoryId, who: SignedIn, seen: Visible, stores: Stores) -> HeldMemory:
    return await _held(memory_id, who, seen, stores, need="read")


async def _own(memory_id: MemoryId, who: SignedIn, seen: Visible, stores: Stores) -> HeldMemory:
    return await _held(memory_id, who, seen, stores, need="write")


async def _held(
    id: str, who: SignedIn, seen: Visible, stores: Stores, *, need: WorkspaceRole
) -> HeldMemory:
    async with stores.app.read() as session:
        workspace = await repository.workspace_of(session, id)
        if workspace is None or workspace not in seen:
            raise NotFound("There is no such memory. Search to see what there is.")
        memory = await repository.get(session, browse.viewer_of(who, workspace), id)
        return HeldMemory(memory, await enter(session, who, workspace, need=need))


MemoryReader = Annotated[WorkspaceAccess, Depends(_reader)]
MemoryWriter = Annotated[WorkspaceAccess, Depends(_writer)]
SeenMemory = Annotated[HeldMemory, Depends(_seen)]
ChangeableMemory = Annotated[HeldMemory, Depends(_own)]
Tagged = Annotated[list[Tag], Query(max_length=20)]


@router.get("")
async def list_memories(
    access: MemoryReader,
    who: SignedIn,
    office: TheOffice,
    page: PageQuery,
    query: MemorySearch = "",
    mode: Mode = "both",
    reach: Reach | None = None,
    owner: Owner | None = None,
    tag: Tagged = [],  # noqa: B006
) -> Page[MemoryOut]:
    """What is remembered: one's own first, then what is shared, then what is everyone's."""
    found_by = MemoryQuery(query=query, mode=mode, reach=reach, owner=owner, tags=tag)
    rows = await browse.listed(office, who, access, query=found_by, page=page)
    return rows.map(lambda shown: shown)


@router.post("")
async def add_memory(
    body: MemoryIn, access: MemoryWriter, who: SignedIn, office: TheOffice
) -> MemoryChangeOut:
    """Remember something, through the gate like everyone."""
    return await browse.added(office, who, access, body.model_dump())


@router.get("/{memory_id}")
async def read_memory(held: SeenMemory, who: SignedIn, office: TheOffice) -> MemoryOut:
    """One memory."""
    (shown,) = await browse.shown_to(office, who, [held.memory], found={})
    return shown


@router.patch("/{memory_id}")
async def change_memory(
    body: MemoryPatch, held: ChangeableMemory, who: SignedIn, office: TheOffice
) -> MemoryChangeOut:
    """Change what a memory says, or move it; each is one action, which can be undone."""
    values = {name: getattr(body, name) for name in body.model_fields_set}
    return await browse.changed(office, who, held.access, held.memory, values=values)


@router.delete("/{memory_id}")
async def forget_memory(
    held: ChangeableMemory, who: SignedIn, office: TheOffice
) -> MemoryChangeOut:
    """Forget a memory; undoing the action brings it back."""
    return await browse.forgotten(office, who, held.access, held.memory)
