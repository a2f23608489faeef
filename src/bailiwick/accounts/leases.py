"""Leases for refreshing an account's token, across tasks and processes.

Invariant: one holder at a time until the lease expires, and only the present holder stores its
result. The SQL of leases is here.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import AccountCredential
from bailiwick.kit import clock

SECONDS = 90.0  # longer than any refresh takes
# The expiry of a token that was marked as invalid.
_LONG_AGO = datetime.fromisoformat("2000-01-01T00:00:00+00:00")


async def take(session: AsyncSession, account_id: str, *, holder: str) -> AccountCredential | None:
    """Take the lease and return the present credential; None while another holds it."""
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
    """Store a refreshed credential and release the lease; False if another holder took over."""
    values = {"secret": secret, "expires_at": expires_at, "updated_at": clock.now()}
    return await _end(session, account_id, holder=holder, values=values)


async def release(session: AsyncSession, account_id: str, *, holder: str) -> None:
    """Release the lease without a change."""
    await _end(session, account_id, holder=holder, values={})


async def outdate(session: AsyncSession, account_id: str, *, secret: bytes) -> None:
    """Mark a token as invalid, so that the next use refreshes it first.

    Only while it is still the stored one: of many refused requests, one is enough.
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
