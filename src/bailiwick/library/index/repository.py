"""SQL of the index: what is known of a notebook's files, and how that changes."""

from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Table, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import clock, ids
from bailiwick.kit.db.chunks import chunks
from bailiwick.library.index.fulltext import INDEX, MOST_INDEXED
from bailiwick.library.index.models import FileTag, FileText, IndexedFile
from bailiwick.library.index.walk import DiskFile

_FILES: Table = IndexedFile.__table__  # pyright: ignore[reportAssignmentType]
_PAGE = 500
_CHANGE = (
    update(_FILES)
    .where(_FILES.c.number == bindparam("of"))
    .values(
        size=bindparam("size"),
        modified_at=bindparam("modified_at"),
        inode=bindparam("inode"),
        identity=bindparam("identity"),
        text_state="waiting",
        problem=None,
        attempts=0,
        gone_at=None,
    )
)
_MOVE = (
    update(_FILES)
    .where(_FILES.c.number == bindparam("of"))
    .values(
        path=bindparam("path"),
        folder=bindparam("folder"),
        name=bindparam("name"),
        suffix=bindparam("suffix"),
        gone_at=None,
    )
)
_ASIDE = (
    update(_FILES)
    .where(_FILES.c.number == bindparam("of"))
    .values(path=bindparam("way"), folder=bindparam("off"))
)


class KnownFile(NamedTuple):
    """What a scan has to know of a file."""

    number: int
    path: str
    name: str
    identity: str
    inode: str
    is_gone: bool


_KNOWN = (
    _FILES.c.number,
    _FILES.c.path,
    _FILES.c.name,
    _FILES.c.identity,
    _FILES.c.inode,
    _FILES.c.gone_at.is_not(None),
)


async def in_folder(session: AsyncSession, notebook_id: str, folder: str) -> dict[str, KnownFile]:
    """The known files that lie directly in a folder, by name."""
    statement = select(*_KNOWN).where(
        _FILES.c.notebook_id == notebook_id, _FILES.c.folder == folder
    )
    return {row.name: KnownFile(*row) for row in await session.execute(statement)}


async def at_paths(
    session: AsyncSession, notebook_id: str, paths: Iterable[str]
) -> dict[str, KnownFile]:
    """The known files at these paths."""
    found: dict[str, KnownFile] = {}
    for some in chunks(paths):
        statement = select(*_KNOWN).where(
            _FILES.c.notebook_id == notebook_id, _FILES.c.path.in_(some)
        )
        found |= {row.path: KnownFile(*row) for row in await session.execute(statement)}
    return found


async def with_inodes(
    session: AsyncSession, notebook_id: str, inodes: Iterable[str]
) -> dict[str, list[KnownFile]]:
    """The known files that were at these places of the disk."""
    found: dict[str, list[KnownFile]] = {}
    for some in chunks(inodes):
        statement = select(*_KNOWN).where(
            _FILES.c.notebook_id == notebook_id, _FILES.c.inode.in_(some)
        )
        for row in await session.execute(statement):
            found.setdefault(row.inode, []).append(KnownFile(*row))
    return found


async def with_digests(
    session: AsyncSession, notebook_id: str, digests: Iterable[str]
) -> list[tuple[str, KnownFile]]:
    """The known files of these contents."""
    found: list[tuple[str, KnownFile]] = []
    for some in chunks(digests):
        statement = select(_FILES.c.digest, *_KNOWN).where(
            _FILES.c.notebook_id == notebook_id, _FILES.c.digest.in_(some)
        )
        rows = await session.execute(statement.limit(10 * _PAGE))
        found += [(row.digest, KnownFile(*row[1:])) for row in rows]
    return found


async def take_identity(session: AsyncSession, number: int, identity: str) -> None:
    """A file is in another place of the disk now, with the same content."""
    inode = ":".join(identity.split(":")[:2])
    await session.execute(
        update(_FILES).where(_FILES.c.number == number).values(identity=identity, inode=inode)
    )


async def folders(session: AsyncSession, notebook_id: str) -> AsyncGenerator[list[str]]:
    """The folders that files are known in, some at a time."""
    last: str | None = None
    while True:
        statement = select(_FILES.c.folder).where(
            _FILES.c.notebook_id == notebook_id, _FILES.c.gone_at.is_(None)
        )
        if last is not None:
            statement = statement.where(_FILES.c.folder > last)
        statement = statement.distinct().order_by(_FILES.c.folder).limit(_PAGE)
        some = list(await session.scalars(statement))
        if not some:
            return
        yield some
        last = some[-1]


async def beneath(session: AsyncSession, notebook_id: str, folder: str) -> list[int]:
    """The numbers of the known files in a folder and all beneath it."""
    statement = select(_FILES.c.number).where(
        _FILES.c.notebook_id == notebook_id,
        _FILES.c.gone_at.is_(None),
        or_(_FILES.c.folder == folder, _FILES.c.folder.startswith(f"{folder}/", autoescape=True)),
    )
    return list(await session.scalars(statement))


