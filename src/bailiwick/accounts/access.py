"""The door to an account: it is one's own or shared with one, or it does not exist."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.accounts.models import Account
from bailiwick.accounts.reader import AccountRight, reader_of
from bailiwick.errors import Forbidden, NotFound
from bailiwick.identity.principal import Principal

_GONE = "That account does not exist, or is not open to you."


async def entered(
    session: AsyncSession,
    principal: Principal,
    account_id: str,
    *,
    need: AccountRight,
    lock: bool = False,
) -> Account:
    """An account, for someone to whom it is open for this."""
    reader = await reader_of(session, principal)
    account = await repository.find(session, account_id, lock=lock)
    if account is None or not reader.may(account_id, "read"):
        raise NotFound(_GONE)
    if not reader.may(account_id, need):
        given = reader.accounts[account_id]
        raise Forbidden(f"This account is shared with you to {given}. Its owner can do this.")
    return account
