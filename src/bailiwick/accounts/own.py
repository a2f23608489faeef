"""A connector's own accounts, for its own tools.

Whoever asks says in which workspace they are and for whom they act: an account that is not open to
that person there does not exist for them.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from bailiwick.accounts import repository
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.reader import reader_for
from bailiwick.connectors.errors import NotInUse
from bailiwick.connectors.mail import Mailbox
from bailiwick.connectors.own import OwnAccount
from bailiwick.office import Office


class ConnectorAccounts:
    """`OwnAccounts` backed by the office's accounts."""

    def __init__(self, office: Office, connector: str) -> None:
        self._office = office
        self._connector = connector

    async def of(self, workspace_id: str, user_id: str | None) -> list[OwnAccount]:
        """The accounts in use that are open to a user in a workspace, the primary one first."""
        async with self._office.storage.app.read() as session:
            reader = await reader_for(session, user_id)
            rows = await repository.of_workspace(session, reader, workspace_id, category=None)
        return [
            OwnAccount(row.id, row.label, row.address, row.is_primary)
            for row in rows
            if row.connector == self._connector
        ]

    @asynccontextmanager
    async def mailbox(
        self, account_id: str, *, workspace_id: str, user_id: str | None
    ) -> AsyncGenerator[Mailbox]:
        """The mail of one of them; one that is not open to the user there is refused."""
        if account_id not in {own.id for own in await self.of(workspace_id, user_id)}:
            raise NotInUse("There is no such account of this connector here.")
        async with self._office[AccountOpener].mailbox(account_id) as mailbox:
            yield mailbox
