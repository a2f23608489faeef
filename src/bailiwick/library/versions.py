"""Earlier versions of files. All SQL of versions, and of what runs have seen of files, is here.

Whatever is written through the gate is a version, and so is what another program left where we are
about to write. Versions go with a file that is moved.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Select, and_, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from bailiwick.errors import NotFound
from bailiwick.kit import clock, ids
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.library.models import FileSight, FileVersion, Notebook
from bailiwick.library.root import PathNames
from bailiwick.tools.tool import ToolContext
from bailiwick.tools.trust import Label

VersionChange = Literal[
    "created", "replaced", "properties", "restored", "undone", "deleted", "found"
]
MOST = 200  # of one file
_SIGHTS_KEPT = timedelta(days=30)
_FRESH = timedelta(hours=1)  # a content that was put since may belong to a version in the making
_DOMAIN = "library"
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class FileContent:
    """A content that is kept."""

    digest: str
    blob: str
    size: int
    label: Label | None


@dataclass(frozen=True, slots=True)
class VersionAuthor:
    """Who gives a file another content, and how."""

    change: VersionChange
    id: str | None = None
    name: str | None = None
    context_id: str | None = None

    @classmethod
    def of(cls, context: ToolContext, change: VersionChange) -> "VersionAuthor":
        """Whoever calls a tool."""
        return cls(change, context.actor_id, context.actor_name[:200], context.context_id)


FOUND = VersionAuthor("found")


def own(blobs: BlobFolder) -> BlobFolder:
    """The blobs of the library."""
    return blobs.apart(_DOMAIN)


def etag_of(digest: str) -> str:
    """The short name of a content, by which a caller says what they saw."""
    return digest[:32]


async def add(
    session: AsyncSession,
    notebook_id: str,
    names: PathNames,
    content: FileContent,
    *,
    by: VersionAuthor,
    at: datetime | None = None,
) -> None:
    """A file holds this content now; nothing is added if that is on record already."""
    last = await newest(session, notebook_id, names)
    if (
        last
        and last.digest == content.digest
        and (last.change == "deleted") == (by.change == "deleted")
    ):
        return
    now = clock.now()
    moment = min(at or now, now)
    if last and moment <= last.at:
        moment = min(last.at + timedelta(microseconds=1), now)
    session.add(
        FileVersion(
            id=ids.new("fvr"),
            notebook_id=notebook_id,
            path=_path(names),
            digest=content.digest,
            blob=content.blob,
            size=content.size,
            label=content.label,
            change=by.change,
            author_id=by.id,
            author_name=by.name,
            context_id=by.context_id,
            at=moment,
        )
    )
    await session.flush()


async def newest(session: AsyncSession, notebook_id: str, names: PathNames) -> FileVersion | None:
    """The version that was put on record last."""
    return (await session.scalars(_of(notebook_id, names).limit(1))).first()


async def of_file(
    session: AsyncSession, notebook_id: str, names: PathNames
) -> Sequence[FileVersion]:
    """All versions of a file, newest first."""
    return (await session.scalars(_of(notebook_id, names).limit(MOST))).all()


async def get(session: AsyncSession, notebook_id: str, names: PathNames, id: str) -> FileVersion:
    """One version of this file, or `NotFound`."""
    row = await session.get(FileVersion, id)
    if row is None or (row.notebook_id, row.path) != (notebook_id, _path(names)):
        raise NotFound("This file has no such version, or it is no longer kept.")
    return row


async def follow(
    session: AsyncSession,
    source: tuple[str, PathNames],
    target: tuple[str, PathNames],
) -> None:
    """A file was moved, so its versions are those of its new place."""
    statement = update(FileVersion).where(
        FileVersion.notebook_id == source[0], FileVersion.path == _path(source[1])
    )
    await session.execute(statement.values(notebook_id=target[0], path=_path(target[1])))


async def saw(
    session: AsyncSession, context_id: str, notebook_id: str, names: PathNames, digest: str
) -> None:
    """A run knows what is in a file."""
    await session.merge(
        FileSight(
            context_id=context_id,
            notebook_id=notebook_id,
            path=_path(names),
            digest=digest,
            at=clock.now(),
        )
    )


async def seen(
    session: AsyncSession, context_id: str, notebook_id: str, names: PathNames
) -> str | None:
    """The digest of what a run saw last of a file."""
    row = await session.get(FileSight, (context_id, notebook_id, _path(names)))
    return row.digest if row else None


async def forget_old(storage: Storage, blobs: BlobFolder, *, days: int) -> int:
    """Remove versions older than that, and all of closed notebooks; return how many.

    The newest version of a file stays: it is what the file is compared with.
    """
    now = clock.now()
    removed, spared = 0, set[str]()
    while rows := await _old(storage, now - timedelta(days=days), spared):
        spared |= await _blobs_removed(storage, own(blobs), rows, since=now - _FRESH)
        gone = [row.id for row in rows if row.id not in spared]
        async with storage.app.write() as session:
            await session.execute(delete(FileVersion).where(FileVersion.id.in_(gone)))
        removed += len(gone)
    async with storage.app.write() as session:
        await session.execute(delete(FileSight).where(FileSight.at < now - _SIGHTS_KEPT))
    return removed


async def _blobs_removed(
    storage: Storage, blobs: BlobFolder, rows: Sequence[FileVersion], *, since: datetime
) -> set[str]:
    """Remove the contents of versions, before their rows; the ids of those used just now."""
    async with storage.app.read() as session:
        names = {row.blob for row in rows}
        others = select(FileVersion.blob).where(
            FileVersion.blob.in_(names), FileVersion.id.not_in([row.id for row in rows])
        )
        names -= set(await session.scalars(others))
    fresh = {
        name
        for name in names
        if not await asyncio.to_thread(blobs.remove, name, unless_put_since=since)
    }
    return {row.id for row in rows if row.blob in fresh}


async def _old(storage: Storage, before: datetime, but: set[str]) -> Sequence[FileVersion]:
    later = aliased(FileVersion)
    is_followed = exists().where(
        later.notebook_id == FileVersion.notebook_id,
        later.path == FileVersion.path,
        later.at > FileVersion.at,
    )
    is_closed = ~exists().where(Notebook.id == FileVersion.notebook_id)
    statement = select(FileVersion).where(
        or_(and_(FileVersion.at < before, is_followed), is_closed), FileVersion.id.not_in(but)
    )
    async with storage.app.read() as session:
        return (await session.scalars(statement.limit(_AT_ONCE))).all()


def _of(notebook_id: str, names: PathNames) -> Select[FileVersion]:
    return (
        select(FileVersion)
        .where(FileVersion.notebook_id == notebook_id, FileVersion.path == _path(names))
        .order_by(FileVersion.at.desc(), FileVersion.id)
    )


def _path(names: PathNames) -> str:
    return "/".join(names)
