"""SQL of searches over the index. Who may see what is a part of every statement."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, exists, false, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db.chunks import chunks
from bailiwick.kit.db.fulltext import Expression
from bailiwick.library.index.fulltext import INDEX
from bailiwick.library.index.models import FileTag, FileText, IndexedFile
from bailiwick.tools.scope import Scope

_FILES: Table = IndexedFile.__table__  # pyright: ignore[reportAssignmentType]
_TAGS: Table = FileTag.__table__  # pyright: ignore[reportAssignmentType]
_TEXTS: Table = FileText.__table__  # pyright: ignore[reportAssignmentType]
SEARCHED = 200_000  # characters of a text that a snippet is looked for in
_PAGE = 1_000


class FoundRow(NamedTuple):
    """A file that fits, before it is known whether it is shown."""

    number: int
    notebook_id: str
    path: str
    score: float


@dataclass(frozen=True, slots=True)
class FileFilter:
    """Which files are looked at, beside those that the caller may see at all."""

    kind: str | None = None  # a suffix such as "pdf", or the beginning of a media type: "image/"
    tag: str | None = None
    untagged: bool = False
    folders: dict[str, str] = field(default_factory=dict[str, str])  # by notebook: within these
    after: datetime | None = None
    before: datetime | None = None

    def conditions(self, notebook_ids: Collection[str], scope: Scope) -> list[ColumnElement[bool]]:
        """All of it as SQL. The scope's patterns are met at least as widely as they reach."""
        wanted: list[ColumnElement[bool]] = [
            _FILES.c.notebook_id.in_(sorted(notebook_ids)),
            _FILES.c.gone_at.is_(None),
            *_in_scope(scope),
        ]
        if self.kind:
            wanted.append(_of_kind(self.kind))
        if self.tag or self.untagged:
            tagged = exists().where(_TAGS.c.number == _FILES.c.number)
            wanted.append(tagged.where(_TAGS.c.tag == self.tag) if self.tag else ~tagged)
        for notebook_id, folder in self.folders.items():
            wanted.append(or_(_FILES.c.notebook_id != notebook_id, _within(folder)))
        if self.after:
            wanted.append(_FILES.c.modified_at >= self.after)
        if self.before:
            wanted.append(_FILES.c.modified_at < self.before)
        return wanted


async def by_words(
    session: AsyncSession,
    words: Expression,
    wanted: Sequence[ColumnElement[bool]],
    *,
    most: int,
    below: int | None = None,
) -> list[FoundRow]:
    """The newest files that hold the words, each with how well."""
    lookup = INDEX.lookup(session, words)
    few = (
        select(lookup.number.label("number"), lookup.score.label("score"))
        .select_from(lookup.source)
        .where(lookup.matches, lookup.kept(_FILES.c.number == lookup.number, *wanted))
        .order_by(lookup.number.desc())
        .limit(most)
    )
    if below is not None:
        few = few.where(lookup.number < below)
    found = few.subquery("few")
    statement = select(_FILES.c.number, _FILES.c.notebook_id, _FILES.c.path, found.c.score).join(
        found, found.c.number == _FILES.c.number
    )
    return [FoundRow(*row) for row in await session.execute(statement)]


async def newest(
    session: AsyncSession,
    wanted: Sequence[ColumnElement[bool]],
    *,
    most: int,
    offset: int = 0,
    by_arrival: bool = False,
) -> list[FoundRow]:
    """The files that were written to last, or that came last."""
    moment = _FILES.c.first_seen_at if by_arrival else _FILES.c.modified_at
    statement = (
        select(_FILES.c.number, _FILES.c.notebook_id, _FILES.c.path, _FILES.c.attempts)
        .where(*wanted)
        .order_by(moment.desc(), _FILES.c.number.desc())
        .limit(most)
        .offset(offset)
    )
    rows = await session.execute(statement)
    return [FoundRow(row.number, row.notebook_id, row.path, 0.0) for row in rows]


async def vectors_of(
    session: AsyncSession, numbers: Sequence[int], wanted: Sequence[ColumnElement[bool]]
) -> list[Any]:
    """Which of these files fit, with their embeddings."""
    found: list[Any] = []
    for some in chunks(numbers):
        statement = select(
            _FILES.c.number, _FILES.c.notebook_id, _FILES.c.path, _FILES.c.vector
        ).where(_FILES.c.number.in_(some), *wanted)
        found.extend(await session.execute(statement))
    return found


