"""Watchers: in the process that leads, one waits at each account whose provider tells of news.

Nothing depends on them: what they miss, the schedule finds.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.errors import ConnectorFailed, NotInUse
from bailiwick.instance.settings import SettingsStore
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog.bus import stopped
from bailiwick.mail.fetcher import pauses, repository
from bailiwick.mail.fetcher.repository import NEEDS_A_PERSON

log = structlog.stdlib.get_logger("bailiwick.fetcher")
# Each holds a connection open, and some a thread. Further accounts are fetched on schedule alone.
_MOST = 16
_WAIT_SECONDS = 20 * 60.0
# A provider that cannot tell says so at once.
_AT_ONCE_SECONDS = 5.0
# News come in crowds; the fetch that the first sets going finds the others too.
_PAUSE_SECONDS = 2.0
_LOOK_SECONDS = 30.0
_FOLLOWED = ("account.", "connector.", "settings.changed")
# What an account holds is another, or it works again: nobody waits out a pause of before.
_ANEW = ("account.changed", "account.recovered")


class Watchers:
    """Those who wait for news."""

    def __init__(
        self,
        opener: AccountOpener,
        settings: SettingsStore,
        begin: Callable[[str], Awaitable[None]],
    ) -> None:
        self._opener = opener
        self._settings = settings
        self._begin = begin
        self._watching: dict[str, asyncio.Task[None]] = {}
        # These are opened anew, with what they hold now.
        self._changed: set[str] = set()
        # Who was fetched from since someone listens: nothing that came before was missed.
        self._caught_up: set[str] = set()
        self._woken = asyncio.Event()

    def follow(self, batch: Sequence[Recorded]) -> None:
        """Hear of accounts that come, change and go."""
        for event in batch:
            if event.type.startswith(_FOLLOWED):
                if event.type in _ANEW and event.subject_id:
                    self._changed.add(event.subject_id)
                self._woken.set()

    async def run(self, leads: asyncio.Event) -> None:
        """Watch until cancelled, whenever this process leads."""
        try:
            while True:
                await leads.wait()
                # Those who ended are asked again after a change, not at each look.
                anew = self._woken.is_set()
                self._woken.clear()
                try:
                    await self._arrange(anew=anew)
                except (SQLAlchemyError, OSError) as error:
                    log.warning("watchers wait", reason=str(error).splitlines()[0])
                await self._wait()
                if not leads.is_set():
                    await self._end(list(self._watching))
                    self._caught_up.clear()
        finally:
            await self._end(list(self._watching))

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._woken.wait()
        except TimeoutError:
            return

    async def _arrange(self, *, anew: bool) -> None:
        wanted = await self._wanted()
        changed, self._changed = self._changed, set()
        ended = {id for id, task in self._watching.items() if task.done()} if anew else set[str]()
        await self._end([id for id in self._watching if id not in wanted or id in changed | ended])
        for id in wanted:
            if id not in self._watching:
                self._watching[id] = asyncio.create_task(self._watch(id))

    async def _wanted(self) -> list[str]:
        self._settings.forget()
        if not (await self._settings.current()).fetcher_running:
            return []
        async with self._opener.storage.app.read() as session:
            return await repository.watched(session, limit=_MOST)

    async def _end(self, ids: Sequence[str]) -> None:
        for id in ids:
            await stopped(self._watching.pop(id))

    async def _watch(self, account_id: str) -> None:
        failures = 0
        while True:
            began, retry_after = time.monotonic(), None
            try:
                await self._listen(account_id)
            except NotInUse:
                return
            except ConnectorFailed as error:
                if error.problem in NEEDS_A_PERSON:
                    # The fetch that comes next says so to a person.
                    return
                retry_after = error.retry_after
            except Exception:
                log.exception("a watcher failed", accountId=account_id)
            else:
                return
            self._caught_up.discard(account_id)
            failures = 1 if time.monotonic() - began > _WAIT_SECONDS else failures + 1
            pause = pauses.after(failures, retry_after=retry_after)
            await asyncio.sleep(pause.total_seconds())

    async def _listen(self, account_id: str) -> None:
        """Wait for news at an open mailbox, again and again; ends where none are to be had."""
        async with self._opener.mailbox(account_id) as mailbox:
            await mailbox.wait(0)  # looks: what comes from here on is noticed
            if account_id not in self._caught_up:
                self._caught_up.add(account_id)
                await self._begin(account_id)
            while True:
                began = time.monotonic()
                if await mailbox.wait(_WAIT_SECONDS):
                    await self._begin(account_id)
                    await asyncio.sleep(_PAUSE_SECONDS)
                elif time.monotonic() - began < _AT_ONCE_SECONDS:
                    return
