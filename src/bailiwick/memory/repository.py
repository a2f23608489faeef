"""All SQL of memory."""

from collections.abc import AsyncGenerator, Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    and_,
    bindparam,
    case,
    exists,
    false,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.identity.models import User
from bailiwick.identity.principal import OPERATOR
from bailiwick.memory.models import Memory
from bailiwick.memory.viewer import MemoryViewer
from bailiwick.workspaces.models import Member

_CHUNK = 500
_TABLE: Table = Memory.__table__  # pyright: ignore[reportAssignmentType]
_KEEP = (
    update(_TABLE)
    .where(_TABLE.c.id == bindparam("of"), _TABLE.c.revision == bindparam("as_of"))
    .values(vector=bindparam("made"))
)


class Candidate(NamedTuple):
    """The facts of a memory that a search needs."""

    id: str
    group: int  # own, of own agents, shared, global
    owner_id: str | None
    owner_name: str | None
    content: str
    tags: list[str]
    revision: int
    updated_at: datetime
    vector: bytes | None


async def get(
    session: AsyncSession,
    viewer: MemoryViewer,
    id: str,
    *,
    deleted: bool = False,
    lock: bool = False,
) -> Memory:
    """A memory that reaches the viewer, or `NotFound`."""
    statement = select(Memory).where(Memory.id == id, reaching(viewer))
    if lock:
        statement = statement.with_for_update()
    memory = (await session.scalars(statement)).one_or_none()
    if memory is None or (memory.deleted_at and not deleted):
        raise NotFound("There is no such memory. Search to see what there is.")
    return memory


async def workspace_of(session: AsyncSession, id: str) -> str | None:
    """The workspace of a memory; access is checked by the caller."""
    return await session.scalar(select(Memory.workspace_id).where(Memory.id == id))


async def these(session: AsyncSession, viewer: MemoryViewer, ids: Sequence[str]) -> list[Memory]:
    """Those of the memories that the viewer may still read, in the given order."""
    statement = select(Memory).where(
        Memory.id.in_(ids), readable(viewer), Memory.deleted_at.is_(None)
    )
    found = {memory.id: memory for memory in await session.scalars(statement)}
    return [found[id] for id in ids if id in found]


async def made_by(session: AsyncSession, workspace_id: str, key: str) -> Memory | None:
    """The memory that a call with this key made."""
    statement = select(Memory).where(Memory.created_key == key, Memory.workspace_id == workspace_id)
    return (await session.scalars(statement)).one_or_none()


async def candidates(
    session: AsyncSession, viewer: MemoryViewer, *, reach: str | None, vectors: bool, most: int
) -> AsyncGenerator[Candidate]:
    """What reaches the viewer: their own first, then what is shared, then what is everyone's."""
    own = and_(Memory.reach == "local", Memory.owner_id == viewer.id)
    group = case((own, 0), (Memory.reach == "local", 1), (Memory.reach == "shared", 2), else_=3)
    statement = (
        select(
            Memory.id,
            group,
            Memory.owner_id,
            Memory.owner_name,
            Memory.content,
            Memory.tags,
            Memory.revision,
            Memory.updated_at,
            Memory.vector if vectors else null(),
        )
        .where(readable(viewer), Memory.deleted_at.is_(None))
        .where(Memory.reach == reach if reach else true())
        .order_by(group, Memory.updated_at.desc(), Memory.id)
        .limit(most)
        .execution_options(yield_per=_CHUNK)
    )
    found = await session.stream(statement)
    try:
        async for rows in found.partitions():
            for row in rows:
                yield Candidate(*row)
    finally:
        await found.close()


async def keep_vectors(session: AsyncSession, made: Collection[tuple[str, int, bytes]]) -> None:
    """Store embeddings, unless the content changed since it was read."""
    connection = await session.connection()
    # Sorted, so that two searches at once do not wait for each other.
    rows = [{"of": id, "as_of": revision, "made": vector} for id, revision, vector in sorted(made)]
    await connection.execute(_KEEP, rows)


async def names(session: AsyncSession, memories: Collection[Memory]) -> dict[str, str]:
    """The owners' names: people's present names, others' names as stored."""
    known = {each.owner_id: each.owner_name for each in memories}
    statement = select(User.id, User.name).where(User.id.in_([id for id in known if id]))
    people = {row[0]: row[1] for row in await session.execute(statement)}
    others = {id: name for id, name in known.items() if id and name}
    return {**others, **people}


async def members(session: AsyncSession, workspace_id: str) -> dict[str, str]:
    """The names of the people in a workspace, by id."""
    statement = (
        select(User.id, User.name)
        .join(Member, Member.user_id == User.id)
        .where(Member.workspace_id == workspace_id)
    )
    return {row[0]: row[1] for row in await session.execute(statement)}


def reaching(viewer: MemoryViewer) -> ColumnElement[bool]:
    """Which memories someone sees: the one rule for tools, lists and changes.

    A person also sees what agents remember locally while they act for them. What is another
    person's nobody sees, an admin neither.
    """
    return and_(
        Memory.workspace_id == viewer.workspace_id,
        or_(
            Memory.reach == "global",
            and_(Memory.reach == "shared", Memory.owner_id == viewer.sharer, _between(viewer)),
            and_(
                Memory.reach == "local",
                or_(
                    Memory.owner_id == viewer.id,
                    Memory.user_id == viewer.id,
                    _of_operator(viewer),
                ),
            ),
        ),
    )


def readable(viewer: MemoryViewer) -> ColumnElement[bool]:
    """Which memories someone may read: those that reach them, and what is opened to them.

    A director may read, but not change, what its named agents remember of the same person.
    """
    if not viewer.opened:
        return reaching(viewer)
    person = Memory.user_id == viewer.user_id if viewer.user_id else Memory.user_id.is_(None)
    opened = and_(
        Memory.workspace_id == viewer.workspace_id,
        Memory.reach == "local",
        Memory.owner_id.in_(viewer.opened),
        person,
    )
    return or_(reaching(viewer), opened)


def _between(viewer: MemoryViewer) -> ColumnElement[bool]:
    """Of shared memories, those of a viewer and its director; a person sees all of theirs."""
    if viewer.is_person:
        return true()
    pair = and_(
        Memory.director_id == viewer.director_id,
        or_(
            Memory.agent_id.is_(None), Memory.agent_id == viewer.id, Memory.director_id == viewer.id
        ),
    )
    everyone = Memory.director_id.is_(None)
    return or_(everyone, pair) if viewer.director_id else everyone


def _of_operator(viewer: MemoryViewer) -> ColumnElement[bool]:
    """What agents remember while they act for the operator, who is not a user."""
    if viewer.id != OPERATOR.id:
        return false()
    return and_(Memory.user_id.is_(None), ~exists().where(User.id == Memory.owner_id))
