"""Finding memories: by their words, by what they mean, or both.

The groups keep their order: one's own, then what is shared, then what is everyone's. Within each,
what holds the words comes first, then what is alike. Tools and lists search with this alone.
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
# The group; whether it is only alike; how old or how unlike it is; and the id, so that no two tie.
SearchPosition = tuple[int, bool, float, str]
# How many are looked through at most, the nearest and newest first.
MOST_SEARCHED = 10_000
# How many are found by meaning alone: further down the likeness is chance.
MOST_ALIKE = 50
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MemoryQuery:
    """What is looked for."""

    query: str = ""
    mode: Mode = "both"
    reach: Reach | None = None
    owner: str | None = None  # an id, or a name
    tags: Sequence[str] = ()

    @property
    def words(self) -> list[str]:
        """What has to stand in a memory, if words count."""
        return self.query.casefold().split()

    @property
    def by_words(self) -> bool:
        """Whether words count; nothing asked for is found in everything."""
        return self.mode != "semantic" or not self.words

    @property
    def by_meaning(self) -> bool:
        """Whether likeness counts."""
        return self.mode != "keyword" and bool(self.words)


@dataclass(frozen=True, slots=True)
class MemoryHit:
    """A memory that was found, and where it belongs among the others."""

    id: str
    how: How | None  # None: nothing was asked
    place: SearchPosition


@dataclass(frozen=True, slots=True)
class FoundMemories:
    """What was found, in order, and whether there was more than was asked for."""

    hits: list[MemoryHit]
    more: bool


@dataclass(slots=True)
class _Sifted:
    """What holds the words, and what else may be alike."""

    exact: list[MemoryHit] = field(default_factory=list[MemoryHit])
    others: list[Candidate] = field(default_factory=list[Candidate])


async def find(
    store: Store, viewer: MemoryViewer, query: MemoryQuery, *, most: int | None = None
) -> FoundMemories:
    """What reaches the viewer and fits the query, in order; of more than `most` the best."""
    sifted = await _sift(store, viewer, query, most=most)
    found = sifted.exact
    if most is None or len(found) <= most:
        # What holds the words is worth more than what is alike, whoever it belongs to.
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
                    # Whole contents are not held on to: there may be many, and long ones.
                    text = "" if row.vector else row.content[:LONGEST]
                    sifted.others.append(row._replace(content=text))
                if most is not None and len(sifted.exact) > most:
                    break
    return sifted


def _holds(row: Candidate, tags: set[str], words: Sequence[str]) -> bool:
    # Not in SQL: SQLite folds the case of ASCII letters only.
    text = "\n".join((row.content.casefold(), *tags))
    return all(word in text for word in words)


async def _owners(session: AsyncSession, viewer: MemoryViewer, owner: str) -> set[str]:
    """The ids that an owner may be meant by, and the name itself."""
    called = owner.casefold()
    people = await repository.members(session, viewer.workspace_id)
    return {owner, called, *(id for id, name in people.items() if name.casefold() == called)}


def _is_of(row: Candidate, owners: set[str]) -> bool:
    return row.owner_id in owners or (row.owner_name or "").casefold() in owners


async def _alike(store: Store, query: MemoryQuery, rows: Sequence[Candidate]) -> list[MemoryHit]:
    """Those that mean something like it, the nearest first."""
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
    # Rounded: the last digits depend on how many are compared at once.
    pairs = ((round(score, 4), row) for score, row in zip(scores, rows, strict=True))
    near = sorted((pair for pair in pairs if pair[0] >= vectors.ALIKE), key=lambda pair: -pair[0])
    return [
        MemoryHit(row.id, "meaning", (row.group, True, -score, row.id))
        for score, row in near[:MOST_ALIKE]
    ]


async def _vectors(store: Store, rows: Sequence[Candidate]) -> list[bytes]:
    """The vector of each; those that are missing are made, and kept for the next search."""
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
