"""`Reader`: whose eyes something is read with.

An account, and what comes of it, is its owner's alone until the owner shares it; what a person's
agents do is that person's. Whatever can be private is read with a reader, and with nothing else.
The operator at the command line acts for the owner of the office, and so do rows that the operator
began: they are the owner's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from fastapi import Depends
from sqlalchemy import ColumnElement, and_, false, or_, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from bailiwick.accounts import shares
from bailiwick.identity import users
from bailiwick.identity.access import SignedIn
from bailiwick.identity.principal import OPERATOR, Principal
from bailiwick.kit.http.database import ReadSession
from bailiwick.workspaces import repository as workspaces
from bailiwick.workspaces.access import WorkspaceRole

AccountRight = Literal["read", "send", "own"]
RANK: dict[AccountRight, int] = {"read": 0, "send": 1, "own": 2}
# In the place of an owner: what everyone in the workspace may see.
WORKSPACE = "*"
_Text = InstrumentedAttribute[str] | InstrumentedAttribute[str | None]


@dataclass(frozen=True, slots=True)
class Reader:
    """A person, the workspaces that they are in, and the accounts that are open to them there."""

    user_id: str | None
    workspaces: Mapping[str, WorkspaceRole] = field(default_factory=dict[str, WorkspaceRole])
    accounts: Mapping[str, AccountRight] = field(default_factory=dict[str, AccountRight])
    is_owner: bool = False  # of the office: what the operator began is theirs
    is_everyone: bool = False

    def owns(self, owner: _Text) -> ColumnElement[bool]:
        """Where a row is their own."""
        if self.is_everyone:
            return true()
        if self.is_owner:
            return or_(owner.in_(self.names), owner.is_(None))
        return owner == self.user_id if self.user_id else false()

    def sees(self, owner: _Text, workspace: _Text) -> ColumnElement[bool]:
        """Where a row is their own, or of everyone in a workspace of theirs."""
        shared = and_(owner == WORKSPACE, workspace.in_(self.workspaces))
        return or_(self.owns(owner), shared)

    def sees_account(self, account: _Text) -> ColumnElement[bool]:
        """Where a row came of an account that is open to them."""
        return true() if self.is_everyone else account.in_(self.accounts)

    def has(self, owner_id: str | None) -> bool:
        """Whether what has this owner is theirs."""
        if self.is_everyone or (self.is_owner and owner_id in (None, OPERATOR.id)):
            return True
        return owner_id is not None and owner_id == self.user_id

    def may(self, account_id: str, right: AccountRight) -> bool:
        """Whether an account is open to them for this."""
        given = self.accounts.get(account_id)
        return self.is_everyone or (given is not None and RANK[given] >= RANK[right])

    @property
    def id(self) -> str:
        """The owner of what they make."""
        return self.user_id or OPERATOR.id

    @property
    def names(self) -> list[str]:
        """The ids under which something is theirs."""
        return [
            *([self.user_id] if self.user_id else []),
            *([OPERATOR.id] if self.is_owner else []),
        ]


# For work that nobody asked for: jobs, the intake, housekeeping.
EVERYONE = Reader(None, is_everyone=True)


async def reader_of(session: AsyncSession, principal: Principal) -> Reader:
    """The eyes behind a request."""
    return await reader_for(session, principal.user_id)


async def reader_for(session: AsyncSession, user_id: str | None) -> Reader:
    """The eyes of someone for whom an agent or a client acts; None: the operator."""
    owner = await users.owner_id(session)
    me = user_id or owner
    rows: Any = await workspaces.of_user(session, user_id)
    roles: dict[str, WorkspaceRole] = {workspace.id: role for workspace, role in rows}
    is_owner = user_id is None or user_id == owner
    alone = Reader(me, roles, is_owner=is_owner)
    return replace(alone, accounts=await shares.open_to(session, alone.names, roles))


async def _the_reader(who: SignedIn, session: ReadSession) -> Reader:
    return await reader_of(session, who)


TheReader = Annotated[Reader, Depends(_the_reader)]
