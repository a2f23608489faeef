"""The accounts of a workspace, as tools and rules may know them."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository


class Facts(NamedTuple):
    """One account, plainly."""

    id: str
    label: str
    address: str
    primary: bool
    connector: str
    kinds: tuple[str, ...]


async def facts_of(session: AsyncSession, workspace_id: str) -> list[Facts]:
    """All accounts in use, the primary one first."""
    rows = await repository.of_workspace(session, workspace_id, category=None)
    return [
        Facts(
            id=row.id,
            label=row.label,
            address=row.address,
            primary=row.is_primary,
            connector=row.connector,
            kinds=tuple(repository.categories_of(row)),
        )
        for row in rows
    ]
