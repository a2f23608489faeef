"""A connector's own accounts, for its own tools.

The caller names the workspace; accounts of other workspaces do not exist for them.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.accounts import repository
from bailiwick.accounts.models import Account
from bailiwick.accounts.opener import AccountOpener
from bailiwick.connectors.errors import NotInUse
from bailiwick.connectors.mail import Mailbox
from bailiwick.connectors.own import OwnAccount
from bailiwick.office import Office


class ConnectorAccounts:
    """`OwnAccounts` backed by the office's accounts."""

    def __init__(self, office: Office, connector: str) -> None:
        self._office = office
        self._connector = connector

    async def of(self, workspace_id: str) -> list[OwnAccount]:
        """The connector's enabled accounts in a workspace, the primary one first."""
        async with self._office.storage.app.read() as session:
            rows = await repository.of_workspace(session, workspace_id, category=None)
        return [
            OwnAccount(row.id, row.label, row.address, row.is_primary)
            for row in rows
            if row.connector == self._connector
        ]

    @asynccontextmanager
    async def mailbox(self, account_id: str, *, workspace_id: str) -> AsyncGenerator[Mailbox]:
        """The mailbox of one account; one of another connector or workspace is refused."""
        account = await self._account(account_id)
        own = account is not None and account.connector == self._connector
        if account is None or not own or account.workspace_id != workspace_id:
            raise NotInUse("There is no such account of this connector here.")
        async with self._office[AccountOpener].mailbox(account_id) as mailbox:
            yield mailbox

    async def _account(self, id: str) -> Account | None:
        async with self._office.storage.app.read() as session:
            return await repository.find(session, id)
