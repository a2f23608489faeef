"""All SQL of artifacts."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.artifacts.models import Artifact, ArtifactVersion
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


async def deleted_before(session: AsyncSession, moment: datetime, *, limit: int) -> Sequence[str]:
    """Artifacts that were removed before a moment."""
    statement = select(Artifact.id).where(Artifact.deleted_at < moment).limit(limit)
    return (await session.scalars(statement)).all()
