"""REST of artifacts; what changes their content goes through the gate's tools."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response

from bailiwick.accounts.reader import reader_of
from bailiwick.artifacts import events, service
from bailiwick.artifacts import repository as kept
from bailiwick.artifacts.models import ArtifactLink
from bailiwick.chat import repository
from bailiwick.chat.artifacts import browse
from bailiwick.chat.artifacts.schemas import (
    ArtifactActOut,
    ArtifactChangeIn,
    ArtifactId,
    ArtifactIn,
    ArtifactLinkIn,
    ArtifactOut,
    ArtifactQuery,
    ArtifactUseIn,
    ArtifactVersionOut,
)
from bailiwick.chat.repository import ArtifactSearch
from bailiwick.errors import NotFound
from bailiwick.identity.access import SignedIn, in_person
from bailiwick.identity.principal import Principal
from bailiwick.kit import clock
from bailiwick.kit.http import downloads
from bailiwick.kit.http.database import ReadSession, WriteSession
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.openapi import IN_PERSON
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice

router = APIRouter(prefix="/artifacts", tags=["artifacts"], route_class=IdempotentRoute)
_BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {"*/*": {"schema": {"type": "string", "format": "binary"}}}}
}
# A file cannot be redacted, so programs get the text of an artifact and no more.


async def _sees(artifact_id: ArtifactId, who: SignedIn, session: ReadSession) -> None:
    await repository.artifact(session, await reader_of(session, who), artifact_id)


# Whoever may not see it is refused before anything is said of what they sent.
_SEEN = [Depends(_sees)]
Taker = Annotated[Principal, in_person("a token reads an artifact's text, and no files")]


@router.get("")
async def list_artifacts(
    who: SignedIn, office: TheOffice, page: PageQuery, query: Annotated[ArtifactQuery, Query()]
) -> Page[ArtifactOut]:
    """Artifacts of threads that one may read, newest first."""
    wanted = ArtifactSearch(
        thread_id=query.thread_id,
        workspace_id=query.workspace_id,
        kind=query.type,
        author_id=query.origin,
        words=query.q,
        archived=query.archived,
    )
    return await browse.listed(office, who, wanted, page)


@router.post("", status_code=201)
async def create_artifact(body: ArtifactIn, who: SignedIn, office: TheOffice) -> ArtifactActOut:
    """Make an artifact in a thread of one's own."""
    return await browse.create(office, who, body.thread_id, body.arguments())


@router.get("/{artifact_id}")
async def read_artifact(artifact_id: ArtifactId, who: SignedIn, office: TheOffice) -> ArtifactOut:
    """One artifact with its content."""
    return await browse.one(office, who, artifact_id)


@router.patch("/{artifact_id}", dependencies=_SEEN)
async def change_artifact(
    artifact_id: ArtifactId, body: ArtifactChangeIn, who: SignedIn, office: TheOffice
) -> ArtifactActOut:
    """Change an artifact, whose earlier version is kept; or put it away."""
    given = body.model_dump(by_alias=True, exclude_none=True)
    expected, archived = given.pop("expectedRevision", None), given.pop("archived", None)
    if archived is not None:
        await browse.archive(office, who, artifact_id, archived=archived)
    if not given:
        return ArtifactActOut(status="done", artifact=await browse.one(office, who, artifact_id))
    arguments: dict[str, Any] = {"patch": given}
    if expected is not None:
        arguments["expectedRevision"] = expected
    return await browse.change(office, who, artifact_id, "update_artifact", arguments)


@router.delete("/{artifact_id}")
async def delete_artifact(
    artifact_id: ArtifactId, who: SignedIn, office: TheOffice
) -> ArtifactActOut:
    """Remove an artifact; undoing the action brings it back."""
    return await browse.change(office, who, artifact_id, "remove_artifact", {})


@router.get("/{artifact_id}/versions")
async def list_artifact_versions(
    artifact_id: ArtifactId, who: SignedIn, office: TheOffice, page: PageQuery
) -> Page[ArtifactVersionOut]:
    """All versions of an artifact, newest first."""
    shown = await browse.versions(office, who, artifact_id)
    return page_of(shown, page, by=lambda version: str(version.version))


@router.get("/{artifact_id}/content", responses=_BYTES, openapi_extra=IN_PERSON)
async def download_artifact(artifact_id: ArtifactId, who: Taker, session: ReadSession) -> Response:
    """What an artifact holds, as a file."""
    found, _ = await repository.artifact(session, await reader_of(session, who), artifact_id)
    content = await service.content_of(session, found)
    return downloads.download(content.content, content.title, media_type="application/octet-stream")


@router.post("/{artifact_id}/uses", status_code=204, dependencies=_SEEN)
async def count_artifact_use(
    artifact_id: ArtifactId, body: ArtifactUseIn, who: SignedIn, session: WriteSession
) -> None:
    """Count that one looked at an artifact, followed something in it, or took it along."""
    await repository.artifact(session, await reader_of(session, who), artifact_id)
    await kept.count_use(session, artifact_id, what=body.what, source=body.source, at=clock.now())


@router.post("/{artifact_id}/links", status_code=204, dependencies=_SEEN)
async def link_artifact(
    artifact_id: ArtifactId, body: ArtifactLinkIn, who: SignedIn, session: WriteSession
) -> None:
    """Show an artifact with another message of a thread of one's own."""
    reader = await reader_of(session, who)
    found, thread = await repository.artifact(session, reader, artifact_id)
    await repository.locked(session, reader, thread.id)
    message = await repository.message(session, thread.id, body.message_id)
    if message.deleted_at:
        raise NotFound("There is no such message in this thread.")
    await session.merge(ArtifactLink(artifact_id=found.id, message_id=message.id))
    events.emit(session, found, events.LINKED, by=who.id, messageId=message.id)
