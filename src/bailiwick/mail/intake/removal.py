"""An account's mail goes, some at a time: no other writer waits until all of it is gone."""

from bailiwick.kit.db import Storage
from bailiwick.mail.intake import repository
from bailiwick.office import Office

SOME = 500


async def empty(office: Office, account_id: str) -> None:
    """Delete all mail of an account here; should it stay, it is fetched from the beginning."""
    async with office.storage.app.write() as session:
        await repository.forget_cursor(session, account_id)
    while await _fewer(office.storage, account_id):
        pass


async def _fewer(storage: Storage, account_id: str) -> bool:
    async with storage.app.write() as session:
        return await repository.delete_some(session, account_id, SOME) == SOME
