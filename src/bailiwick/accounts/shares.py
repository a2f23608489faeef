"""With whom an account is shared, and for what; with its SQL."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.accounts.models import Account, AccountShare
from bailiwick.errors import Invalid, NotFound
from bailiwick.identity.models import User
from bailiwick.identity.principal import Principal
from bailiwick.instance import audience, changes
from bailiwick.kit import clock
from bailiwick.workspaces.models import Member

ShareRight = Literal["read", "send"]
# In the place of a member: all who are in the workspace, now and later.
ALL_MEMBERS = "*"
SHARED, UNSHARED = "account.shared", "account.unshared"


async def open_to(
    session: AsyncSession, names: Collection[str], workspaces: Collection[str]
) -> dict[str, Any]:
    """The accounts of these workspaces that are someone's own or shared with them, and for what."""
    here = Account.workspace_id.in_(workspaces)
    shared = (
        select(AccountShare.account_id, AccountShare.right)
        .join(Account, Account.id == AccountShare.account_id)
        .where(here, AccountShare.member_id.in_([*names, ALL_MEMBERS]))
        # The one that allows more comes last: “read” is before “send”.
        .order_by(AccountShare.right)
    )
    found = dict((await session.execute(shared)).all())
    own = select(Account.id).where(here, Account.owner_id.in_(names))
    return {**found, **dict.fromkeys(await session.scalars(own), "own")}


async def of_account(
    session: AsyncSession, account_id: str
) -> Sequence[tuple[AccountShare, str | None]]:
    """With whom an account is shared, each with their name."""
    statement = (
        select(AccountShare, User.name)
        .outerjoin(User, User.id == AccountShare.member_id)
        .where(AccountShare.account_id == account_id)
        .order_by(AccountShare.created_at, AccountShare.member_id)
    )
    return [(share, name) for share, name in await session.execute(statement)]


async def share(
    session: AsyncSession, principal: Principal, account: Account, *, member_id: str, right: str
) -> AccountShare:
    """Let a member, or all of them, read an account or send with it."""
    if member_id != ALL_MEMBERS:
        if member_id == account.owner_id:
            raise Invalid.field("memberId", "the account is theirs already")
        if await session.get(Member, (account.workspace_id, member_id)) is None:
            raise Invalid.field("memberId", "there is no such member of the account's workspace")
    row = await session.get(AccountShare, (account.id, member_id))
    before = row and {"right": row.right}
    if row is None:
        row = AccountShare(account_id=account.id, member_id=member_id, created_at=clock.now())
        session.add(row)
    row.right = right
    _record(session, principal, account, SHARED, member_id, before, {"right": right})
    await session.flush()
    return row


async def unshare(
    session: AsyncSession, principal: Principal, account: Account, *, member_id: str
) -> None:
    """End a share: from now on it is as if there were no such account for them."""
    gone = delete(AccountShare).where(
        AccountShare.account_id == account.id, AccountShare.member_id == member_id
    )
    row = (await session.scalars(gone.returning(AccountShare.right))).one_or_none()
    if row is None:
        raise NotFound("The account is not shared with them.")
    _record(session, principal, account, UNSHARED, member_id, {"right": row}, None)


def _record(
    session: AsyncSession,
    principal: Principal,
    account: Account,
    action: str,
    member_id: str,
    before: Any,
    after: Any,
) -> None:
    everyone = member_id == ALL_MEMBERS
    changes.record(
        session,
        principal.actor,
        action=action,
        subject=account.id,
        before=before and {**before, "with": member_id},
        after=after and {**after, "with": member_id},
        to=(
            audience.account(account.id),
            audience.workspace(account.workspace_id) if everyone else audience.user(member_id),
        ),
        workspace=account.workspace_id,
        about={} if everyone else {"userId": member_id},
        owner=account.owner_id,
    )
