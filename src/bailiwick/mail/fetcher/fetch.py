"""One fetch from one account: page by page, each stored together with how far it brings us.

Whatever happens between two pages, the next fetch goes on behind the last one that was stored. What
goes wrong stays with the account it went wrong with.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict

import structlog

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.errors import ConnectorFailed, NotInUse
from bailiwick.connectors.mail import Cursor, MailPage
from bailiwick.instance import audience
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit import clock, eventlog
from bailiwick.kit.db import Storage
from bailiwick.kit.db.away import is_away
from bailiwick.mail.fetcher import pauses, repository
from bailiwick.mail.intake import Intake

FETCHED = "mail.fetched"
# Who set a fetch going: the schedule, a provider's news, a new account, or a person.
FetchReason = Literal["due", "news", "connected", "asked"]
# A person who asks has seen that it failed, and wants it tried.
_AT_ONCE = ("connected", "asked")
_PAGE_SECONDS = 600.0
_BROKEN = "Something went wrong here while mail was taken in. The log of the server says more."
log = structlog.stdlib.get_logger("bailiwick.fetcher")


class FetchOutcome(TypedDict):
    """How a fetch went."""

    outcome: Literal["done", "stopped", "failed", "skipped"]
    new: int
    routed: int


_SKIPPED: FetchOutcome = {"outcome": "skipped", "new": 0, "routed": 0}


@dataclass(frozen=True, slots=True)
class _Start:
    cursor: Cursor | None
    fetched: int


@dataclass(slots=True)
class _Progress:
    new: int = 0
    routed: int = 0
    left: int | None = None

    def as_outcome(self, outcome: Literal["done", "stopped", "failed"]) -> FetchOutcome:
        return {"outcome": outcome, "new": self.new, "routed": self.routed}


@dataclass(frozen=True, slots=True)
class Fetcher:
    """Fetches, and keeps the record of how each account's fetch goes."""

    storage: Storage
    opener: AccountOpener
    intake: Intake
    settings: SettingsStore

    async def fetch(self, account_id: str, why: FetchReason, asked: str) -> FetchOutcome:
        """Bring in what is new at an account, unless that was done since it was asked for.

        It may be called again after a crash, by the same job, and goes on where it was.
        """
        was_running = (await self.settings.current()).fetcher_running
        if not was_running and why not in _AT_ONCE:
            return _SKIPPED
        start = await self._begin(account_id, why, datetime.fromisoformat(asked))
        if start is None:
            return _SKIPPED
        progress = _Progress(start.fetched)
        cycle = cycle_id(account_id, why, asked)
        try:
            with structlog.contextvars.bound_contextvars(fetchCycleId=cycle):
                whole = await self._pages(
                    account_id, start.cursor, progress, cycle_id=cycle, stoppable=was_running
                )
        except NotInUse:
            return await self._finish(account_id, progress, "stopped")
        except ConnectorFailed as error:
            return await self._fail(account_id, progress, error)
        except Exception as error:
            if is_away(error):
                raise
            log.exception("a fetch failed", accountId=account_id)
            return await self._fail(account_id, progress, ConnectorFailed("other", _BROKEN))
        return await self._finish(account_id, progress, "done" if whole else "stopped")

    async def _pages(
        self,
        account_id: str,
        cursor: Cursor | None,
        progress: _Progress,
        *,
        cycle_id: str,
        stoppable: bool,
    ) -> bool:
        """Take in page after page; whether it came to the end."""
        async with (
            self.opener.mailbox(account_id) as mailbox,
            aclosing(_timely(mailbox.changes(cursor))) as pages,
            aclosing(self.intake.take_all(account_id, pages, cycle_id=cycle_id)) as stored,
        ):
            async for page, taken in stored:
                progress.new += len(taken.new)
                progress.routed += taken.routed
                progress.left = page.left
                await self._note(account_id, progress)
                if stoppable and not (await self.settings.current()).fetcher_running:
                    return False
        return True

    async def _begin(self, account_id: str, why: FetchReason, asked: datetime) -> _Start | None:
        """Note that a fetch begins, and from where; None: it shall not."""
        now = clock.now()
        async with self.storage.app.write() as session:
            account = await accounts.find(session, account_id)
            if account is None or not account.enabled:
                return None
            row = await repository.held(session, account_id)
            # Only one job of an account runs at a time: one that was under way is this one, killed.
            if row.state != "fetching":
                done_since = row.started_at is not None and row.started_at >= asked
                paused = row.next_at is not None and row.next_at > now
                if done_since or (paused and why not in _AT_ONCE):
                    return None
                row.fetched = 0
            row.state, row.started_at, row.left = "fetching", now, None
            return _Start(row.cursor, row.fetched)

    async def _note(self, account_id: str, progress: _Progress) -> None:
        async with self.storage.app.write() as session:
            if row := await repository.find(session, account_id, lock=True):
                row.fetched, row.left = progress.new, progress.left

    async def _finish(
        self, account_id: str, progress: _Progress, outcome: Literal["done", "stopped"]
    ) -> FetchOutcome:
        async with self.storage.app.write() as session:
            account = await accounts.find(session, account_id)
            row = await repository.find(session, account_id, lock=True)
            if account and row:
                row.state, row.fetched = "idle", progress.new
                if outcome == "done":
                    row.failures, row.next_at, row.left = 0, None, None
                    row.finished_at = clock.now()
                if progress.new:
                    eventlog.record(session, _fetched(account, progress))
        if outcome == "done":
            await self.opener.well(account_id)
        return progress.as_outcome(outcome)

    async def _fail(
        self, account_id: str, progress: _Progress, error: ConnectorFailed
    ) -> FetchOutcome:
        async with self.storage.app.write() as session:
            account = await accounts.find(session, account_id)
            row = await repository.find(session, account_id, lock=True)
            if account and row:
                row.state, row.failures, row.fetched = "failed", row.failures + 1, progress.new
                pause = pauses.after(row.failures, retry_after=error.retry_after)
                row.next_at = clock.now() + pause
                if progress.new:
                    eventlog.record(session, _fetched(account, progress))
        await self.opener.failed(account_id, error)
        return progress.as_outcome("failed")


def cycle_id(account_id: str, why: FetchReason, asked: str) -> str:
    """The fetch cycle of a job: the same after a crash, and one for all that are due together."""
    what = asked if why == "due" else f"{account_id} {asked}"
    return f"cyc-{hashlib.sha256(what.encode()).hexdigest()[:12]}"


async def _timely(pages: AsyncIterator[MailPage]) -> AsyncGenerator[MailPage]:
    """The pages, each within some minutes; a generator is closed before its mailbox is."""
    end: Any = object()
    try:
        while True:
            async with asyncio.timeout(_PAGE_SECONDS):
                page = await anext(pages, end)
            if page is end:
                return
            yield page
    except TimeoutError:
        minutes = round(_PAGE_SECONDS / 60)
        raise ConnectorFailed("network", f"Nothing more came for {minutes} minutes.") from None
    finally:
        if isinstance(pages, AsyncGenerator):
            await pages.aclose()


def _fetched(account: Account, progress: _Progress) -> eventlog.Event:
    return eventlog.Event(
        FETCHED,
        audience=(audience.account(account.id),),
        workspace_id=account.workspace_id,
        subject_id=account.id,
        data={"count": progress.new, "routed": progress.routed},
    )
