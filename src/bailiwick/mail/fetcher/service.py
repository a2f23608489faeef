"""Verbs of the fetcher: how it goes, and asking for a fetch now."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository as accounts
from bailiwick.accounts.access import entered
from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import reader_of
from bailiwick.accounts.repository import categories_of
from bailiwick.errors import Conflict
from bailiwick.identity.principal import Principal
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit import clock, eventlog
from bailiwick.kit.db import Storage
from bailiwick.mail.fetcher import repository
from bailiwick.mail.fetcher.jobs import REQUESTED
from bailiwick.mail.fetcher.schemas import FetchAccountOut, FetchedOut, FetcherOut
from bailiwick.mail.models import MailSync

RUN_SECONDS = 30.0
_LOOK_SECONDS = 0.25
_NEW = MailSync(state="idle", failures=0, fetched=0)


async def status(session: AsyncSession, who: Principal, settings: RuntimeSettings) -> FetcherOut:
    """How fetching goes, for the accounts that someone may see."""
    seen = await accounts.seen_by(session, await reader_of(session, who))
    rows = [row for row in seen if "mail" in categories_of(row)]
    syncs = await repository.syncs(session, [row.id for row in rows])
    return FetcherOut(
        running=settings.fetcher_running,
        interval_minutes=settings.fetch_minutes,
        accounts=[_shown(row, syncs.get(row.id), settings) for row in rows],
    )


async def request(session: AsyncSession, who: Principal, account_id: str | None) -> list[Account]:
    """Ask for a fetch now, from one account or from all; begun once this is committed."""
    rows = await _asked(session, who, account_id)
    for row in rows:
        eventlog.record(
            session,
            eventlog.Event(
                REQUESTED,
                audience=(),
                workspace_id=row.workspace_id,
                actor_id=who.id,
                subject_id=row.id,
            ),
        )
    return rows


async def wait(
    storage: Storage, rows: Sequence[Account], since: datetime, *, seconds: float = RUN_SECONDS
) -> list[FetchedOut]:
    """How the fetches went that were asked for at a moment; waits for them, but not for long."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        async with storage.app.read() as session:
            found = await _results(session, rows, since)
        open_ = any(each.outcome in ("working", "waiting") for each in found)
        if not open_ or asyncio.get_running_loop().time() >= end:
            return found
        await asyncio.sleep(_LOOK_SECONDS)


async def _asked(session: AsyncSession, who: Principal, account_id: str | None) -> list[Account]:
    if account_id is None:
        reader = await reader_of(session, who)
        seen = await accounts.seen_by(session, reader)
        open_ = [row for row in seen if row.enabled and reader.may(row.id, "send")]
        return [row for row in open_ if "mail" in categories_of(row)]
    row = await entered(session, who, account_id, need="send")
    if not row.enabled:
        raise Conflict(f"{row.label} is switched off. Switch it on first.")
    return [row]


async def _results(
    session: AsyncSession, rows: Sequence[Account], since: datetime
) -> list[FetchedOut]:
    syncs = await repository.syncs(session, [row.id for row in rows])
    found: list[FetchedOut] = []
    for row in rows:
        now = await accounts.find(session, row.id) or row
        sync = syncs.get(row.id) or _NEW
        outcome = _outcome(sync, since)
        found.append(
            FetchedOut(
                account_id=row.id,
                label=row.label,
                outcome=outcome,
                fetched=sync.fetched if outcome != "waiting" else 0,
                problem=now.problem if outcome == "failed" else None,  # pyright: ignore[reportArgumentType]
                problem_detail=now.problem_detail if outcome == "failed" else None,
            )
        )
    return found


def _outcome(sync: MailSync, since: datetime) -> Literal["done", "failed", "working", "waiting"]:
    if sync.state == "fetching":
        return "working"
    if sync.started_at is None or sync.started_at < since:
        return "waiting"
    return "failed" if sync.state == "failed" else "done"


def _shown(row: Account, sync: MailSync | None, settings: RuntimeSettings) -> FetchAccountOut:
    known = sync or _NEW
    return FetchAccountOut(
        account_id=row.id,
        workspace_id=row.workspace_id,
        label=row.label,
        address=row.address,
        enabled=row.enabled,
        state=known.state,  # pyright: ignore[reportArgumentType]
        left=known.left,
        fetched=known.fetched,
        started_at=known.started_at,
        last_fetch=known.finished_at,
        next_at=_next(row, sync, settings),
        failures=known.failures,
        problem=row.problem,  # pyright: ignore[reportArgumentType]
        problem_detail=row.problem_detail,
    )


def _next(row: Account, sync: MailSync | None, settings: RuntimeSettings) -> datetime | None:
    needs_a_person = row.problem in repository.NEEDS_A_PERSON
    if not settings.fetcher_running or not row.enabled or needs_a_person:
        return None
    every = timedelta(minutes=settings.fetch_minutes)
    return max(repository.next_at(sync, clock.now(), every=every), clock.now())
