"""Access to accounts: only members of its workspace can see an account."""

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts import repository
from bailiwick.accounts.models import Account
from bailiwick.errors import NotFound
from bailiwick.identity.principal import Principal
from bailiwick.workspaces.access import WorkspaceRole, enter

_GONE = "That account does not exist, or you are not a member of its workspace."


async def entered(
    session: AsyncSession,
    principal: Principal,
    account_id: str,
    *,
    need: WorkspaceRole,
    lock: bool = False,
) -> Account:
    """An account, for a caller with this right in its workspace."""
    account = await repository.find(session, account_id, lock=lock)
    if account is None:
        raise NotFound(_GONE)
    try:
        await enter(session, principal, account.workspace_id, need=need)
    except NotFound:
        raise NotFound(_GONE) from None
    return account