async def add(session: AsyncSession, notebook_id: str, files: Sequence[DiskFile]) -> None:
    """Files that nobody knew."""
    if not files:
        return
    now = clock.now()
    connection = await session.connection()
    await connection.execute(
        insert(_FILES),
        [
            {
                "id": ids.new("fil"),
                "notebook_id": notebook_id,
                "path": file.path,
                "folder": file.folder,
                "name": file.name,
                "suffix": file.suffix,
                "size": file.size,
                "modified_at": file.modified_at,
                "first_seen_at": now,
                "inode": file.inode,
                "identity": file.identity,
                "digest": None,
                "media_type": None,
                "properties": {},
                "text_state": "waiting",
                "problem": None,
                "attempts": 0,
                "gone_at": None,
            }
            for file in files
        ],
    )


async def change(session: AsyncSession, files: Mapping[int, DiskFile]) -> None:
    """Files that were written to: their texts are to be read anew."""
    if files:
        connection = await session.connection()
        await connection.execute(
            _CHANGE,
            [
                {
                    "of": number,
                    "size": file.size,
                    "modified_at": file.modified_at,
                    "inode": file.inode,
                    "identity": file.identity,
                }
                for number, file in sorted(files.items())
            ],
        )


async def step_aside(session: AsyncSession, numbers: Collection[int]) -> None:
    """Leave the places of these files to others, for paths that no disk has."""
    if numbers:
        aside = [{"of": number, "way": f"//{number}", "off": "/"} for number in sorted(numbers)]
        connection = await session.connection()
        await connection.execute(_ASIDE, aside)


async def move(session: AsyncSession, files: Mapping[int, DiskFile]) -> None:
    """Files that have another name or folder, and stepped aside; they stay who they are."""
    if not files:
        return
    connection = await session.connection()
    rows = [
        {
            "of": number,
            "path": file.path,
            "folder": file.folder,
            "name": file.name,
            "suffix": file.suffix,
        }
        for number, file in sorted(files.items())
    ]
    await connection.execute(_MOVE, rows)
    await reindex(session, list(files))


async def go(session: AsyncSession, numbers: Collection[int]) -> None:
    """Files that are no longer where they were."""
    now = clock.now()
    for some in chunks(numbers):
        await session.execute(
            update(_FILES)
            .where(_FILES.c.number.in_(some), _FILES.c.gone_at.is_(None))
            .values(gone_at=now)
        )


async def come_back(session: AsyncSession, numbers: Collection[int]) -> None:
    """Files that are where they were after all."""
    for some in chunks(numbers):
        await session.execute(update(_FILES).where(_FILES.c.number.in_(some)).values(gone_at=None))


async def drop(session: AsyncSession, numbers: Collection[int]) -> None:
    """Forget files."""
    for some in chunks(numbers):
        await session.execute(delete(_FILES).where(_FILES.c.number.in_(some)))


async def drop_gone(session: AsyncSession, numbers: Collection[int]) -> None:
    """Forget files, unless they came back meanwhile."""
    for some in chunks(numbers):
        await session.execute(
            delete(_FILES).where(_FILES.c.number.in_(some), _FILES.c.gone_at.is_not(None))
        )


async def drop_some(session: AsyncSession, notebook_id: str) -> bool:
    """Forget some files of a notebook; whether there were any."""
    some = select(_FILES.c.number).where(_FILES.c.notebook_id == notebook_id).limit(_PAGE)
    numbers = list(await session.scalars(some))
    await drop(session, numbers)
    return bool(numbers)


async def gone_before(
    session: AsyncSession, notebook_id: str, moment: datetime, *, most: int = _PAGE
) -> list[int]:
    """Files that have been gone for so long that they will not turn up elsewhere."""
    statement = select(_FILES.c.number).where(
        _FILES.c.notebook_id == notebook_id, _FILES.c.gone_at < moment
    )
    return list(await session.scalars(statement.limit(most)))


async def counts(session: AsyncSession, notebook_id: str) -> dict[str, int]:
    """How many files there are in each state of their text."""
    statement = (
        select(_FILES.c.text_state, func.count())
        .where(_FILES.c.notebook_id == notebook_id, _FILES.c.gone_at.is_(None))
        .group_by(_FILES.c.text_state)
    )
    return {row[0]: row[1] for row in await session.execute(statement)}


async def reindex(session: AsyncSession, numbers: Sequence[int]) -> None:
    """Write these files into the full-text index anew, from their rows."""
    for some in chunks(numbers):
        texts: dict[int, list[str]] = {}
        for number, text in await session.execute(
            select(FileText.number, FileText.text).where(FileText.number.in_(some))
        ):
            texts.setdefault(number, []).append(text)
        tags: dict[int, list[str]] = {}
        for number, tag in await session.execute(
            select(FileTag.number, FileTag.tag).where(FileTag.number.in_(some))
        ):
            tags.setdefault(number, []).append(tag)
        rows = await session.execute(
            select(_FILES.c.number, _FILES.c.name, _FILES.c.folder).where(
                _FILES.c.number.in_(some), _FILES.c.text_state != "waiting"
            )
        )
        entries = [
            entry(number, name, folder, tags=tags.get(number, ()), texts=texts.get(number, ()))
            for number, name, folder in rows
        ]
        await INDEX.remove(session, [each["number"] for each in entries])
        await INDEX.add(session, entries)


def entry(
    number: int, name: str, folder: str, *, tags: Iterable[str], texts: Iterable[str]
) -> dict[str, Any]:
    """The full-text index's row of a file."""
    return {
        "number": number,
        "name": name,
        "folder": folder,
        "tags": " ".join(tags),
        "text": "\n".join(texts)[:MOST_INDEXED],
    }
