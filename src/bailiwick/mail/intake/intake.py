"""`Intake`: what a connector gives becomes mail here, exactly once.

A page is taken in by one transaction, together with the cursor behind it: folders, messages, where
they are, their labels, the index, whom the filters give them to, and the events that tell of it.
Given twice, a page changes nothing the second time. What takes long happens before:
strangers' bytes are read in the extraction process, the rest (compressing, the filters) in a
thread.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.models import Account
from bailiwick.connectors.mail import ArrivedMessage, MailPage
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.kit.extraction import Extractor
from bailiwick.kit.prefetch import one_ahead
from bailiwick.mail import extraction, raw
from bailiwick.mail.filters import cache as filters
from bailiwick.mail.filters.cache import FilterCache
from bailiwick.mail.filters.service import Taking
from bailiwick.mail.intake import prepare, repository
from bailiwick.mail.intake.prepare import Extracted, FilterSorter, IncomingMessage
from bailiwick.mail.intake.store import PageStore, TakenPage

_AT_ONCE = 8  # blobs on their way to the disk


@dataclass(frozen=True, slots=True)
class _Read:
    """A page that is ready to be stored."""

    account: Account
    page: MailPage
    marks: Sequence[str]
    sorter: FilterSorter
    drafts: Mapping[str, IncomingMessage]


class Intake:
    """Takes mail in."""

    def __init__(
        self,
        storage: Storage,
        blobs: BlobFolder,
        cache: FilterCache,
        extractor: Extractor,
        *,
        taking: Taking | None = None,  # None: every director has every account
    ) -> None:
        self._taking = taking
        self._storage = storage
        self._blobs = blobs
        self._filters = cache
        self._extractor = extractor

    async def take_in(self, account_id: str, page: MailPage, *, cycle_id: str = "") -> TakenPage:
        """Store a page of an account and the cursor behind it; nothing if the account is gone."""
        return await self._store(await self._read(account_id, page), cycle_id)

    async def take_all(
        self, account_id: str, pages: AsyncIterator[MailPage], *, cycle_id: str
    ) -> AsyncGenerator[tuple[MailPage, TakenPage]]:
        """Store page after page; the next one is asked for and read meanwhile."""

        async def each() -> AsyncGenerator[tuple[MailPage, _Read | None]]:
            async for page in pages:
                yield page, await self._read(account_id, page)

        async with one_ahead(each()) as ready:
            async for page, read in ready:
                yield page, await self._store(read, cycle_id)

    async def _read(self, account_id: str, page: MailPage) -> _Read | None:
        """Parse, clean and sort what is new in a page; None: the account is gone."""
        marks = await asyncio.to_thread(prepare.fingerprints, page.arrived)
        async with self._storage.app.read() as session:
            account = await accounts.find(session, account_id)
            if account is None:
                return None
            known = await repository.numbers(session, account_id, marks)
            compiled = await self._filters.of(session, account.workspace_id, account.owner_id)
            zone = await filters.zone(session)
        sorter = FilterSorter(account_id, compiled, zone, account.route_from)
        pairs = zip(marks, page.arrived, strict=True)
        new = {mark: one for mark, one in pairs if mark not in known}
        raws = [one.raw for one in new.values()]
        said = await self._extractor.read(extraction.READ, raws, authserv_id=account.authserv_id)
        drafts = await asyncio.to_thread(self._prepare, new, said, sorter)
        return _Read(account, page, marks, sorter, drafts)

    async def _store(self, read: _Read | None, cycle_id: str) -> TakenPage:
        if read is None:
            return TakenPage([], 0)
        account, page = read.account, read.page
        async with self._storage.app.write() as session:
            # First, because whoever else takes in for this account waits here.
            if not await repository.keep_cursor(session, account.id, page.cursor):
                return TakenPage([], 0)
            storing = PageStore(
                session,
                account,
                page,
                marks=read.marks,
                sorter=read.sorter,
                cycle_id=cycle_id,
                taking=self._taking,
            )
            return await storing.run(read.drafts)

    def _prepare(
        self,
        new: Mapping[str, ArrivedMessage],
        said: Sequence[Extracted],
        sorter: FilterSorter,
    ) -> dict[str, IncomingMessage]:
        put = raw.own(self._blobs).put
        # Each blob is waited for until the disk has it, but not one after the other.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            keep = partial(pool.submit, put)
            drafts = {
                mark: prepare.prepare(one, mark, keep, said=known)
                for (mark, one), known in zip(new.items(), said, strict=True)
            }
        for draft in drafts.values():
            draft.matches = sorter.matches(draft.values)
        return drafts
