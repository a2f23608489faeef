"""Taking turns at refreshing an account's token, across tasks and processes.

Invariant: while one holds an account's lease, no other takes it, until it ends by itself; and only
who still holds it stores what came of it. The SQL of leases is here.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import AccountCredential
from bailiwick.kit import clock

SECONDS = 90.0  # longer than any refresh takes
# When something was marked as no longer good.
_LONG_AGO = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


async def take(session: AsyncSession, account_id: str, *, holder: str) -> AccountCredential | None:
    """The credential as it is now, held; None while another holds it."""
    now = clock.now()
    statement = (
        update(AccountCredential)
        .where(
            AccountCredential.account_id == account_id,
            or_(AccountCredential.lease_until.is_(None), AccountCredential.lease_until < now),
        )
        .values(lease_holder=holder, lease_until=now + timedelta(seconds=SECONDS))
        .returning(AccountCredential)
        .execution_options(synchronize_session=False, populate_existing=True)
    )
    return (await session.scalars(statement)).one_or_none()


async def keep(
    session: AsyncSession,
    account_id: str,
    *,
    holder: str,
    secret: bytes,
    expires_at: datetime | None,
) -> bool:
    """Store what a refresh brought, and let go; False if another has taken over since."""
    values = {"secret": secret, "expires_at": expires_at, "updated_at": clock.now()}
    return await _end(session, account_id, holder=holder, values=values)


async def release(session: AsyncSession, account_id: str, *, holder: str) -> None:
    """Let go without anything new."""
    await _end(session, account_id, holder=holder, values={})


async def outdate(session: AsyncSession, account_id: str, *, secret: bytes) -> None:
    """The provider no longer takes a token: whoever asks next refreshes it first.

    Only while it is still the one that is stored: of many who were refused, one is enough.
    """
    await session.execute(
        update(AccountCredential)
        .where(AccountCredential.account_id == account_id, AccountCredential.secret == secret)
        .values(expires_at=_LONG_AGO)
        .execution_options(synchronize_session=False)
    )


async def _end(
    session: AsyncSession, account_id: str, *, holder: str, values: Mapping[str, object]
) -> bool:
    statement = (
        update(AccountCredential)
        .where(AccountCredential.account_id == account_id, AccountCredential.lease_holder == holder)
        .values(**values, lease_holder=None, lease_until=None)
        .returning(AccountCredential.account_id)
        .execution_options(synchronize_session=False)
    )
    return (await session.scalars(statement)).one_or_none() is not None