async def all_vectors(
    session: AsyncSession, notebook_id: str, *, after: int
) -> list[tuple[int, bytes]]:
    """Embeddings of a notebook, page by page."""
    statement = (
        select(_FILES.c.number, _FILES.c.vector)
        .where(
            _FILES.c.notebook_id == notebook_id,
            _FILES.c.vector.is_not(None),
            _FILES.c.gone_at.is_(None),
            _FILES.c.number > after,
        )
        .order_by(_FILES.c.number)
        .limit(_PAGE)
    )
    return [(row.number, row.vector) for row in await session.execute(statement)]


async def files(session: AsyncSession, numbers: Collection[int]) -> dict[int, IndexedFile]:
    """The rows of files."""
    statement = select(IndexedFile).where(IndexedFile.number.in_(numbers))
    return {row.number: row for row in await session.scalars(statement)}


async def file_at(session: AsyncSession, notebook_id: str, path: str) -> IndexedFile | None:
    """The row of one file."""
    statement = select(IndexedFile).where(
        IndexedFile.notebook_id == notebook_id,
        IndexedFile.path == path,
        IndexedFile.gone_at.is_(None),
    )
    return (await session.scalars(statement)).one_or_none()


async def texts(
    session: AsyncSession, numbers: Collection[int], *, most: int = SEARCHED
) -> dict[int, dict[str, tuple[str, int]]]:
    """The beginnings of texts, by extractor."""
    found: dict[int, dict[str, tuple[str, int]]] = {}
    statement = select(
        _TEXTS.c.number,
        _TEXTS.c.extractor,
        func.substr(_TEXTS.c.text, 1, most).label("start"),
        _TEXTS.c.characters,
    ).where(_TEXTS.c.number.in_(numbers))
    for row in await session.execute(statement):
        found.setdefault(row.number, {})[row.extractor] = (row.start, row.characters)
    return found


async def vector_at(session: AsyncSession, number: int) -> bytes | None:
    """The embedding of one file."""
    return await session.scalar(select(_FILES.c.vector).where(_FILES.c.number == number))


async def waiting_paths(
    session: AsyncSession, notebook_id: str, folder: str, *, most: int
) -> list[str]:
    """Files in a folder and beneath it whose text is not in the index yet."""
    statement = select(_FILES.c.path).where(
        _FILES.c.notebook_id == notebook_id,
        _FILES.c.text_state == "waiting",
        _FILES.c.gone_at.is_(None),
        _within(folder),
    )
    return list(await session.scalars(statement.limit(most)))


async def folder_paths(session: AsyncSession, notebook_id: str, folder: str) -> list[str]:
    """The folders that hold files, in a folder and beneath it."""
    statement = (
        select(_FILES.c.folder)
        .where(_FILES.c.notebook_id == notebook_id, _FILES.c.gone_at.is_(None), _within(folder))
        .distinct()
    )
    return list(await session.scalars(statement))


def _of_kind(kind: str) -> ColumnElement[bool]:
    if "/" in kind:
        return _FILES.c.media_type.startswith(kind, autoescape=True)
    return _FILES.c.suffix == kind.lower().lstrip("*").lstrip(".")


def _within(folder: str) -> ColumnElement[bool]:
    if not folder:
        return _FILES.c.number > 0
    return or_(_FILES.c.folder == folder, _FILES.c.folder.startswith(f"{folder}/", autoescape=True))


def _in_scope(scope: Scope) -> list[ColumnElement[bool]]:
    """What the patterns reach at most; whoever shows a file asks the scope itself."""
    made: list[ColumnElement[bool]] = []
    starts = [_literal(pattern) for pattern in scope.folders]
    if not all(starts):
        starts = []  # one of them reaches from the top
    elif starts:
        made.append(or_(*map(_within, starts)))
    if not scope.folders or not scope.file_types:
        made.append(false())
    if "*" not in scope.file_types:
        kinds = {pattern.casefold().lstrip("*").lstrip(".") for pattern in scope.file_types}
        made.append(_FILES.c.suffix.in_(sorted(kinds)))
    return [and_(*made)] if made else []


def _literal(pattern: str) -> str:
    """The folders that a pattern begins with, up to its first star."""
    names: list[str] = []
    for name in unicodedata.normalize("NFC", pattern).strip("/").split("/"):
        if "*" in name:
            break
        names.append(name)
    return "/".join(names)
