"""All SQL of key rotation, over the sealed columns of every table."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Column, Table, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.vault import Drawer

_BATCH = 200
_KEY_ID_AT, _KEY_ID_LENGTH = 2, 8  # counted as SQL does: after the version byte


async def give_up(
    session: AsyncSession, table: Table, column: Column[Any], known: Collection[bytes]
) -> int:
    """Clear values that no known key opens, or drop rows that need one; return how many."""
    lost = _key_id(column).not_in(known)
    verb = update(table).values({column: None}) if column.nullable else delete(table)
    result = await session.execute(verb.where(column.is_not(None), lost).returning(_row_id(table)))
    return len(result.all())


async def count_otherwise(
    session: AsyncSession, table: Table, column: Column[Any], active: bytes
) -> int:
    """The number of values sealed with another key."""
    statement = select(func.count()).select_from(table).where(_not_active(column, active))
    return await session.scalar(statement) or 0


async def reseal_some(
    session: AsyncSession, table: Table, column: Column[Any], *, drawer: Drawer, active: bytes
) -> int:
    """Seal a batch of values with the active key; return how many."""
    row_id = _row_id(table)
    statement = select(row_id, column).where(_not_active(column, active)).limit(_BATCH)
    rows = (await session.execute(statement.with_for_update())).all()
    for id, sealed in rows:
        resealed = drawer.reseal(bytes(sealed), column=column.name, row=id)
        await session.execute(update(table).where(row_id == id).values({column: resealed}))
    return len(rows)


def _not_active(column: Column[Any], active: bytes) -> Any:
    return column.is_not(None) & (_key_id(column) != active)


def _key_id(column: Column[Any]) -> Any:
    return func.substr(column, _KEY_ID_AT, _KEY_ID_LENGTH, type_=column.type)


def _row_id(table: Table) -> Column[Any]:
    (only,) = table.primary_key.columns
    return only
