"""All SQL of memory."""

from collections.abc import AsyncGenerator

from sqlalchemy import ColumnElement, and_, case, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import NotFound
from bailiwick.memory.models import Memory
from bailiwick.tools.tool import Context

_CHUNK = 200


def sharer(context: Context) -> str:
    """Whose shared memories a caller sees: those of all who act for the same person."""
    return context.user_id or context.actor_id


async def get(
    session: AsyncSession, context: Context, id: str, *, deleted: bool = False, lock: bool = False
) -> Memory:
    """A memory that the caller may see, or `NotFound`."""
    statement = select(Memory).where(Memory.id == id, _visible(context))
    if lock:
        statement = statement.with_for_update()
    memory = (await session.scalars(statement)).one_or_none()
    if memory is None or (memory.deleted_at and not deleted):
        raise NotFound("There is no such memory. Search to see what there is.")
    return memory


async def made_by(session: AsyncSession, workspace_id: str, key: str) -> Memory | None:
    """The memory that a call with this key made."""
    statement = select(Memory).where(Memory.created_key == key, Memory.workspace_id == workspace_id)
    return (await session.scalars(statement)).one_or_none()


async def visible(session: AsyncSession, context: Context, *, most: int) -> AsyncGenerator[Memory]:
    """What the caller may see: their own first, then what is shared, then what is everyone's."""
    order = case({"local": 0, "shared": 1}, value=Memory.reach, else_=2)
    statement = (
        select(Memory)
        .where(_visible(context), Memory.deleted_at.is_(None))
        .order_by(order, Memory.updated_at.desc(), Memory.id)
        .limit(most)
        .execution_options(yield_per=_CHUNK)
    )
    found = await session.stream_scalars(statement)
    try:
        async for memory in found:
            yield memory
    finally:
        await found.close()


def _visible(context: Context) -> ColumnElement[bool]:
    return and_(
        Memory.workspace_id == context.workspace_id,
        or_(
            and_(Memory.reach == "local", Memory.owner_id == context.actor_id),
            and_(Memory.reach == "shared", Memory.owner_id == sharer(context)),
            Memory.reach == "global",
        ),
    )
