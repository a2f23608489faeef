"""All SQL of fetching: how far each account is, and which ones are due."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account
from bailiwick.accounts.repository import categories_of
from bailiwick.identity.models import User
from bailiwick.identity.principal import OPERATOR
from bailiwick.mail.models import MailSync
from bailiwick.workspaces.models import Member

# What only a person can mend: asking again before would lock the account at some providers.
NEEDS_A_PERSON = ("invalid_grant", "missing_refresh_token")
# The clock of the schedule ticks by the minute; what is due within it is due now.
_SLACK = timedelta(seconds=30)


async def held(session: AsyncSession, account_id: str) -> MailSync:
    """How far an account was fetched, made if need be, and held until the transaction ends."""
    found = await find(session, account_id, lock=True)
    if found is None:
        found = MailSync(account_id=account_id, state="idle", failures=0, fetched=0)
        session.add(found)
        await session.flush()
    return found


async def find(session: AsyncSession, account_id: str, *, lock: bool = False) -> MailSync | None:
    """How far an account was fetched; None before the first time, and when it is gone."""
    statement = select(MailSync).where(MailSync.account_id == account_id)
    if lock:
        statement = statement.with_for_update()
    found = await session.scalars(statement.execution_options(populate_existing=True))
    return found.one_or_none()


async def syncs(session: AsyncSession, account_ids: Collection[str]) -> dict[str, MailSync]:
    """How far some accounts were fetched."""
    statement = select(MailSync).where(MailSync.account_id.in_(account_ids))
    return {row.account_id: row for row in await session.scalars(statement)}


async def due(session: AsyncSession, now: datetime, *, every: timedelta) -> list[str]:
    """The accounts to fetch from now: never fetched, not for a while, or paused until now."""
    statement = (
        select(Account, MailSync)
        .outerjoin(MailSync, MailSync.account_id == Account.id)
        .where(*_fetched())
        .order_by(MailSync.started_at.nulls_first(), Account.created_at, Account.id)
    )
    return [
        account.id
        for account, row in await session.execute(statement)
        if "mail" in categories_of(account) and next_at(row, now, every=every) <= now + _SLACK
    ]


def next_at(row: MailSync | None, now: datetime, *, every: timedelta) -> datetime:
    """When an account is fetched from by itself the next time."""
    if row is None or row.started_at is None:
        return now
    return row.next_at or row.started_at + every


async def watched(session: AsyncSession, *, limit: int) -> list[str]:
    """The accounts to watch for news, the primary ones first."""
    statement = (
        select(Account)
        .where(*_fetched())
        .order_by(Account.is_primary.desc(), Account.created_at, Account.id)
    )
    found = [row.id for row in await session.scalars(statement) if "mail" in categories_of(row)]
    return found[:limit]


async def failed(session: AsyncSession, account_ids: Collection[str]) -> set[str]:
    """Those of some accounts whose last fetch did not succeed."""
    return {id for id, row in (await syncs(session, account_ids)).items() if row.state == "failed"}


def _fetched() -> tuple[ColumnElement[bool], ...]:
    """Accounts that are fetched from without being asked: of people who are still there."""
    well = or_(Account.problem.is_(None), Account.problem.not_in(NEEDS_A_PERSON))
    here = (
        exists()
        .where(Member.workspace_id == Account.workspace_id, Member.user_id == Account.owner_id)
        .where(User.id == Account.owner_id, User.active)
    )
    return (Account.enabled.is_(True), well, or_(here, Account.owner_id == OPERATOR.id))
