"""SQL of the texts: which files wait to be read, and what was read of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Table, bindparam, delete, func, insert, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db.chunks import chunks
from bailiwick.library.index import repository
from bailiwick.library.index.models import FileTag, FileText, IndexedFile, TextState

_FILES: Table = IndexedFile.__table__  # pyright: ignore[reportAssignmentType]
_TEXTS: Table = FileText.__table__  # pyright: ignore[reportAssignmentType]
_TAGS: Table = FileTag.__table__  # pyright: ignore[reportAssignmentType]
_TOUCHED = (_FILES.c.number == bindparam("of"), _FILES.c.identity == bindparam("seen"))
_SETTLE = (
    update(_FILES)
    .where(*_TOUCHED)
    .values(
        digest=bindparam("made"),
        media_type=bindparam("kind"),
        properties=bindparam("found"),
        text_state=bindparam("state"),
        problem=bindparam("fault"),
        vector=None,
    )
)
_EMBED = update(_FILES).where(*_TOUCHED).values(vector=bindparam("made"))
_OF_VECTOR = 1_500  # characters of a text that its embedding is made from


class WaitingFile(NamedTuple):
    """A file whose text is to be read."""

    number: int
    path: str
    folder: str
    name: str
    size: int
    identity: str
    digest: str | None
    attempts: int


@dataclass(frozen=True, slots=True)
class ReadText:
    """What came of reading a file."""

    file: WaitingFile
    state: TextState
    problem: str | None = None
    digest: str | None = None
    kind: str | None = None
    properties: Mapping[str, Any] | None = None
    tags: Sequence[str] = ()
    texts: Mapping[str, tuple[str, int]] | None = None


async def waiting(
    session: AsyncSession, notebook_id: str, *, most: int, after: int = 0, path: str | None = None
) -> list[WaitingFile]:
    """Some of the files that wait, those that came first in front."""
    columns = [_FILES.c[name] for name in WaitingFile._fields]
    statement = (
        select(*columns)
        .where(
            _FILES.c.notebook_id == notebook_id,
            _FILES.c.text_state == "waiting",
            _FILES.c.gone_at.is_(None),
            _FILES.c.number > after,
            _FILES.c.path == path if path else true(),
        )
        .order_by(_FILES.c.number)
        .limit(most)
    )
    return [WaitingFile(*row) for row in await session.execute(statement)]


async def try_again(session: AsyncSession, numbers: Collection[int]) -> None:
    """Count an attempt, before it is made."""
    for some in chunks(numbers):
        await session.execute(
            update(_FILES).where(_FILES.c.number.in_(some)).values(attempts=_FILES.c.attempts + 1)
        )


async def wait_again(session: AsyncSession, problem: str) -> None:
    """Have files read anew that were left for this reason."""
    await session.execute(
        update(_FILES)
        .where(_FILES.c.problem == problem, _FILES.c.gone_at.is_(None))
        .values(text_state="waiting", problem=None, attempts=0)
    )


async def store(session: AsyncSession, read: Sequence[ReadText]) -> None:
    """Put what was read on record, unless the file changed meanwhile."""
    if not read:
        return
    by_number = {one.file.number: one for one in read}
    fresh: set[int] = set()
    for some in chunks(by_number):
        rows = await session.execute(
            select(_FILES.c.number, _FILES.c.identity).where(_FILES.c.number.in_(some))
        )
        fresh |= {n for n, identity in rows if by_number[n].file.identity == identity}
    kept = [one for number, one in sorted(by_number.items()) if number in fresh]
    if not kept:
        return
    connection = await session.connection()
    await connection.execute(_SETTLE, [_settled(one) for one in kept])
    numbers = [one.file.number for one in kept]
    for some in chunks(numbers):
        await session.execute(delete(_TEXTS).where(_TEXTS.c.number.in_(some)))
        await session.execute(
            delete(_TAGS).where(_TAGS.c.number.in_(some), _TAGS.c.written.is_(True))
        )
    texts = [
        {"number": one.file.number, "extractor": by, "text": text, "characters": characters}
        for one in kept
        for by, (text, characters) in (one.texts or {}).items()
    ]
    if texts:
        await connection.execute(insert(_TEXTS), texts)
    tags = await _new_tags(session, kept)
    if tags:
        await connection.execute(insert(_TAGS), tags)
    await _write_index(session, kept)


async def _new_tags(session: AsyncSession, read: Sequence[ReadText]) -> list[dict[str, Any]]:
    tagged = {one.file.number: one.tags for one in read if one.tags}
    given = await tags_of(session, list(tagged))
    return [
        {"number": number, "tag": tag, "written": True}
        for number, tags in tagged.items()
        for tag in tags
        if tag not in given.get(number, ())
    ]


async def _write_index(session: AsyncSession, read: Sequence[ReadText]) -> None:
    tags = await tags_of(session, [one.file.number for one in read])
    entries = [
        repository.entry(
            one.file.number,
            one.file.name,
            one.file.folder,
            tags=tags.get(one.file.number, ()),
            texts=[text for text, _ in (one.texts or {}).values()],
        )
        for one in read
    ]
    await repository.INDEX.remove(session, [one.file.number for one in read])
    await repository.INDEX.add(session, entries)


async def tags_of(session: AsyncSession, numbers: Sequence[int]) -> dict[int, list[str]]:
    """The tags of files."""
    found: dict[int, list[str]] = {}
    for some in chunks(numbers):
        rows = await session.execute(
            select(_TAGS.c.number, _TAGS.c.tag).where(_TAGS.c.number.in_(some)).order_by("tag")
        )
        for number, tag in rows:
            found.setdefault(number, []).append(tag)
    return found


async def without_vector(
    session: AsyncSession, notebook_id: str, *, most: int
) -> list[tuple[int, str, str]]:
    """Read files without an embedding: number, identity, and what to make it from."""
    text = (
        select(func.substr(_TEXTS.c.text, 1, _OF_VECTOR))
        .where(_TEXTS.c.number == _FILES.c.number)
        .order_by(_TEXTS.c.extractor)
        .limit(1)
        .scalar_subquery()
    )
    statement = (
        select(_FILES.c.number, _FILES.c.identity, _FILES.c.name, text)
        .where(
            _FILES.c.notebook_id == notebook_id,
            _FILES.c.text_state != "waiting",
            _FILES.c.vector.is_(None),
            _FILES.c.gone_at.is_(None),
        )
        .order_by(_FILES.c.number)
        .limit(most)
    )
    rows = await session.execute(statement)
    return [(number, seen, f"{name}\n{text or ''}") for number, seen, name, text in rows]


async def keep_vectors(session: AsyncSession, made: Iterable[tuple[int, str, bytes]]) -> None:
    """Store embeddings, unless the file changed meanwhile."""
    rows = [{"of": number, "seen": seen, "made": vector} for number, seen, vector in made]
    if rows:
        connection = await session.connection()
        await connection.execute(_EMBED, rows)


def _settled(one: ReadText) -> dict[str, Any]:
    return {
        "of": one.file.number,
        "seen": one.file.identity,
        "made": one.digest,
        "kind": one.kind,
        "found": dict(one.properties or {}),
        "state": one.state,
        "fault": one.problem,
    }
