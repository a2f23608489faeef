"""Finds memories by their words, by their meaning, or both.

Groups keep their order: own, shared, global. Within each, matches of the words come before similar
ones. Tools and lists use this search alone.
"""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Unavailable
from bailiwick.kit.db import Store
from bailiwick.llm.vectors import LONGEST
from bailiwick.memory import repository, vectors
from bailiwick.memory.models import Reach
from bailiwick.memory.repository import Candidate
from bailiwick.memory.viewer import MemoryViewer

Mode = Literal["keyword", "semantic", "both"]
How = Literal["words", "meaning"]
# Sort key: group; similar only; age or distance; and the id, to break ties.
SearchPosition = tuple[int, bool, float, str]
# The most that are searched, the nearest and newest first.
MOST_SEARCHED = 10_000
# The most found by meaning alone: beyond this, similarity is chance.
MOST_ALIKE = 50
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """The query of a search."""

    query: str = ""
    mode: Mode = "both"
    reach: Reach | None = None
    owner: str | None = None  # an id, or a name
    tags: Sequence[str] = ()

    @property
    def words(self) -> list[str]:
        """The words that a memory must hold, if words count."""
        return self.query.casefold().split()

    @property
    def by_words(self) -> bool:
        """Whether words count; an empty query matches everything."""
        return self.mode != "semantic" or not self.words

    @property
    def by_meaning(self) -> bool:
        """Whether meaning counts."""
        return self.mode != "keyword" and bool(self.words)


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """A found memory, and its sort key."""

    id: str
    how: How | None  # None: the query was empty
    place: SearchPosition


@dataclass(frozen=True, slots=True)
class FoundMemories:
    """The found memories in order, and whether there were more."""

    hits: list[MemoryHit]
    more: bool


@dataclass(slots=True)
class _Sifted:
    """Memories that match the words, and those that may match by meaning."""

    exact: list[MemoryHit] = field(default_factory=list[MemoryHit])
    others: list[Candidate] = field(default_factory=list[Candidate])


async def find(
    store: Store, viewer: MemoryViewer, query: MemoryQuery, *, most: int | None = None
) -> FoundMemories:
    """The memories that reach the viewer and match the query, in order; at most `most`."""
    sifted = await _sift(store, viewer, query, most=most)
    found = sifted.exact
    if most is None or len(found) <= most:
        # Matches of words come before similar memories, whoever owns them.
        found = [*found, *await _alike(store, query, sifted.others)]
    best = found[:most]
    return FoundMemories(sorted(best, key=lambda hit: hit.place), more=len(best) < len(found))


async def _sift(
    store: Store, viewer: MemoryViewer, query: MemoryQuery, *, most: int | None
) -> _Sifted:
    sifted, words = _Sifted(), query.words
    tags = {tag.casefold() for tag in query.tags}
    async with store.read() as session:
        owners = await _owners(session, viewer, query.owner) if query.owner else None
        rows = repository.candidates(
            session, viewer, reach=query.reach, vectors=query.by_meaning, most=MOST_SEARCHED
        )
        async with aclosing(rows):
            async for row in rows:
                has = {tag.casefold() for tag in row.tags}
                if not tags <= has or (owners is not None and not _is_of(row, owners)):
                    continue
                if query.by_words and _holds(row, has, words):
                    place = (row.group, False, -row.updated_at.timestamp(), row.id)
                    sifted.exact.append(MemoryHit(row.id, "words" if words else None, place))
                elif query.by_meaning:
                    # Contents are dropped at once, because they may be many and long.
                    text = "" if row.vector else row.content[:LONGEST]
                    sifted.others.append(row._replace(content=text))
                if most is not None and len(sifted.exact) > most:
                    break
    return sifted


def _holds(row: Candidate, tags: set[str], words: Sequence[str]) -> bool:
    # Not in SQL, because SQLite folds only ASCII.
    text = "\n".join((row.content.casefold(), *tags))
    return all(word in text for word in words)


async def _owners(session: AsyncSession, viewer: MemoryViewer, owner: str) -> set[str]:
    """The ids that an owner's name may mean, and the name itself."""
    called = owner.casefold()
    people = await repository.members(session, viewer.workspace_id)
    return {owner, called, *(id for id, name in people.items() if name.casefold() == called)}


def _is_of(row: Candidate, owners: set[str]) -> bool:
    return row.owner_id in owners or (row.owner_name or "").casefold() in owners


async def _alike(store: Store, query: MemoryQuery, rows: Sequence[Candidate]) -> list[MemoryHit]:
    """The memories of similar meaning, the nearest first."""
    if not rows:
        return []
    try:
        kept = await _vectors(store, rows)
        scores = await asyncio.to_thread(vectors.likeness, query.query, kept)
    except Exception:
        if query.mode == "semantic":
            raise Unavailable("Search by meaning does not work now. Search by words.") from None
        log.warning("memory.meaning_missing", exc_info=True)
        return []
    # Rounded, because the last digits depend on how many are compared at once.
    pairs = ((round(score, 4), row) for score, row in zip(scores, rows, strict=True))
    near = sorted((pair for pair in pairs if pair[0] >= vectors.ALIKE), key=lambda pair: -pair[0])
    return [
        MemoryHit(row.id, "meaning", (row.group, True, -score, row.id))
        for score, row in near[:MOST_ALIKE]
    ]


async def _vectors(store: Store, rows: Sequence[Candidate]) -> list[bytes]:
    """The embedding of each; missing ones are computed and stored."""
    lacking = [row for row in rows if row.vector is None]
    if not lacking:
        return [row.vector or b"" for row in rows]
    made = await asyncio.to_thread(vectors.packed, [row.content for row in lacking])
    new = {row.id: vector for row, vector in zip(lacking, made, strict=True)}
    async with store.write() as session:
        await repository.keep_vectors(
            session, [(row.id, row.revision, new[row.id]) for row in lacking]
        )
    return [row.vector or new[row.id] for row in rows]
