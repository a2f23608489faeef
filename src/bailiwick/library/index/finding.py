"""Searches for a reader: files, and beside them what other features find, each by its own rules."""

import asyncio
from collections.abc import Iterable, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.gate.people import context_of
from bailiwick.gate.trust import programs
from bailiwick.identity.principal import Principal
from bailiwick.library import repository as notebooks
from bailiwick.library.index import hit_sources
from bailiwick.library.index.queries import FileFilter
from bailiwick.library.index.schemas import FileHitOut, FoundThingOut, SearchHitsOut, SearchParams
from bailiwick.library.index.search import FileFinder, FileHit, FileHits, FileSearch
from bailiwick.library.models import Notebook
from bailiwick.library.resolver import PathResolver
from bailiwick.office import Office
from bailiwick.tools.finding import FindsThings, ThingQuery
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import ALL
from bailiwick.workspaces import repository as workspaces
from bailiwick.workspaces.access import WorkspaceAccess, enter

_THEIRS = ("path", "name", "tags", "snippet")


async def found(office: Office, who: Principal, params: SearchParams) -> SearchHitsOut:
    """What a reader finds in one workspace, or in all that they may look into."""
    async with office.storage.app.read() as session:
        entered = await _entered(session, who, params.workspace_id)
        opened = [
            notebook
            for access in entered
            for notebook in await notebooks.of_workspace(session, access.id)
        ]
    asked = [
        one.find(office, ThingQuery(who, access, params.q, params.limit))
        for one in office.facts(FindsThings)
        if params.wants(one.kind)
        for access in entered
    ]
    files = await _files(office, opened, params) if params.wants("file") else FileHits([], False)
    others = [thing for things in await asyncio.gather(*asked) for thing in things]
    return SearchHitsOut(
        files=await _shown(office, who, files.items),
        more=files.more,
        others=[FoundThingOut.of(thing) for thing in others],
    )


async def _entered(
    session: AsyncSession, who: Principal, workspace_id: str | None
) -> Sequence[WorkspaceAccess]:
    if workspace_id:
        return [await enter(session, who, workspace_id, need="read")]
    rows = await workspaces.of_user(session, who.user_id)
    return [await enter(session, who, row.id, need="read") for row, _ in rows]


async def _files(office: Office, rows: Iterable[Notebook], params: SearchParams) -> FileHits:
    if params.tag and params.untagged:
        raise Invalid.field("untagged", "a file with a tag is not untagged: send one of both")
    folder = VirtualPath.parse(params.folder or "", field="folder")
    if params.notebook_id:
        rows = [row for row in rows if row.id == params.notebook_id]
    if folder.names:
        rows = [row for row in rows if row.name == folder.notebook]
    chosen = list(rows)
    only = FileFilter(
        kind=params.type,
        tag=params.tag.casefold() if params.tag else None,
        untagged=params.untagged,
        folders={row.id: "/".join(folder.inner) for row in chosen if folder.inner},
        after=params.after,
        before=params.before,
    )
    search = FileSearch(chosen, ALL, query=params.q, mode=params.mode, only=only)
    return await office[FileFinder].find(search, limit=params.limit)


async def _shown(office: Office, who: Principal, hits: Sequence[FileHit]) -> list[FileHitOut]:
    """Found files as this person sees them; a program sees them redacted, and has read them."""
    if context_of(who) is None:
        return [FileHitOut.of(hit) for hit in hits]
    shown: list[FileHitOut] = []
    paths = PathResolver(office)
    for workspace_id in dict.fromkeys(hit.notebook.workspace_id for hit in hits):
        here = [hit for hit in hits if hit.notebook.workspace_id == workspace_id]
        shown += await programs.shown_to(
            office,
            who,
            [FileHitOut.of(hit) for hit in here],
            workspace_id=workspace_id,
            sources=await hit_sources.sources(paths, here),
            words=_THEIRS,
        )
    return shown
