"""All SQL of artifacts."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts.models import (
    Artifact,
    ArtifactDependency,
    ArtifactLink,
    ArtifactUse,
    ArtifactVersion,
)
from bailiwick.errors import NotFound

GONE = "There is no such item here. List the items to see what there is."


async def of_case(
    session: AsyncSession, case_id: str, *, deleted: bool = False
) -> Sequence[Artifact]:
    """The items of a case, oldest first."""
    statement = select(Artifact).where(Artifact.case_id == case_id)
    if not deleted:
        statement = statement.where(Artifact.deleted_at.is_(None))
    return (await session.scalars(statement.order_by(Artifact.created_at, Artifact.id))).all()


async def of_cases(session: AsyncSession, case_ids: Collection[str]) -> Sequence[Artifact]:
    """The items of several cases, oldest first."""
    if not case_ids:
        return []
    statement = select(Artifact).where(
        Artifact.case_id.in_(case_ids), Artifact.deleted_at.is_(None)
    )
    return (await session.scalars(statement.order_by(Artifact.created_at, Artifact.id))).all()


async def counts(session: AsyncSession, case_ids: Collection[str]) -> dict[str, int]:
    """How many items each case has."""
    statement = (
        select(Artifact.case_id, func.count())
        .where(Artifact.case_id.in_(case_ids), Artifact.deleted_at.is_(None))
        .group_by(Artifact.case_id)
    )
    return {case_id: count for case_id, count in await session.execute(statement) if case_id}


async def get(
    session: AsyncSession, case_id: str, id: str, *, deleted: bool = False, lock: bool = False
) -> Artifact:
    """An item of a case, or `NotFound`."""
    statement = select(Artifact).where(Artifact.id == id, Artifact.case_id == case_id)
    if not deleted:
        statement = statement.where(Artifact.deleted_at.is_(None))
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound(GONE)
    return found


async def by_id(session: AsyncSession, id: str, *, lock: bool = False) -> Artifact | None:
    """An artifact, whoever asks."""
    statement = select(Artifact).where(Artifact.id == id)
    if lock:
        statement = statement.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(statement)).one_or_none()


async def of_thread(session: AsyncSession, thread_id: str) -> Sequence[Artifact]:
    """The artifacts of a thread, oldest first."""
    statement = select(Artifact).where(
        Artifact.thread_id == thread_id, Artifact.deleted_at.is_(None)
    )
    return (await session.scalars(statement.order_by(Artifact.created_at, Artifact.id))).all()


async def links(session: AsyncSession, artifact_ids: Collection[str]) -> dict[str, list[str]]:
    """The messages that show artifacts, by the artifact's id."""
    statement = select(ArtifactLink).where(ArtifactLink.artifact_id.in_(artifact_ids))
    found: dict[str, list[str]] = {}
    for row in await session.scalars(statement.order_by(ArtifactLink.message_id)):
        found.setdefault(row.artifact_id, []).append(row.message_id)
    return found


async def dependencies(
    session: AsyncSession, artifact_ids: Collection[str]
) -> dict[str, list[str]]:
    """What artifacts were made of, by the artifact's id."""
    statement = select(ArtifactDependency).where(ArtifactDependency.artifact_id.in_(artifact_ids))
    found: dict[str, list[str]] = {}
    for row in await session.scalars(statement.order_by(ArtifactDependency.on_id)):
        found.setdefault(row.artifact_id, []).append(row.on_id)
    return found


async def dependents(session: AsyncSession, artifact_id: str) -> Sequence[Artifact]:
    """What was made of an artifact."""
    statement = (
        select(Artifact)
        .join(ArtifactDependency, ArtifactDependency.artifact_id == Artifact.id)
        .where(ArtifactDependency.on_id == artifact_id, Artifact.deleted_at.is_(None))
    )
    return (await session.scalars(statement.order_by(Artifact.id))).all()


async def uses(session: AsyncSession, artifact_ids: Collection[str]) -> Sequence[ArtifactUse]:
    """How often artifacts were used."""
    statement = select(ArtifactUse).where(ArtifactUse.artifact_id.in_(artifact_ids))
    ordered = statement.order_by(ArtifactUse.artifact_id, ArtifactUse.what, ArtifactUse.source)
    return (await session.scalars(ordered)).all()


async def count_use(
    session: AsyncSession, artifact_id: str, *, what: str, source: str, at: datetime
) -> None:
    """Count one more use; two at once are two."""
    key = (artifact_id, what, source)
    if await session.get(ArtifactUse, key) is None:
        with suppress(IntegrityError):
            async with session.begin_nested():
                session.add(
                    ArtifactUse(
                        artifact_id=artifact_id, what=what, source=source, count=0, last_at=at
                    )
                )
    await session.execute(
        update(ArtifactUse)
        .where(
            ArtifactUse.artifact_id == artifact_id,
            ArtifactUse.what == what,
            ArtifactUse.source == source,
        )
        .values(count=ArtifactUse.count + 1, last_at=at)
        .execution_options(synchronize_session=False)
    )


async def made_by(session: AsyncSession, key: str) -> Artifact | None:
    """What a call has made already."""
    return (
        await session.scalars(select(Artifact).where(Artifact.created_key == key))
    ).one_or_none()


async def version(session: AsyncSession, artifact_id: str, revision: int) -> ArtifactVersion:
    """One version, with its content."""
    found = await session.get(ArtifactVersion, (artifact_id, revision))
    if found is None:
        raise NotFound("There is no such version of this item.")
    return found


async def newest(
    session: AsyncSession, artifacts: Collection[Artifact]
) -> dict[str, ArtifactVersion]:
    """The newest versions of some artifacts, by the artifact's id."""
    if not artifacts:
        return {}
    statement = select(ArtifactVersion).join(
        Artifact,
        (Artifact.id == ArtifactVersion.artifact_id)
        & (Artifact.revision == ArtifactVersion.revision),
    )
    found = await session.scalars(statement.where(Artifact.id.in_([one.id for one in artifacts])))
    return {one.artifact_id: one for one in found}


async def versions(session: AsyncSession, artifact_id: str) -> Sequence[ArtifactVersion]:
    """All versions, newest first."""
    statement = select(ArtifactVersion).where(ArtifactVersion.artifact_id == artifact_id)
    return (await session.scalars(statement.order_by(ArtifactVersion.revision.desc()))).all()


async def erase(session: AsyncSession, ids: Collection[str]) -> None:
    """Remove artifacts for good, with their versions."""
    await session.execute(delete(ArtifactVersion).where(ArtifactVersion.artifact_id.in_(ids)))
    await session.execute(delete(Artifact).where(Artifact.id.in_(ids)))


async def erase_of_cases(session: AsyncSession, case_ids: Collection[str]) -> None:
    """Remove all that cases have, for good."""
    of_them = select(Artifact.id).where(Artifact.case_id.in_(case_ids))
    await session.execute(delete(ArtifactVersion).where(ArtifactVersion.artifact_id.in_(of_them)))
    await session.execute(delete(Artifact).where(Artifact.case_id.in_(case_ids)))


async def erase_of_threads(session: AsyncSession, thread_ids: Collection[str]) -> None:
    """Remove all that threads have, for good."""
    found = await session.scalars(select(Artifact.id).where(Artifact.thread_id.in_(thread_ids)))
    await erase(session, found.all())


async def deleted_before(session: AsyncSession, moment: datetime, *, limit: int) -> Sequence[str]:
    """Artifacts that were removed before a moment."""
    statement = select(Artifact.id).where(Artifact.deleted_at < moment).limit(limit)
    return (await session.scalars(statement)).all()
