"""`Intake`: what a connector gives becomes mail here, exactly once.

A page is taken in by one transaction, together with the cursor behind it: folders, messages, where
they are, their labels, the index, whom the filters give them to, and the events that tell of it.
Given twice, a page changes nothing the second time. What takes long (reading, compressing, the
filters) happens before, in a thread.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.models import Account
from bailiwick.connectors.mail import Arrived, Page
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.mail.filters import books as filters
from bailiwick.mail.filters.books import Books
from bailiwick.mail.intake import preparing, repository
from bailiwick.mail.intake.preparing import Draft, Sorter
from bailiwick.mail.intake.storing import Storing, Taken


@dataclass(frozen=True, slots=True)
class _Before:
    """What was known before a page was read."""

    account: Account
    known: Mapping[str, int]
    sorter: Sorter


class Intake:
    """Takes mail in."""

    def __init__(self, storage: Storage, blobs: BlobFolder, books: Books) -> None:
        self._storage = storage
        self._blobs = blobs
        self._books = books

    async def take_in(self, account_id: str, page: Page, *, fetch_id: str) -> Taken:
        """Store a page of an account and the cursor behind it; nothing if the account is gone."""
        marks = await asyncio.to_thread(preparing.fingerprints, page.arrived)
        before = await self._look(account_id, marks)
        if before is None:
            return Taken([], 0)
        pairs = zip(marks, page.arrived, strict=True)
        new = {mark: one for mark, one in pairs if mark not in before.known}
        drafts = await asyncio.to_thread(self._prepare, new, before.sorter)
        async with self._storage.app.write() as session:
            # First, because whoever else takes in for this account waits here.
            if not await repository.keep_cursor(session, account_id, page.cursor):
                return Taken([], 0)
            storing = Storing(
                session, before.account, page, marks=marks, sorter=before.sorter, fetch=fetch_id
            )
            return await storing.run(drafts)

    async def _look(self, account_id: str, marks: Sequence[str]) -> _Before | None:
        async with self._storage.app.read() as session:
            account = await accounts.find(session, account_id)
            if account is None:
                return None
            known = await repository.numbers(session, account_id, marks)
            book = await self._books.of(session, account.workspace_id)
            zone = await filters.zone(session)
            return _Before(account, known, Sorter(account_id, book, zone, account.route_from))

    def _prepare(self, new: Mapping[str, Arrived], sorter: Sorter) -> dict[str, Draft]:
        drafts = {mark: preparing.prepare(one, mark, self._blobs) for mark, one in new.items()}
        for draft in drafts.values():
            draft.matches = sorter.matches(draft.values)
        return drafts
