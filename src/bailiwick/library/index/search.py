"""Finds files by their words and by their meaning, among those that a caller may see.

Matches of words come first, the best of the newest in front; then files of like meaning. What the
scope does not allow is left out before anything is counted.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

import structlog

from bailiwick.errors import Unavailable
from bailiwick.kit.db import Store
from bailiwick.kit.db.fulltext import Each, Expression, MatchWords, folded
from bailiwick.kit.snippets import PhraseMarker, SnippetPiece
from bailiwick.library.index import queries, text_rows
from bailiwick.library.index import vectors as signs
from bailiwick.library.index.models import IndexedFile
from bailiwick.library.index.queries import FileFilter, FoundRow
from bailiwick.library.index.vectors import FileVectors
from bailiwick.library.index.walk import is_usable, names_of
from bailiwick.library.models import Notebook
from bailiwick.llm import vectors
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import Scope

FileSearchMode = Literal["keyword", "semantic", "both"]
HowFound = Literal["words", "meaning", "newest"]
RANKED = 500  # of a word that most files hold, so many of the newest are ranked
_ROUNDS = 20
_OF_VECTOR = 1_500  # characters of a text that its embedding is made from
log = structlog.stdlib.get_logger("bailiwick.library")


@dataclass(frozen=True, slots=True)
class FileSearch:
    """What is asked, by whom."""

    notebooks: Sequence[Notebook]
    scope: Scope
    query: str = ""
    mode: FileSearchMode = "both"
    only: FileFilter = field(default_factory=FileFilter)

    @property
    def words(self) -> list[str]:
        """The words that are looked for."""
        return [word for word in self.query.split() if folded(word)]

    @property
    def expression(self) -> Expression:
        """All of the words; the last one may go on."""
        *others, last = self.words
        return Each((*(MatchWords(word) for word in others), MatchWords(last, prefix=True)))

    def allowed(self, rows: Iterable[FoundRow], most: int) -> list[FoundRow]:
        """The first of these files that the caller may see; no more are asked about."""
        return list(islice((row for row in rows if self._allows(row)), max(most, 0)))

    def _allows(self, row: FoundRow) -> bool:
        return is_usable(row.path) and self.scope.allows_file(self.path_of(row))

    def path_of(self, row: FoundRow) -> VirtualPath:
        """The path of a file as callers know it."""
        names = {notebook.id: notebook.name for notebook in self.notebooks}
        return VirtualPath((names[row.notebook_id], *names_of(row.path)))


@dataclass(frozen=True, slots=True)
class FileHit:
    """A found file."""

    file: IndexedFile
    notebook: Notebook
    path: VirtualPath
    how: HowFound
    tags: Sequence[str]
    text: str  # the beginning of it
    snippet: Sequence[SnippetPiece]
    likeness: float | None = None  # of what was found by its meaning


@dataclass(frozen=True, slots=True)
class FileHits:
    """What was found, in order, and whether there is more."""

    items: list[FileHit]
    more: bool


class FileFinder:
    """Searches the index."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.vectors = FileVectors(store)

    async def find(self, search: FileSearch, *, limit: int) -> FileHits:
        """The files that fit, the best first; without words, the newest."""
        if not search.notebooks:
            return FileHits([], more=False)
        if not search.words:
            return await self.newest(search, limit=limit)
        found: list[tuple[FoundRow, HowFound]] = []
        if search.mode != "semantic":
            rows = await self._by_words(search, limit + 1)
            found.extend((row, "words") for row in rows)
        if search.mode != "keyword" and len(found) <= limit:
            known = {row.number for row, _ in found}
            alike = await self._by_meaning(search, limit + 1)
            found.extend((row, "meaning") for row in alike if row.number not in known)
        return await self._hits(search, found, limit)

    async def newest(self, search: FileSearch, *, limit: int, by_arrival: bool = False) -> FileHits:
        """The files that were written to last, or that came last."""
        wanted = search.only.conditions(_ids(search), search.scope)
        rows: list[FoundRow] = []
        async with self._store.read() as session:
            for turn in range(_ROUNDS):
                page = await queries.newest(
                    session,
                    wanted,
                    most=RANKED,
                    offset=turn * RANKED,
                    by_arrival=by_arrival,
                )
                rows += search.allowed(page, limit + 1 - len(rows))
                if len(rows) > limit or len(page) < RANKED:
                    break
        return await self._hits(search, [(row, "newest") for row in rows], limit)

    async def similar(self, search: FileSearch, file: IndexedFile, *, limit: int) -> FileHits:
        """The files that say alike things as this one."""
        async with self._store.read() as session:
            vector = await queries.vector_at(session, file.number)
            texts = await queries.texts(session, [file.number])
        # Of a file that has only just arrived the embedding is made here.
        said = " ".join(text for text, _ in texts.get(file.number, {}).values())
        about = f"{file.name} {said[:_OF_VECTOR]}"
        rows = await self._near(
            search,
            lambda: signs.unpacked(vector) if vector else vectors.embed([about])[0],
            limit + 2,
        )
        others: list[tuple[FoundRow, HowFound]] = [
            (row, "meaning") for row in rows if row.number != file.number
        ]
        return await self._hits(search, others, limit)

    async def _by_words(self, search: FileSearch, most: int) -> list[FoundRow]:
        wanted = search.only.conditions(_ids(search), search.scope)
        rows: list[FoundRow] = []
        below: int | None = None
        async with self._store.read() as session:
            for _ in range(_ROUNDS):
                page = await queries.by_words(
                    session, search.expression, wanted, most=RANKED, below=below
                )
                rows += search.allowed(sorted(page, key=_newest_best), most)
                if len(rows) >= most or len(page) < RANKED:
                    break
                below = min(row.number for row in page)
        return sorted(rows, key=_newest_best)[:most]

    async def _by_meaning(self, search: FileSearch, most: int) -> list[FoundRow]:
        try:
            return await self._near(search, lambda: vectors.embed([search.query])[0], most)
        except Exception:
            if search.mode == "semantic":
                raise Unavailable("Search by meaning does not work now. Search by words.") from None
            log.warning("files by meaning are missing", exc_info=True)
            return []

    async def _near(
        self, search: FileSearch, ask: Callable[[], "signs.NDArray[signs.np.float32]"], most: int
    ) -> list[FoundRow]:
        tables = await self.vectors.tables([notebook.id for notebook in search.notebooks])
        if not any(len(table.numbers) for table in tables):
            return []
        asked = await asyncio.to_thread(ask)
        wanted = search.only.conditions(_ids(search), search.scope)
        found: list[FoundRow] = []
        for turn, numbers in enumerate(signs.nearest(asked, tables)):
            async with self._store.read() as session:
                rows = [
                    row for row in await queries.vectors_of(session, numbers, wanted) if row.vector
                ]
            scores = signs.likeness(asked, [row.vector for row in rows]) if rows else []
            alike = [
                FoundRow(row.number, row.notebook_id, row.path, score)
                for row, score in zip(rows, scores, strict=True)
                if score >= signs.ALIKE
            ]
            found += search.allowed(sorted(alike, key=_nearest), most)
            if len(found) >= most or turn >= _ROUNDS:
                break
        return sorted(found, key=_nearest)[:most]

    async def _hits(
        self, search: FileSearch, found: list[tuple[FoundRow, HowFound]], limit: int
    ) -> FileHits:
        shown = found[:limit]
        numbers = [row.number for row, _ in shown]
        async with self._store.read() as session:
            files = await queries.files(session, numbers)
            texts = await queries.texts(session, numbers)
            tags = await text_rows.tags_of(session, numbers)
        notebooks = {notebook.id: notebook for notebook in search.notebooks}
        words = search.words
        marker = PhraseMarker((word, word is words[-1]) for word in words)
        items: list[FileHit] = []
        for row, how in shown:
            if file := files.get(row.number):
                text = "\n".join(text for text, _ in texts.get(row.number, {}).values())
                items.append(
                    FileHit(
                        file,
                        notebooks[row.notebook_id],
                        search.path_of(row),
                        how,
                        tags.get(row.number, ()),
                        text,
                        marker.snippet(text, " ".join(text[:200].split())),
                        row.score if how == "meaning" else None,
                    )
                )
        return FileHits(items, more=len(found) > limit)


def _newest_best(row: FoundRow) -> tuple[float, int]:
    return -row.score, -row.number


def _nearest(row: FoundRow) -> tuple[float, int]:
    return -row.score, row.number


def _ids(search: FileSearch) -> list[str]:
    return [notebook.id for notebook in search.notebooks]
