"""Artifacts for people: read here, changed through the gate."""

from collections.abc import Mapping, Sequence
from typing import Any

from bailiwick.accounts.reader import reader_of
from bailiwick.artifacts import repository as kept
from bailiwick.artifacts import service
from bailiwick.artifacts.models import Artifact
from bailiwick.chat import repository
from bailiwick.chat.artifacts.desk import source_of
from bailiwick.chat.artifacts.schemas import (
    ArtifactActOut,
    ArtifactOut,
    ArtifactUseOut,
    ArtifactVersionOut,
)
from bailiwick.chat.repository import ArtifactSearch
from bailiwick.gate import own_name
from bailiwick.gate.call import Pending, Result
from bailiwick.gate.people import caller_of
from bailiwick.gate.trust import programs
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.identity.principal import Principal
from bailiwick.kit.http.pages import Page, PageRequest
from bailiwick.office import Office
from bailiwick.tools.tool import Ref
from bailiwick.workspaces.access import WorkspaceAccess, enter

_WORDS = ("title", "description", "content", "preview", "metadata")


async def listed(
    office: Office, who: Principal, wanted: ArtifactSearch, page: PageRequest
) -> Page[ArtifactOut]:
    """Artifacts without their content, newest first."""
    async with office.storage.app.read() as session:
        rows = await repository.artifacts(session, await reader_of(session, who), wanted, page)
    shown = {each.artifact_id: each for each in await _shown(office, who, rows.rows, whole=False)}
    return rows.map(lambda row: shown[row.id])


async def one(office: Office, who: Principal, id: str) -> ArtifactOut:
    """One artifact with its content."""
    async with office.storage.app.read() as session:
        found, _ = await repository.artifact(session, await reader_of(session, who), id)
    (shown,) = await _shown(office, who, [found], whole=True)
    return shown


async def versions(office: Office, who: Principal, id: str) -> Sequence[ArtifactVersionOut]:
    """All versions of an artifact, newest first."""
    async with office.storage.app.read() as session:
        found, _ = await repository.artifact(session, await reader_of(session, who), id)
        rows = await kept.versions(session, id)
    return await programs.shown_to(
        office,
        who,
        [ArtifactVersionOut.of(row) for row in rows],
        workspace_id=found.workspace_id,
        sources=[source_of(found)],
        words=("title", "description", "content"),
    )


async def create(
    office: Office, who: Principal, thread_id: str, arguments: Mapping[str, Any]
) -> ArtifactActOut:
    """Make an artifact under the caller's name."""
    async with office.storage.app.read() as session:
        thread = await repository.get(session, await reader_of(session, who), thread_id)
        access = await enter(session, who, thread.workspace_id, need="read")
    outcome = await own_name.act(office, who, access, "create_artifact", arguments)
    return await _acted(office, who, outcome, await _made(office, who, access, outcome))


async def change(
    office: Office, who: Principal, id: str, tool: str, arguments: Mapping[str, Any]
) -> ArtifactActOut:
    """Change or remove an artifact under the caller's name."""
    async with office.storage.app.read() as session:
        found, thread = await repository.artifact(session, await reader_of(session, who), id)
        access = await enter(session, who, thread.workspace_id, need="read")
    name = await own_name.name_of(office, who, access, Ref("item", found.id))
    given = {**arguments, "threadId": thread.id, "id": name}
    return await _acted(office, who, await own_name.act(office, who, access, tool, given), id)


async def archive(office: Office, who: Principal, id: str, *, archived: bool) -> None:
    """Put an artifact of a thread of one's own away, or take it out again."""
    async with office.storage.app.write() as session:
        reader = await reader_of(session, who)
        found, thread = await repository.artifact(session, reader, id)
        await repository.locked(session, reader, thread.id)
        service.archive(session, found, archived=archived, by=who.id)


async def _made(
    office: Office, who: Principal, access: WorkspaceAccess, outcome: Result | Pending
) -> str | None:
    """The id of what was made; a rule may have taken it out of the answer."""
    data: Any = outcome.data if isinstance(outcome, Result) else None
    shown = data.get("artifact") if isinstance(data, dict) else None
    name = shown.get("id") if isinstance(shown, dict) else None
    ref = await office[VirtualNames].resolve(caller_of(who, access).realm, "item", str(name))
    return ref.id if ref else None


async def _acted(
    office: Office, who: Principal, outcome: Result | Pending, id: str | None
) -> ArtifactActOut:
    if isinstance(outcome, Pending):
        return ArtifactActOut(
            status="pending", approval_id=outcome.approval_id, reason=outcome.reason
        )
    return ArtifactActOut(
        status="done",
        artifact=await one(office, who, id) if id else None,
        action_id=outcome.action_id,
        undoable=outcome.undoable,
    )


async def _shown(
    office: Office, who: Principal, found: Sequence[Artifact], *, whole: bool
) -> Sequence[ArtifactOut]:
    ids = [each.id for each in found]
    async with office.storage.app.read() as session:
        contents = await kept.newest(session, found) if whole else {}
        links = await kept.links(session, ids)
        made_of = await kept.dependencies(session, ids)
        uses = await kept.uses(session, ids)
    shown = [
        ArtifactOut.of(
            each,
            content=contents[each.id].data if whole and each.encoding == "utf8" else None,
            messages=links.get(each.id, []),
            depends_on=made_of.get(each.id, []),
            uses=[
                ArtifactUseOut.model_validate(use, from_attributes=True)
                for use in uses
                if use.artifact_id == each.id
            ],
        )
        for each in found
    ]
    if not found:
        return shown
    return await programs.shown_to(
        office,
        who,
        shown,
        workspace_id=found[0].workspace_id,
        sources=[source_of(each) for each in found],
        words=_WORDS,
    )
