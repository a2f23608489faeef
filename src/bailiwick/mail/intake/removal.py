"""An account's mail goes, some at a time: no other writer waits until all of it is gone."""

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit.db import Storage
from bailiwick.mail.models import MailMessage, MailSync

SOME = 500


async def empty(storage: Storage, account_id: str) -> None:
    """Delete all mail of an account here; should it stay, it is fetched from the beginning."""
    async with storage.app.write() as session:
        await session.execute(
            update(MailSync).where(MailSync.account_id == account_id).values(cursor=None)
        )
    while await _fewer(storage, account_id):
        pass


async def _fewer(storage: Storage, account_id: str) -> bool:
    async with storage.app.write() as session:
        numbers = await _some(session, account_id)
        await session.execute(delete(MailMessage).where(MailMessage.number.in_(numbers)))
    return len(numbers) == SOME


async def _some(session: AsyncSession, account_id: str) -> list[int]:
    statement = select(MailMessage.number).where(MailMessage.account_id == account_id).limit(SOME)
    return list(await session.scalars(statement))
