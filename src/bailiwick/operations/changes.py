"""Reading the change record."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.instance.models import Change
from bailiwick.kit.http.pages import PageRequest, Rows, paginate


async def listed(
    session: AsyncSession, page: PageRequest, *, action: str | None, subject: str | None
) -> Rows[Change]:
    """Changes, newest first."""
    statement = select(Change)
    if action:
        statement = statement.where(Change.action == action)
    if subject:
        statement = statement.where(Change.subject_id == subject)
    return await paginate(session, statement, page, by=(Change.at, Change.id))
