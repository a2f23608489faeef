"""Verbs of artifacts: each change is a new version, and refuses what its maker has not seen.

An artifact keeps the lowest trust label of all that went into it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts import events, repository
from bailiwick.artifacts.content import ArtifactContent
from bailiwick.artifacts.models import Artifact, ArtifactVersion, AuthorKind
from bailiwick.errors import Conflict
from bailiwick.kit import clock, ids
from bailiwick.tools.trust import Label, lowest

_SHOWN = 2_000
_LENGTH = 16  # of a thread's, as the conversation platform writes them


@dataclass(frozen=True, slots=True)
class ArtifactAuthor:
    """Who writes, and in which run."""

    kind: AuthorKind
    id: str
    name: str
    label: Label  # of what they write
    run_id: str | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class ArtifactPlace:
    """Where an artifact belongs, and whose it is."""

    workspace_id: str
    owner_id: str
    account_id: str | None = None
    case_id: str | None = None
    thread_id: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """What an artifact is, what made it, and of what."""

    kind: str | None = None
    generator: str | None = None
    data_sources: tuple[str, ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])


class StaleRevision(Conflict):
    """Someone changed it in the meantime; both versions are told."""

    def __init__(self, artifact: Artifact, expected: int, theirs: str, yours: str) -> None:
        super().__init__(
            f"Someone changed this item: it is at revision {artifact.revision}, not {expected}. "
            "Nothing was overwritten. Look at both versions, and send what it shall be with "
            f"expectedRevision {artifact.revision}.",
            errors={
                "expectedRevision": [f"is {expected}; the item is at {artifact.revision}"],
                "theirs": [theirs[:_SHOWN]],
                "yours": [yours[:_SHOWN]],
            },
        )


async def add(
    session: AsyncSession,
    place: ArtifactPlace,
    author: ArtifactAuthor,
    content: ArtifactContent,
    *,
    key: str | None = None,
    supersedes: Artifact | None = None,
    provenance: Provenance | None = None,
) -> Artifact:
    """A new artifact; the same call tried again finds the one that it made."""
    if key and (made := await repository.made_by(session, key)):
        return made
    content.check_form()
    size, now = len(content.content), clock.now()
    provenance = provenance or Provenance()
    artifact = Artifact(
        id=ids.new("art", length=_LENGTH if place.thread_id else 12),
        workspace_id=place.workspace_id,
        owner_id=place.owner_id,
        account_id=place.account_id,
        case_id=place.case_id,
        thread_id=place.thread_id,
        message_id=place.message_id,
        kind=provenance.kind,
        generator=provenance.generator,
        data_sources=list(provenance.data_sources) or None,
        about=dict(provenance.about) or None,
        **content.columns(),
        size=size,
        preview=content.preview,
        label=lowest((author.label, *([supersedes.label] if supersedes else []))),
        revision=1,
        author_kind=author.kind,
        author_id=author.id,
        author_name=author.name[:200],
        changed_by=author.kind,
        run_id=author.run_id,
        tool=author.tool,
        supersedes_id=supersedes.id if supersedes else None,
        created_key=key,
        created_at=now,
        updated_at=now,
    )
    session.add(artifact)
    await session.flush()
    _keep(session, artifact, author, content)
    events.emit(session, artifact, events.ADDED, by=author.id)
    return artifact


async def update(
    session: AsyncSession,
    artifact: Artifact,
    author: ArtifactAuthor,
    patch: dict[str, Any],
    *,
    expected: int | None = None,
) -> None:
    """Change an artifact that this transaction holds; what the patch leaves out stays."""
    before = await content_of(session, artifact)
    content = replace(before, **patch)
    if expected is not None and expected != artifact.revision:
        raise StaleRevision(artifact, expected, _text(before), _text(content))
    if content == before:
        return
    if patch.keys() & {"data", "mime_type", "encoding"}:
        content.check_form()
    artifact.size = len(content.content)
    for name, value in content.columns().items():
        setattr(artifact, name, value)
    artifact.preview = content.preview
    # A changed text is likely to keep some of the words before.
    artifact.label = lowest((artifact.label, author.label))
    artifact.revision += 1
    artifact.changed_by = author.kind
    artifact.updated_at = clock.now()
    _keep(session, artifact, author, content)
    events.emit(session, artifact, events.CHANGED, by=author.id)


def archive(session: AsyncSession, artifact: Artifact, *, archived: bool, by: str) -> None:
    """Put an artifact away, or take it out again; it is still found by whoever looks for it."""
    if (artifact.archived_at is not None) != archived:
        artifact.archived_at = clock.now() if archived else None
        events.emit(session, artifact, events.CHANGED, by=by)


def remove(session: AsyncSession, artifact: Artifact, *, by: str) -> None:
    """Put an artifact out of sight; it can be brought back."""
    if artifact.deleted_at is None:
        artifact.deleted_at = artifact.updated_at = clock.now()
        events.emit(session, artifact, events.REMOVED, by=by)


def bring_back(session: AsyncSession, artifact: Artifact, *, by: str) -> None:
    """Show an artifact again that was removed."""
    if artifact.deleted_at is not None:
        artifact.deleted_at, artifact.updated_at = None, clock.now()
        events.emit(session, artifact, events.ADDED, by=by)


async def erase(session: AsyncSession, artifact: Artifact, *, by: str) -> None:
    """Remove an artifact for good, with all its versions."""
    events.emit(session, artifact, events.REMOVED, by=by)
    await repository.erase(session, [artifact.id])


async def content_of(
    session: AsyncSession, artifact: Artifact, *, revision: int | None = None
) -> ArtifactContent:
    """What an artifact holds, or held at a revision."""
    return as_content(await repository.version(session, artifact.id, revision or artifact.revision))


def as_content(version: ArtifactVersion) -> ArtifactContent:
    """What one version holds."""
    return ArtifactContent(
        title=version.title,
        description=version.description,
        mime_type=version.mime_type,
        encoding=version.encoding,
        data=version.data,
        tags=tuple(version.tags),
    )


def _keep(
    session: AsyncSession, artifact: Artifact, author: ArtifactAuthor, content: ArtifactContent
) -> None:
    session.add(
        ArtifactVersion(
            artifact_id=artifact.id,
            revision=artifact.revision,
            **content.columns(),
            size=artifact.size,
            label=artifact.label,
            author_kind=author.kind,
            author_id=author.id,
            author_name=author.name[:200],
            at=artifact.updated_at,
            data=content.data,
        )
    )


def _text(content: ArtifactContent) -> str:
    return content.data if content.encoding == "utf8" else f"[{content.mime_type or 'data'}]"
