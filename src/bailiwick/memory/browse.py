"""Memories for people: listed here, changed through the gate.

A person sees what is stored. A program with a user's token sees it as agents do: redacted, and with
its trust label recorded before the program can act on it.
"""

import json
from collections.abc import Mapping, Sequence

from bailiwick.errors import Invalid
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending
from bailiwick.gate.checks.redaction import redacted
from bailiwick.gate.people import context_of
from bailiwick.gate.redactions.cache import RedactorCache
from bailiwick.gate.trust import grounding
from bailiwick.gate.trust.reads import ReadStates
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.kit.http.pages import PageRequest, Rows
from bailiwick.memory import repository, search
from bailiwick.memory.memories import source
from bailiwick.memory.models import Memory
from bailiwick.memory.schemas import MemoryChangeOut, MemoryOut
from bailiwick.memory.search import How, MemoryQuery
from bailiwick.memory.viewer import MemoryViewer
from bailiwick.office import Office
from bailiwick.tools.tool import Arguments, Ref
from bailiwick.workspaces.access import WorkspaceAccess


def viewer_of(who: Principal, workspace_id: str) -> MemoryViewer:
    """The viewer for a person, or for a program with their token."""
    return MemoryViewer(workspace_id, who.id, who.user_id)


async def listed(
    office: Office,
    who: Principal,
    access: WorkspaceAccess,
    *,
    query: MemoryQuery,
    page: PageRequest,
) -> Rows[MemoryOut]:
    """One page of a search's result, in its order."""
    app, viewer = office.storage.app, viewer_of(who, access.id)
    position = page.position()
    hits = (await search.find(app, viewer, query)).hits
    # The sort key gives the position; the token's time is ignored.
    seen = tuple(json.loads(position[1])) if position else ()
    left = [hit for hit in hits if hit.place > seen]
    chosen = left[: page.size]
    async with app.read() as session:
        memories = await repository.these(session, viewer, [hit.id for hit in chosen])
    shown = await shown_to(office, who, memories, found={hit.id: hit.how for hit in chosen})
    more = len(left) > len(chosen)
    token = page.token_after(clock.now(), json.dumps(chosen[-1].place)) if more else None
    return Rows(shown, token=token, total=len(hits), size=page.size)


async def shown_to(
    office: Office, who: Principal, memories: Sequence[Memory], *, found: Mapping[str, How | None]
) -> list[MemoryOut]:
    """Memories as this person, or a program with their token, may see them."""
    async with office.storage.app.read() as session:
        names = await repository.names(session, memories)
    shown = [MemoryOut.of(each, names=names, found=found.get(each.id)) for each in memories]
    context_id = context_of(who)
    if context_id is None:
        return shown
    foreign = [each for each in memories if each.label != "owner"]
    if foreign:
        await office[ReadStates].read(
            context_id,
            workspace_id=foreign[0].workspace_id,
            sources=[source(each) for each in foreign],
            mentions=grounding.mentions([each.content for each in foreign]),
        )
    return [await _redacted(office, each) for each in shown]


async def _redacted(office: Office, shown: MemoryOut) -> MemoryOut:
    said, _ = await redacted(office[RedactorCache], {"content": shown.content, "tags": shown.tags})
    return shown.model_copy(update=said)


async def added(
    office: Office, who: Principal, access: WorkspaceAccess, arguments: Arguments
) -> MemoryChangeOut:
    """Add a memory under the caller's name."""
    return await _called(office, who, access, tool="memory_add", arguments=arguments)


async def changed(
    office: Office, who: Principal, access: WorkspaceAccess, memory: Memory, *, values: Arguments
) -> MemoryChangeOut:
    """Edit or move a memory, each as one action, so that each can be undone."""
    if not values:
        (shown,) = await shown_to(office, who, [memory], found={})
        return MemoryChangeOut(status="done", memory=shown)
    if "reach" in values and len(values) > 1:
        raise Invalid.field("reach", "moving is a change of its own: send it without the others")
    tool = "memory_move" if "reach" in values else "memory_edit"
    arguments = {"memory_id": await _name(office, who, access, memory), **values}
    return await _called(office, who, access, tool=tool, arguments=arguments)


async def forgotten(
    office: Office, who: Principal, access: WorkspaceAccess, memory: Memory
) -> MemoryChangeOut:
    """Delete a memory under the caller's name."""
    arguments = {"memory_id": await _name(office, who, access, memory)}
    return await _called(office, who, access, tool="memory_delete", arguments=arguments)


async def _name(office: Office, who: Principal, access: WorkspaceAccess, memory: Memory) -> str:
    return await own_name.name_of(office, who, access, Ref("note", memory.id))


async def _called(
    office: Office, who: Principal, access: WorkspaceAccess, *, tool: str, arguments: Arguments
) -> MemoryChangeOut:
    outcome = await own_name.act(office, who, access, tool, arguments)
    if isinstance(outcome, Pending):
        return MemoryChangeOut(
            status="pending", approval_id=outcome.approval_id, reason=outcome.reason
        )
    id = await own_name.id_in(office, who, access, "note", outcome)
    return MemoryChangeOut(
        status="done",
        memory=await _fresh(office, who, access, id) if id else None,
        action_id=outcome.action_id,
        undoable=outcome.undoable,
    )


async def _fresh(
    office: Office, who: Principal, access: WorkspaceAccess, id: str
) -> MemoryOut | None:
    """The memory, read again."""
    async with office.storage.app.read() as session:
        memories = await repository.these(session, viewer_of(who, access.id), [id])
    return next(iter(await shown_to(office, who, memories, found={})), None)
