"""The jobs of the fetcher: each account is fetched from by one job at a time, wherever it runs."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.kit import clock, ids
from bailiwick.kit.engine.dispatcher import Wake
from bailiwick.kit.engine.engine import Engine, Queue
from bailiwick.kit.engine.jobs import step
from bailiwick.kit.engine.schedules import parse
from bailiwick.kit.eventlog import Recorded
from bailiwick.kit.eventlog.bus import stopped
from bailiwick.mail.fetcher import repository
from bailiwick.mail.fetcher.fetch import Fetcher, FetchOutcome, FetchReason
from bailiwick.mail.fetcher.watchers import Watchers

FETCH, DUE = "mail.fetch", "mail.due"
QUEUE = Queue("fetch", per_partition=1, per_process=8, poll_seconds=0.5)
# A person wants to see what is new now. For our own jobs: nobody is shown it.
REQUESTED = "fetch.requested"
_CONNECTED, _RECOVERED = "account.connected", "account.recovered"
_EVERY_MINUTE = parse("* * * * *", zone="UTC")


class FetchJobs:
    """The bodies of the jobs, and what sets them going."""

    def __init__(self, fetcher: Fetcher, engine: Engine) -> None:
        self._fetcher = fetcher
        self._engine = engine
        self.watchers = Watchers(fetcher.opener, fetcher.settings, self.begin)

    @asynccontextmanager
    async def running(self, leads: asyncio.Event) -> AsyncGenerator[None]:
        """Look every minute which accounts are due, and watch them, while the block runs."""
        await self._engine.schedule(DUE, _EVERY_MINUTE)
        watching = asyncio.create_task(self.watchers.run(leads))
        try:
            yield
        finally:
            await stopped(watching)

    async def fetch(self, account_id: str, why: FetchReason, asked: str) -> FetchOutcome:
        """Fetch from an account: one step, which after a crash goes on where it was."""
        return await step("fetch", self._fetcher.fetch, account_id, why, asked)

    async def due(self, moment: str) -> None:
        """Begin a fetch from each account that is due, under an id that its moment makes."""
        for account_id in await step("find", self.find_due):
            await self._engine.begin(
                FETCH,
                account_id,
                "due",
                moment,
                id=f"{FETCH}:{account_id}:{moment}",
                partition=account_id,
            )

    async def find_due(self) -> list[str]:
        """The accounts to fetch from now; none while the fetcher is stopped."""
        settings = await self._fetcher.settings.current()
        if not settings.fetcher_running:
            return []
        async with self._fetcher.storage.app.read() as session:
            every = timedelta(minutes=settings.fetch_minutes)
            return await repository.due(session, clock.now(), every=every)

    async def begin(self, account_id: str) -> None:
        """There is news at an account: fetch from it."""
        asked = clock.now().isoformat()
        id = f"{FETCH}:{account_id}:{ids.new('news')}"
        await self._engine.begin(FETCH, account_id, "news", asked, id=id, partition=account_id)


async def _wanted(session: AsyncSession, events: Sequence[Recorded]) -> set[int]:
    """An account is new, a person asks, or what had failed was mended by someone."""
    wanted = {event.position for event in events if event.type in (REQUESTED, _CONNECTED)}
    mended = {event.position: event.subject_id for event in events if event.type == _RECOVERED}
    failed = (
        await repository.failed(session, {id for id in mended.values() if id}) if mended else ()
    )
    return wanted | {position for position, id in mended.items() if id in failed}


def _why(event: Recorded) -> FetchReason:
    return "asked" if event.type == REQUESTED else "connected"


WAKES = [
    Wake(
        FETCH,
        _wanted,
        arguments=lambda event: (event.subject_id, _why(event), event.at.isoformat()),
        partition=lambda event: event.subject_id,
    )
]
