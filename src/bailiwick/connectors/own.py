"""A connector's own accounts: what its own tools may see, and no other's.

Whoever asks says in which workspace they are: an account of another one does not exist for them.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bailiwick.accounts import repository
from bailiwick.connectors.errors import NotInUse
from bailiwick.connectors.mail import Mailbox

if TYPE_CHECKING:
    from bailiwick.accounts.models import Account
    from bailiwick.connectors.desk import Desk


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """One of a connector's own accounts."""

    id: str
    label: str
    address: str
    is_primary: bool


class OwnAccounts:
    """What `Connector.tools` is handed."""

    def __init__(self, desk: "Desk", connector: str) -> None:
        self._desk = desk
        self._connector = connector

    async def of(self, workspace_id: str) -> list[OwnAccount]:
        """The accounts in use of this connector in a workspace, the primary one first."""
        async with self._desk.storage.app.read() as session:
            rows = await repository.of_workspace(session, workspace_id, category=None)
        return [
            OwnAccount(row.id, row.label, row.address, row.is_primary)
            for row in rows
            if row.connector == self._connector
        ]

    @asynccontextmanager
    async def mailbox(self, account_id: str, *, workspace_id: str) -> AsyncGenerator[Mailbox]:
        """The mail of one's own account; another connector's, or workspace's, is refused."""
        account = await self._account(account_id)
        own = account is not None and account.connector == self._connector
        if account is None or not own or account.workspace_id != workspace_id:
            raise NotInUse("There is no such account of this connector here.")
        async with self._desk.mailbox(account_id) as mailbox:
            yield mailbox

    async def _account(self, id: str) -> "Account | None":
        async with self._desk.storage.app.read() as session:
            return await repository.find(session, id)
